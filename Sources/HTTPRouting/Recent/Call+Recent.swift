import Formats
import MicroHTTP

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
