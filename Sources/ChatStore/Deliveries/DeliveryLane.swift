import ChatModel
import Formats

extension LogEvent {
    /// The lane of the event's deliveries: the same number for all events of one thread, also after the thread was
    /// removed; 0 for events without a thread.
    ///
    /// It is a hash (FNV-1a) of channel, customer and thread id. Two threads may share a lane: then one sometimes
    /// waits for the other, and the order within each still holds.
    var lane: Int64 {
        guard let thread = threadID else { return 0 }
        // FNV-1a
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            // A byte that UTF-8 never has ends each part.
            hash = (hash ^ 0xFF) &* 0x100_0000_01b3
        }
        add(owner?.channel ?? "")
        add(owner?.customer ?? "")
        add(thread)
        return Int64(hash >> 1) | 1
    }

    /// The id of the thread that the event is about, read from the beginning of its data: `{"threadId":"..` or
    /// `{"thread":{"id":"..`. Nil for other data.
    public var threadID: String? {
        for prefix in ["{\"threadId\":\"", "{\"thread\":{\"id\":\""] {
            let start = prefix.utf8.count
            guard data.starts(with: prefix.utf8), let end = data[start...].firstIndex(of: UInt8(ascii: "\"")) else {
                continue
            }
            let text = data[start..<end]
            if !text.contains(UInt8(ascii: "\\")) { return String(decoding: text, as: UTF8.self) }
            let json = try? JSONParser.parse(data)
            return json?["threadId"]?.string ?? json?["thread"]?["id"]?.string
        }
        return nil
    }
}
