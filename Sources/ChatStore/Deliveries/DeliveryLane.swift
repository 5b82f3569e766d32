import ChatModel
import Formats

extension LogEvent {
    /// The lane of the event's deliveries: the same number for all events of one thread, also after the thread was
    /// removed; 0 for events without a thread.
    ///
    /// It is a hash of channel, customer and thread id. Two threads may share a lane: then one sometimes
    /// waits for the other, and the order within each still holds.
    var lane: Int64 {
        guard let thread = threadID else { return 0 }
        var hash = StableHash()
        hash.add(owner?.channel ?? "")
        hash.add(owner?.customer ?? "")
        hash.add(thread)
        return Int64(hash.value >> 1) | 1
    }

    /// The id of the thread that the event is about, read from the beginning of its data, `{"threadId":"..`, or of its
    /// thread, `"thread":{"id":"..`. Nil for other data.
    public var threadID: String? {
        let own = "{\"threadId\":\""
        let start =
            data.starts(with: own.utf8)
            ? own.utf8.count : data.firstRange(of: Array("\"thread\":{\"id\":\"".utf8))?.upperBound
        guard let start, let end = data[start...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let text = data[start..<end]
        if !text.contains(UInt8(ascii: "\\")) { return String(decoding: text, as: UTF8.self) }
        let json = try? JSONParser.parse(data)
        return json?["threadId"]?.string ?? json?["thread"]?["id"]?.string
    }
}
