import ChatModel
import Formats

/// Somebody types, or has stopped: live only.
struct TypingEvent {
    var threadID: String
    var isTyping: Bool
    var author: Author

    /// - Parameter deskMembers: what the desk's copy says besides, as JSON members.
    func json(deskMembers: [UInt8] = []) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("threadId", threadID)
        json.member("isTyping", isTyping)
        json.member("author", author)
        json.endObject()
        guard !deskMembers.isEmpty else { return json.bytes }
        return json.bytes.dropLast() + [UInt8(ascii: ",")] + deskMembers + [UInt8(ascii: "}")]
    }
}
