/// The place of a stream in the log: how far it has been written, and whether more is to come. For the loop's thread
/// only.
struct LogPosition {
    /// The stages of a stream; it goes through them in this order, and may leave out the middle ones.
    enum Phase: Equatable {
        /// Nothing has been written yet.
        case opening
        /// The client's position is beyond the ring's head; the database is asked whether it exists.
        case verifying
        /// The events that the client has missed are being written, up to the log's end at the opening.
        case replaying(to: Int64)
        /// `ready` has been written; events follow as they happen.
        case live
    }

    var phase = Phase.opening
    /// Every event up to this offset was written or is not wanted.
    private(set) var cursor: Int64 = 0
    /// Where the client would resume: the last id that it was sent. It is below ``cursor`` when events followed that
    /// the client does not want.
    private var told: Int64 = 0
    /// The last event for this stream that the hub has announced. If it is above ``cursor``, there is something to
    /// write.
    private var news: Int64 = 0

    var isLive: Bool { phase == .live }

    /// Whether the stream is live and has written everything that was announced.
    var isUpToDate: Bool { isLive && news <= cursor }

    /// The position up to which the client has everything, if the hub has announced all events up to `delivered`. It
    /// can be above ``cursor``, because other streams' events need not be read.
    func reached(_ delivered: Int64) -> Int64 { isUpToDate ? max(cursor, delivered) : cursor }

    /// Takes the announcement of an event for this stream.
    /// - Returns: whether there is something to write.
    mutating func notice(_ offset: Int64, isWanted: Bool) -> Bool {
        if offset <= cursor { return false }
        if isUpToDate {
            // Events between the cursor and this one are for others, so they need not be read.
            cursor = isWanted ? offset - 1 : offset
            if !isWanted { return false }
        }
        news = max(news, offset)
        return true
    }

    /// There may be something to write up to this head, which nobody has announced.
    mutating func lookAgain(to head: Int64) { news = max(news, head) }

    /// Moves the cursor forward; an earlier offset changes nothing.
    mutating func move(to offset: Int64) { cursor = max(cursor, offset) }

    /// The client was sent the cursor as an id.
    mutating func tell() { told = cursor }

    /// Goes back to where the client would resume, because the log does not know the cursor. Nothing that the client
    /// wants was written since.
    /// - Returns: false when it is there already.
    mutating func fallBack(head: Int64) -> Bool {
        guard told < cursor else { return false }
        cursor = told
        news = max(news, head)
        return true
    }

    /// Sets the cursor, also backward, to where the client is told to be.
    mutating func restart(at offset: Int64) {
        (cursor, told) = (offset, offset)
        news = min(news, offset)
    }

    /// Notes that the log was read up to `through`.
    /// - Parameter isEnd: whether nothing was left to read.
    /// - Returns: whether a replay has ended with it.
    mutating func read(through: Int64, isEnd: Bool) -> Bool {
        move(to: through)
        if case .replaying(let end) = phase { return isEnd || cursor >= end }
        if isEnd { news = cursor }
        return false
    }
}
