import ChatModel
import ChatStore
import Formats

/// Own messages that are no rows of their thread yet, as the first page of a list shows them beside its items.
struct UnsentMessages {
    /// Oldest first.
    private let messages: [Message]

    /// - Parameter replies: which of them that are replies the list shows.
    init(_ messages: [Message], _ replies: ReplyFilter) {
        self.messages = switch replies {
        case .none: messages.filter { $0.parentID == nil }
        case .alsoInThread: messages.filter(\.isInConversation)
        case .all: messages
        }
    }

    /// `,"pending":[...],"failed":[...]`: newest first, as the items; a list without messages is left out.
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
