/// Where a stream stands in the log: how far it has been written, and whether more is known to come.
struct LogPosition {
    enum Phase: Equatable {
        /// Nothing has been written.
        case opening
        /// The database is asked whether the log has got to the position at all.
        case verifying
        /// What was missed is being written, up to the log's end at the opening.
        case replaying(to: Int64)
        /// `ready` was written.
        case live
    }

    var phase = Phase.opening
    /// Everything up to here that matches was written, or skipped as not wanted.
    private(set) var cursor: Int64 = 0
    /// The last event for this stream of which the hub has told; more than `cursor` means that there is something to write.
    private var news: Int64 = 0

    var isLive: Bool { phase == .live }

    /// Live, and everything of which the hub has told was written.
    var isUpToDate: Bool { isLive && news <= cursor }

    /// How far the reader has everything, when the hub has told of everything up to `delivered`.
    func reached(_ delivered: Int64) -> Int64 { isUpToDate ? max(cursor, delivered) : cursor }

    /// The hub tells of an event for this stream.
    /// - Returns: whether there is something to write.
    mutating func notice(_ offset: Int64, isWanted: Bool) -> Bool {
        if offset <= cursor { return false }
        if isUpToDate {
            // Nothing between was for this stream, so nothing between need be read.
            cursor = isWanted ? offset - 1 : offset
            if !isWanted { return false }
        }
        news = max(news, offset)
        return true
    }

    mutating func move(to offset: Int64) { cursor = max(cursor, offset) }

    /// Begins anew at an offset, also an earlier one.
    mutating func restart(at offset: Int64) {
        cursor = offset
        news = min(news, offset)
    }

    /// The log was read up to `through`.
    /// - Parameter isEnd: nothing was left.
    /// - Returns: whether a replay has come to its end.
    mutating func read(through: Int64, isEnd: Bool) -> Bool {
        move(to: through)
        if case .replaying(let end) = phase { return isEnd || cursor >= end }
        if isEnd { news = cursor }
        return false
    }
}
