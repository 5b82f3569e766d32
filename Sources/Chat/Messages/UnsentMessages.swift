import ChatModel
import ChatStore
import Formats

/// A customer's own messages that the platform has not confirmed. They have no place in the thread yet, so the first
/// page of a list shows them beside its items.
struct UnsentMessages {
    /// Oldest first.
    private let messages: [Message]

    /// - Parameters:
    ///   - messages: oldest first.
    ///   - replies: which replies the list shows; the others are left out.
    init(_ messages: [Message], _ replies: ReplyFilter) {
        self.messages =
            switch replies {
            case .none: messages.filter { $0.parentID == nil }
            case .alsoInThread: messages.filter(\.isInConversation)
            case .all: messages
            }
    }

    /// The JSON members to append to a page: `,"pending":[...],"failed":[...]`, each newest first as the items are. A
    /// list without messages is left out.
    var members: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (name, isFailed) in [("pending", false), ("failed", true)] as [(StaticString, Bool)] {
            let listed = messages.filter { ($0.status == .failed) == isFailed }
            if !listed.isEmpty { json.member(name, listed.reversed() as [Message]) }
        }
        json.endObject()
        let members = json.bytes.dropFirst().dropLast()
        return members.isEmpty ? [] : [UInt8(ascii: ",")] + members
    }
}
