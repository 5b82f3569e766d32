/// A stretch of a thread's time in which the store has every message of a remote service: no hole is inside.
///
/// Edges are times. Between them everything is known; at an edge itself a message with
/// the same time may be missing, since a page may have ended between the two.
public struct Chunk: Sendable, Equatable {
    /// Milliseconds since 1970; `Int64.min` when nothing older exists.
    public var low: Int64
    public var high: Int64
    /// It reaches to the newest message, and live events extend it: true only while a connection lasts.
    public var isOpen: Bool

    public init(low: Int64, high: Int64, isOpen: Bool = false) {
        self.low = low
        self.high = high
        self.isOpen = isOpen
    }

    public var isOldest: Bool { low == .min }

    /// Whether a message of this time would have been known.
    public func contains(_ time: Int64) -> Bool { low < time && (time < high || isOpen) }
}

/// Which stretch one answer of a service covers.
public struct HistoryCoverage: Sendable, Equatable {
    public var low: Int64
    public var high: Int64
    /// The answer holds every message of the time at this edge: it was asked inclusive of it.
    public var isLowComplete: Bool
    public var isHighComplete: Bool
    /// Nothing newer existed when the answer was made.
    public var isNewest: Bool

    /// - Parameters:
    ///   - low: nil when nothing older exists.
    ///   - high: nil when the answer is empty.
    public init(low: Int64?, high: Int64?, isLowComplete: Bool = false, isHighComplete: Bool = false, isNewest: Bool = false) {
        self.low = low ?? .min
        self.high = high ?? .min
        self.isLowComplete = isLowComplete || low == nil
        self.isHighComplete = isHighComplete
        self.isNewest = isNewest
    }

    /// Whether nothing can be missing between this and the chunk.
    ///
    /// Overlapping is enough. Meeting at one time is enough only if all of that time is known.
    public func touches(_ chunk: Chunk) -> Bool {
        let (high, chunkHigh) = (isNewest ? .max : high, chunk.isOpen ? .max : chunk.high)
        return (chunk.low < high || chunk.low == high && isHighComplete)
            && (low < chunkHigh || low == chunkHigh && isLowComplete)
    }
}

extension [Chunk] {
    /// These chunks, ascending, and what an answer covers besides. What touches becomes one.
    func adding(_ coverage: HistoryCoverage) -> [Chunk] {
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

    /// The chunk that a place is in, or whose newest message it follows; nil inside a hole.
    ///
    /// A place beyond the newest chunk belongs to it: so a view of the newest messages opens at once.
    public func chunk(around place: ReadPosition) -> Chunk? {
        if let inside = first(where: { $0.low < place.createdAt && (place.createdAt <= $0.high || $0.isOpen) }) { return inside }
        guard let last, place.createdAt > last.high else { return nil }
        return last
    }
}
