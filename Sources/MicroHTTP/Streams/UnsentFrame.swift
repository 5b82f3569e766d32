import Bounds

/// Bytes that the kernel has not taken from a stream, or from several streams of one holder that show the same.
///
/// For the loop's thread only.
final class UnsentFrame {
    let bytes: [UInt8]
    /// The counter of the holder.
    fileprivate let memory: ByteCounter

    /// Nil when there is no room for them.
    init?(_ bytes: UnsafeRawBufferPointer, _ memory: ByteCounter) {
        guard memory.take(bytes.count) else { return nil }
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
