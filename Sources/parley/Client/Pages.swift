import Formats

/// A list of the API, with as many of its pages as are wanted.
struct Pages {
    /// The items of all pages, in the order of the list.
    var items: [JSONElement] = []
    /// The list as JSON: the gateway's bytes if there was one page, otherwise one list with the items of all.
    var bytes: [UInt8] = []
    /// From where to follow what happens after the list.
    var cursor: String?

    /// Reads pages until there are no more, or until there are enough items. Throws ``CommandFailure``.
    ///
    /// - Parameters:
    ///   - path: without `limit` and `cursor`.
    ///   - count: the most items; nil for all.
    ///   - isPaged: false reads one page, as the path says.
    init(
        _ client: GatewayClient, _ path: String, count: Int? = nil, isPaged: Bool = true
    ) throws(CommandFailure) {
        var cursor: String?
        var first: JSONText?
        var isWhole = true
        repeat {
            let left = count.map { $0 - items.count } ?? 200
            let query = "limit=\(min(200, left))" + (cursor.map { "&cursor=\($0.percentEncoded)" } ?? "")
            let page = try client.get(isPaged ? path + (path.contains("?") ? "&" : "?") + query : path)
            guard let more = page.root["items"]?.elements else {
                throw CommandFailure(.refused, code: "noList", "\(path) is no list: it has no items.")
            }
            items += more
            isWhole = first == nil
            first = first ?? page
            cursor = page.root["next"]?.string
        } while isPaged && cursor != nil && items.count < count ?? .max
        guard let first else { return }
        self.cursor = first.root["cursor"]?.string
        if isWhole {
            bytes = Array(first.root.bytes)
            return
        }
        // What a client follows from is the place of the first page: nothing that happened since is missed.
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("items")
        writer.beginArray()
        for item in items { writer.raw(item.bytes) }
        writer.endArray()
        for member in ["next": cursor, "cursor": self.cursor].sorted(by: { $0.key > $1.key }) {
            if let text = member.value {
                writer.name(member.key)
                writer.value(text)
            }
        }
        writer.endObject()
        bytes = writer.bytes
    }
}
