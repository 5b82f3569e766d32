/// A range of a thread's time in which the store has every message of the remote service, without a gap.
///
/// The edges are times. Strictly between them everything is known. At an edge, another message with the same time may
/// be missing, because a page may have ended between the two.
public struct Chunk: Sendable, Equatable {
    /// Milliseconds since 1970; `Int64.min` when nothing older exists.
    public var low: Int64
    public var high: Int64
    /// Whether the range reaches to the newest message and live events extend it. True only while a connection lasts.
    public var isOpen: Bool

    public init(low: Int64, high: Int64, isOpen: Bool = false) {
        self.low = low
        self.high = high
        self.isOpen = isOpen
    }

    /// Whether the range reaches back to the thread's first message.
    public var isOldest: Bool { low == .min }

    /// Whether a message with this time would be in the store.
    public func contains(_ time: Int64) -> Bool { low < time && (time < high || isOpen) }
}

/// The range of a thread's time that one answer of a service covers.
public struct HistoryCoverage: Sendable, Equatable {
    public var low: Int64
    public var high: Int64
    /// Whether the answer has every message with exactly the time of this edge, because the request included that
    /// time.
    public var isLowComplete: Bool
    public var isHighComplete: Bool
    /// Whether there was no newer message when the service answered.
    public var isNewest: Bool

    /// - Parameters:
    ///   - low: nil when nothing older exists.
    ///   - high: nil when the answer is empty.
    public init(
        low: Int64?, high: Int64?, isLowComplete: Bool = false, isHighComplete: Bool = false, isNewest: Bool = false
    ) {
        self.low = low ?? .min
        self.high = high ?? .min
        self.isLowComplete = isLowComplete || low == nil
        self.isHighComplete = isHighComplete
        self.isNewest = isNewest
    }

    /// Whether no message can be missing between the answer and the chunk. They must overlap; a common edge is enough
    /// only when the answer has all messages of that time.
    public func touches(_ chunk: Chunk) -> Bool {
        let (high, chunkHigh) = (isNewest ? .max : high, chunk.isOpen ? .max : chunk.high)
        return (chunk.low < high || chunk.low == high && isHighComplete)
            && (low < chunkHigh || low == chunkHigh && isLowComplete)
    }
}

extension [Chunk] {
    /// These chunks, ascending, together with the range of an answer. Ranges that touch it become one.
    func adding(_ coverage: HistoryCoverage) -> [Chunk] {
        assert(zip(self, dropFirst()).allSatisfy { $0.high <= $1.low }, "Chunks ascend and do not overlap.")
        var merged = Chunk(low: coverage.low, high: coverage.high, isOpen: coverage.isNewest)
        var result: [Chunk] = []
        for chunk in self {
            if coverage.touches(chunk) {
                merged.low = Swift.min(merged.low, chunk.low)
                merged.high = Swift.max(merged.high, chunk.high)
                merged.isOpen = merged.isOpen || chunk.isOpen
            } else {
                result.append(chunk)
            }
        }
        result.append(merged)
        return result.sorted { $0.low < $1.low }
    }

    /// The chunk that contains a place; nil if the place is in a gap.
    ///
    /// A place after the newest chunk belongs to that chunk, so that a list of the newest messages can be shown at
    /// once.
    public func chunk(around place: MessagePosition) -> Chunk? {
        if let inside = first(where: { $0.low < place.createdAt && (place.createdAt <= $0.high || $0.isOpen) }) {
            return inside
        }
        guard let last, place.createdAt > last.high else { return nil }
        return last
    }
}
