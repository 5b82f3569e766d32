import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// Where in the log a client wants to begin, as it says it.
package enum FeedStart: Sendable, Equatable {
    /// It says nothing: only new events.
    case now
    /// After a cursor, which may be unusable (`?after=`, `Last-Event-ID`).
    case after(String)
    /// With the oldest event that the log has (`?earliest=true`).
    case earliest
    /// With the events of this time (`?since=`).
    case since(Timestamp)
    /// With so many events before the end, as the filter counts them (`?last=`).
    case last(Int)

    /// The names of the query parameters, of which a request has at most one.
    static let query = ["after", "earliest", "since", "last"]
    /// The most events that a client may name by `?last=`.
    private static let greatestCount = 500

    /// Reads the request. `Last-Event-ID` counts before all else, because a client sends it when it comes back; so
    /// does `?lastEventId=`. Throws `invalidParameter`.
    init(_ call: Call) throws(Problem) {
        let isEarliest = try call.query.flag("earliest")
        let named = Self.query.filter { $0 == "earliest" ? isEarliest : call.query[$0] != nil }
        if named.count > 1 { throw Problem.parameter(named[1], "the query names another beginning: \(named[0])") }
        let (since, last) = (try call.query.time("since"), try call.query.number("last", in: 1...Self.greatestCount))
        if let id = call.lastEventID {
            self = .after(id)
        } else if let cursor = call.query["after"] {
            self = .after(cursor)
        } else if isEarliest {
            self = .earliest
        } else if let since {
            self = .since(since)
        } else if let last {
            self = .last(last)
        } else {
            self = .now
        }
    }

    /// The position, if it can be told without asking the database.
    func known(in log: some EventLog) -> StreamStart? {
        switch self {
        case .now: .now
        case .after(let cursor): StreamStart(cursor, log: log)
        case .earliest: .after(log.floor)
        case .since, .last: nil
        }
    }

    /// The position; the database is asked if need be.
    func position(in log: some EventLog, for audiences: [Audience], filter: EventFilter) async throws -> StreamStart {
        if let known = known(in: log) { return known }
        switch self {
        case .since(let time): return .after(try await log.position(of: time))
        case .last(let count):
            return .after(try await log.position(ofLast: count, for: audiences, filter: filter))
        case .now, .after, .earliest: return .now
        }
    }
}

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
