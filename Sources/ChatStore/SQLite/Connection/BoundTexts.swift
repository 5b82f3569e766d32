/// Memory for the texts that are bound to running statements, so that SQLite takes none for each of them.
///
/// A statement that runs inside of another one's run ends before it. So what was added last is released first.
final class BoundTexts {
    private static let capacity = 4096

    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    /// How many bytes are in use.
    private(set) var mark = 0

    deinit { bytes.deallocate() }

    /// Copies a text. Returns where it is until ``release(to:)``; nil when there is no room.
    func add(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        guard text.count <= Self.capacity - mark else { return nil }
        let place = bytes.baseAddress! + mark
        if let start = text.baseAddress { place.copyMemory(from: start, byteCount: text.count) }
        mark += text.count
        return UnsafePointer(place.assumingMemoryBound(to: CChar.self))
    }

    /// Releases all that was added since the mark.
    func release(to mark: Int) {
        assert(mark <= self.mark, "The statement inside has ended.")
        self.mark = mark
    }
}
