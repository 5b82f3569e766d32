import Glibc

/// Reads the files and folders that are served.
enum FileReader {
    /// What could not be read, and why.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path): \(reason)" }
    }

    /// Throws when a file is missing or must not be read.
    static func check(_ path: String) throws(Failure) {
        guard access(path, R_OK) == 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
    }

    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(max(size, 4096), 1 << 20))
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// What tells two states of a file apart without reading it.
    struct Stamp: Equatable, Sendable {
        let inode: UInt64
        let size: Int64
        /// Seconds and nanoseconds.
        let changedAt: [Int]

        fileprivate init(_ status: stat) {
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            changedAt = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        }
    }

    /// Nil if there is no such file.
    static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Stamp(status)
    }

    /// The files below a folder, by their path within it. Names that begin with a dot are left out, links are not
    /// followed.
    static func list(_ folder: String) throws(Failure) -> [String] { try stamps(folder).map(\.key) }

    /// The same files with their states.
    static func stamps(_ folder: String) throws(Failure) -> [String: Stamp] {
        guard let directory = opendir(folder) else {
            throw Failure(path: folder, reason: String(cString: strerror(errno)))
        }
        defer { closedir(directory) }
        var stamps: [String: Stamp] = [:]
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: stamps[name] = Stamp(status)
            case S_IFDIR:
                for (below, stamp) in try Self.stamps("\(folder)/\(name)") { stamps["\(name)/\(below)"] = stamp }
            default: continue
            }
        }
        return stamps
    }
}
