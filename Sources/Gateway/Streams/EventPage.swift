import ChatModel
import Formats

/// One page of the log, as a client gets it.
struct EventPage: Sendable {
    /// The events as JSON objects, with commas between them.
    var items: [UInt8] = []
    var count = 0
    /// Where the client goes on: everything up to here that it wants was on this page or an earlier one.
    var position: Int64
    /// Whether the page ends before the log does.
    var hasMore = false
    /// Whether the next event is of a time that the client does not want any more: there is nothing to wait for.
    var isOver = false
    /// Set when the client's position could not be used: the client has to load the state anew.
    var reset: ResetEvent?

    init(at position: Int64, reset: ResetEvent? = nil) {
        self.position = position
        self.reset = reset
    }

    /// Whether the client learns nothing from it, so that a client that is ready to wait need not have it yet.
    var isEmpty: Bool { count == 0 && !hasMore && !isOver && reset == nil }

    /// `{"items":[..],"cursor":"..","hasMore":false,"reset":{..}}`
    func json(cursor: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.count + 256)
        bytes.append(contentsOf: "{\"items\":[".utf8)
        bytes.append(contentsOf: items)
        bytes.append(contentsOf: "],\"cursor\":\"\(cursor)\",\"hasMore\":\(hasMore)".utf8)
        if let reset {
            bytes.append(contentsOf: ",\"reset\":".utf8)
            bytes.append(contentsOf: reset.data)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
