import Formats
import MicroHTTP

/// A stream of the newest items, as an event each: those after a place, then `ready`, then new ones as they come. The
/// ids are `<incarnation>-<number>`.
///
/// If items were dropped before they were written, or the numbers begin anew, the stream has `reset`, and goes on with
/// the next item.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only.
package final class RecentFeed<Item: Sendable>: EventSource, @unchecked Sendable {
    private let items: RecentItems<Item>
    private let start: RecentStart
    private let framing: EventFraming
    private let name: String
    private let snapshot: String
    private let retry: Int
    private let isWanted: @Sendable (Item) -> Bool
    private let write: @Sendable (Int, Item, inout JSONWriter) -> Void
    /// The number of the last item that was written or passed over.
    private var number = 0
    private var incarnation = ""
    private var isBegun = false
    private var isReady = false
    private var reader: Int?

    /// The most items that are copied at a time.
    private static var step: Int { 64 }

    /// - Parameters:
    ///   - name: the type of an item's event.
    ///   - snapshot: the path of the list, for whoever gets `reset`.
    ///   - retry: after how many milliseconds a client should come back.
    ///   - isWanted: leaves out the other items.
    ///   - write: writes an item as one JSON object.
    package init(
        _ items: RecentItems<Item>, from start: RecentStart, as framing: EventFraming, named name: String,
        snapshot: String, retry: Int, where isWanted: @escaping @Sendable (Item) -> Bool,
        write: @escaping @Sendable (Int, Item, inout JSONWriter) -> Void
    ) {
        self.items = items
        self.start = start
        self.framing = framing
        self.name = name
        self.snapshot = snapshot
        self.retry = retry
        self.isWanted = isWanted
        self.write = write
    }

    /// Follows before it reads, so that no item between the two is missed.
    package func opened(_ stream: EventStream) { reader = items.follow { stream.wakeSoon() } }

    package func fill(_ out: inout EventBuffer) -> EventProgress {
        if !isBegun { begin(&out) }
        while true {
            let page = items.items(after: number, most: Self.step)
            if page.incarnation != incarnation {
                reset(.foreignEpoch, page, &out)
            } else if page.missed > 0 {
                reset(.expired, page, &out)
            } else if page.items.isEmpty {
                if !isReady { say("ready", &out) { $0.member("cursor", cursor) } }
                isReady = true
                return .idle
            }
            for (number, item) in page.items where number > self.number {
                guard append(item, number, &out) else { return .more }
                self.number = number
            }
        }
    }

    package func heartbeat(_ out: inout EventBuffer) {
        if isBegun { say("ping", &out) { $0.member("cursor", cursor) } }
    }

    package func draining(_ out: inout EventBuffer) { out.appendRetry(retry, as: framing) }

    package func closed(_ reason: StreamEnd) {
        if let reader { items.unfollow(reader) }
        reader = nil
    }

    private var cursor: String { "\(incarnation)-\(number)" }

    private func begin(_ out: inout EventBuffer) {
        isBegun = true
        out.appendRetry(retry, as: framing)
        let page = items.items(after: 0, most: 0)
        incarnation = page.incarnation
        switch start.place(in: page) {
        case .success(let place): number = place
        case .failure(let error): reset(error.fault, page, &out)
        }
    }

    /// The client loads the list, and the stream goes on behind its end.
    private func reset(_ fault: RecentStart.Fault, _ page: RecentItems<Item>.Page, _ out: inout EventBuffer) {
        (incarnation, number, isReady) = (page.incarnation, page.last, false)
        say("reset", &out) { json in
            json.member("reason", fault.rawValue)
            json.member("snapshot", snapshot)
        }
    }

    /// False if there is no room for it now.
    private func append(_ item: Item, _ number: Int, _ out: inout EventBuffer) -> Bool {
        guard isWanted(item) else { return true }
        var json = JSONWriter()
        write(number, item, &json)
        return out.appendEvent(
            id: Array("\(incarnation)-\(number)".utf8), type: name, data: json.bytes, as: framing)
    }

    private func say(_ type: String, _ out: inout EventBuffer, _ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.beginObject()
        write(&json)
        json.endObject()
        out.append(aside: type, id: Array(cursor.utf8), data: json.bytes, as: framing)
    }
}

extension Call {
    /// The query parameters of ``recent(_:on:where:more:write:)``.
    package static var recentQuery: [String] { ["after", "wait"] }

    /// Answers with the newest items: `{"items":[...],"last":<number>}`, oldest first. With `?after=` only those with
    /// greater numbers, and with `?wait=` (seconds, at most 50) after there is one.
    ///
    /// - Parameters:
    ///   - clock: what waits, waits by it.
    ///   - isWanted: leaves out the other items.
    ///   - more: writes further members after these.
    ///   - write: writes an item as one JSON value.
    package func recent<Item>(
        _ items: RecentItems<Item>, on clock: any Clock<Duration>,
        where isWanted: @escaping @Sendable (Item) -> Bool = { _ in true },
        more: @escaping @Sendable (RecentItems<Item>.Page, inout JSONWriter) -> Void = { _, _ in },
        write: @escaping @Sendable (Int, Item, inout JSONWriter) -> Void
    ) throws(Problem) -> StreamAnswer {
        let after = try query.number("after", in: 0...Int.max) ?? 0
        let wait = request.method == "HEAD" ? 0 : try query.number("wait", in: 0...50) ?? 0
        let answer = { @Sendable () -> HTTPResponse in
            let page = items.items(after: after)
            return json(headers: [("Cache-Control", "no-store")]) { json in
                json.beginObject()
                json.name("items")
                json.beginArray()
                for (number, item) in page.items where isWanted(item) { write(number, item, &json) }
                json.endArray()
                json.member("last", page.last)
                more(page, &json)
                json.endObject()
            }
        }
        guard wait > 0, items.last == after else { return .now(answer()) }
        return .later {
            try await items.wait(after: after, as: identity.holder, within: .seconds(wait), on: clock)
            return answer()
        }
    }
}

/// Where among the newest items a stream begins, as its client says it.
package enum RecentStart: Sendable, Equatable {
    /// With the next item.
    case now
    /// After a place, which may be unusable.
    case after(String)
    /// With the oldest item that is kept.
    case earliest
    /// With so many items before the end, wanted or not.
    case last(Int)

    /// The names of the query parameters, of which a request has at most one.
    package static let query = ["after", "earliest", "last"]

    /// Reads the request by the rules of all feeds: `Last-Event-ID` counts before all else. Throws `invalidParameter`.
    package init<Context>(_ call: Call<Context>) throws(Problem) {
        let isEarliest = try call.query.flag("earliest")
        let named = Self.query.filter { $0 == "earliest" ? isEarliest : call.query[$0] != nil }
        if named.count > 1 { throw Problem.parameter(named[1], "the query names another beginning: \(named[0])") }
        let last = try call.query.number("last", in: 1...500)
        if let id = call.lastEventID {
            self = .after(id)
        } else if let cursor = call.query["after"] {
            self = .after(cursor)
        } else if isEarliest {
            self = .earliest
        } else {
            self = last.map(RecentStart.last) ?? .now
        }
    }

    /// Why a place cannot be used; the words are those of all feeds.
    package enum Fault: String, Sendable {
        /// Some items after the place were dropped already, to make room for newer ones.
        case expired
        /// It is of another sequence of numbers.
        case foreignEpoch
        /// It is beyond the newest item.
        case ahead
        /// It is no place.
        case malformed
    }

    /// The number after which the stream begins, or why there is none. A place is `<incarnation>-<number>`, or a number
    /// alone.
    func place<Item>(in page: RecentItems<Item>.Page) -> Result<Int, PlaceError> {
        let (last, oldest) = (page.last, page.dropped.count)
        switch self {
        case .now: return .success(last)
        case .earliest: return .success(oldest)
        case .last(let count): return .success(max(oldest, last - count))
        case .after(let text):
            let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard let number = parts.last.flatMap({ Int(digits: $0) }) else { return .failure(PlaceError(.malformed)) }
            if parts.count == 2, parts[0] != page.incarnation { return .failure(PlaceError(.foreignEpoch)) }
            if number > last { return .failure(PlaceError(.ahead)) }
            return number < oldest ? .failure(PlaceError(.expired)) : .success(number)
        }
    }

    /// Wraps a ``Fault`` as an error.
    struct PlaceError: Error {
        let fault: Fault

        init(_ fault: Fault) { self.fault = fault }
    }
}
