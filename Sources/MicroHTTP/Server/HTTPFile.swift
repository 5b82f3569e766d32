import Glibc

/// An open file to be sent. It is closed when the last reference to it is released.
public final class HTTPFile: Sendable {
    let descriptor: Int32

    /// - Parameter descriptor: of a regular file that is open for reading. It belongs to the new object.
    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Its size now, in bytes.
    public var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Reads a part of the file, at most up to its end. Meant for callers without a socket.
    public func read(_ range: Range<Int64>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(range.count))
        let count = pread(descriptor, &bytes, bytes.count, off_t(range.lowerBound))
        return Array(bytes.prefix(max(0, count)))
    }
}
