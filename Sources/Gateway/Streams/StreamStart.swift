import ChatModel

/// The position at which a feed begins.
enum StreamStart: Sendable, Equatable {
    /// No position was given: only new events.
    case now
    /// A valid position: all events after it.
    case after(Int64)
    /// A position above the head that the ring knows. The database shows a commit a moment before the ring does, so a
    /// page that was read in that moment has such a cursor. The database decides whether the position exists.
    case beyond(Int64)
    /// A position that cannot be used; the stream begins with `reset`.
    case reset(ResetReason)

    /// - Parameter text: a cursor `<epoch>-<offset>`; nil for none.
    init(_ text: String?, log: some EventLog) {
        guard let text else {
            self = .now
            return
        }
        guard let cursor = Cursor(text) else {
            self = .reset(.malformed)
            return
        }
        if cursor.epoch != log.epoch {
            self = .reset(.foreignEpoch)
        } else if cursor.offset > log.head {
            self = .beyond(cursor.offset)
        } else if cursor.offset < log.floor {
            self = .reset(.expired)
        } else {
            self = .after(cursor.offset)
        }
    }
}
