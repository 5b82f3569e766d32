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
