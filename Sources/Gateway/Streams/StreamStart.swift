import ChatModel
import HTTPRouting
import MicroHTTP

/// Where a stream begins, as the client asked for it.
enum StreamStart: Sendable, Equatable {
    /// No position was given: now.
    case now
    /// A valid position: everything after it.
    case after(Int64)
    /// A position beyond the log's head as the ring has it: the database decides, for it shows a commit a moment earlier,
    /// and a page that was read in that moment carries such a cursor.
    case beyond(Int64)
    /// A position that cannot be used.
    case reset(ResetReason)

    /// The position is `Last-Event-ID`, as browsers send it, or else `?after=`.
    init(_ call: Call, log: some EventLog) {
        var text = call.query["after"]
        if let header = call.request.headers["Last-Event-ID"], !header.isEmpty { text = header }
        self.init(text, log: log)
    }

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
