import Glibc
import Bounds

/// A buffer for the events of one write. The loop owns it, and passes it to a source for the time of one call.
///
/// There is free space before the bytes for a chunk's size line, and after them for the chunk's CR LF. So framing a
/// chunk moves no bytes.
public struct EventBuffer: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    /// Bytes appended so far.
    public private(set) var count = 0
    /// The most that ``room(for:)`` grants.
    public let limit: Int

    static let prefix = 16
    private static let suffix = 2

    /// - Parameter limit: in bytes. A single event may be larger: an empty buffer takes it.
    public init(limit: Int) {
        self.limit = limit
        capacity = limit
        memory = malloc(limit + Self.prefix + Self.suffix)
    }

    deinit { free(memory) }

    /// Whether an event of `bytes` may be appended: it fits, or the buffer is empty.
    public func room(for bytes: Int) -> Bool { count == 0 || count + bytes <= limit }

    /// Appends any number of bytes; the limit is not checked. Before the first piece of an event, ask ``room(for:)``
    /// with the size of the whole event.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        grow(by: bytes.count)
        memcpy(memory + Self.prefix + count, base, bytes.count)
        count += bytes.count
    }

    /// Appends bytes.
    public mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Appends bytes.
    public mutating func append(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { append($0) } }

    /// Appends text as UTF-8.
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// What has been appended, as a copy.
    public var contents: [UInt8] { contents(from: 0) }

    /// What has been appended since ``count`` was `start`, as a copy.
    public func contents(from start: Int) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: memory + Self.prefix + start, count: count - start))
    }

    /// Empties the buffer, and shrinks it to its limit if a large event made it grow.
    mutating func reset() {
        count = 0
        if capacity > limit {
            capacity = limit
            memory = realloc(memory, limit + Self.prefix + Self.suffix)
        }
    }

    private mutating func grow(by bytes: Int) {
        guard count + bytes > capacity else { return }
        capacity = max(count + bytes, capacity * 2)
        memory = realloc(memory, capacity + Self.prefix + Self.suffix)
    }

    /// The bytes as they are sent: one chunk (RFC 9112, 7.1), or without framing for HTTP/1.0. An empty buffer gives an
    /// empty result, because an empty chunk would end the body. Valid until the buffer changes.
    func framed(chunked: Bool) -> UnsafeRawBufferPointer {
        let bytes = memory + Self.prefix
        guard chunked, count > 0 else { return UnsafeRawBufferPointer(start: bytes, count: count) }
        bytes.storeBytes(of: 0x0d, toByteOffset: count, as: UInt8.self)
        bytes.storeBytes(of: 0x0a, toByteOffset: count + 1, as: UInt8.self)
        bytes.storeBytes(of: 0x0d, toByteOffset: -2, as: UInt8.self)
        bytes.storeBytes(of: 0x0a, toByteOffset: -1, as: UInt8.self)
        var offset = -2
        var rest = count
        while rest > 0 {
            offset -= 1
            let digit = UInt8(rest & 15)
            bytes.storeBytes(of: digit < 10 ? 0x30 + digit : 0x57 + digit, toByteOffset: offset, as: UInt8.self)
            rest >>= 4
        }
        return UnsafeRawBufferPointer(start: bytes + offset, count: count + 2 - offset)
    }
}

/// Bytes that the kernel has not taken from a stream, or from several streams of one holder that show the same.
///
/// For the loop's thread only.
final class UnsentFrame {
    let bytes: [UInt8]
    /// The counter of the holder.
    fileprivate let memory: ByteCounter

    /// Nil when there is no room for them.
    init?(_ bytes: UnsafeRawBufferPointer, _ memory: ByteCounter) {
        guard memory.reserve(bytes.count) else { return nil }
        self.bytes = Array(bytes)
        self.memory = memory
    }

    deinit { memory.giveBack(bytes.count) }

    fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        bytes.count == other.count && bytes.withUnsafeBytes { $0.elementsEqual(other) }
    }
}

/// Finds the frame that another stream of the holder keeps already. A great event for thousands of streams of one holder
/// whose clients do not read is in memory once. Each holder has its own: else what one keeps could fill the share of
/// another.
struct UnsentFrames {
    private struct Recent {
        weak var frame: UnsentFrame?
    }

    private var recent: [Recent] = []
    private var next = 0

    /// In bytes. Smaller frames are not shared: to find them would cost more than they do.
    private static let least = 4096
    /// Streams that show the same are written one after the other, so the frame is among the last few.
    private static let remembered = 8

    /// The frame of these bytes, counted once for all streams of the counter's holder. Nil when there is no room for another.
    mutating func frame(of bytes: UnsafeRawBufferPointer, _ memory: ByteCounter) -> UnsentFrame? {
        guard bytes.count >= Self.least else { return UnsentFrame(bytes, memory) }
        for known in recent {
            if let frame = known.frame, frame.memory === memory, frame.isEqual(to: bytes) { return frame }
        }
        guard let made = UnsentFrame(bytes, memory) else { return nil }
        if recent.count < Self.remembered { recent.append(Recent()) }
        recent[next].frame = made
        next = (next + 1) % Self.remembered
        return made
    }
}
