import Chat
import ChatModel

/// `{"id","name"}`
struct AgentBody: RequestBody {
    /// Who acts when nobody is named.
    static let fallback = Agent(id: "agent", name: "Agent")

    let agent: Agent

    init(reading object: inout ObjectReader) {
        agent = Agent(id: object.requiredID("id"), name: object.requiredString("name", length: 1...256))
    }

    static func optional(_ object: inout ObjectReader) -> Agent {
        object.object(object.optional("agent"), "agent", as: AgentBody.self)?.agent ?? fallback
    }
}

/// `{"isTyping","agent"?}`
struct DeskTyping: RequestBody {
    let isTyping: Bool
    let agent: Agent

    init(reading object: inout ObjectReader) {
        isTyping = object.requiredBool("isTyping")
        agent = AgentBody.optional(&object)
    }
}

/// `{"agent":{"id","name"}}`
struct Assignment: RequestBody {
    let agent: Agent

    init(reading object: inout ObjectReader) {
        agent = object.object(object.required("agent"), "agent", as: AgentBody.self)?.agent ?? AgentBody.fallback
    }
}

/// `{"id"?,"type"?,"text"?,"attachments"?,"customType"?,"parentId"?,"alsoInThread"?,"agent"?}`
struct DeskMessage: RequestBody {
    let draft: MessageDraft
    let agent: Agent

    init(reading object: inout ObjectReader) { self.init(reading: &object, parent: nil) }

    /// - Parameter parent: the message that is replied to, where the path names it: a reply is of no type but text.
    init(reading object: inout ObjectReader, parent: String?) {
        let reply = ReplyMembers(reading: &object, parent: parent)
        let type: MessageType? = parent == nil ? object.optionalChoice("type", of: [.text, .admin]) : nil
        let attachments = AttachmentList.optional(&object)
        let text = attachments.isEmpty ? MessageText.required(&object) : MessageText.optional(&object)
        draft = MessageDraft(
            id: object.optionalID("id"), text: text, customType: object.optionalString("customType", length: 1...128),
            parentID: reply.parentID, alsoInThread: reply.alsoInThread, attachments: attachments, isAdmin: type == .admin)
        agent = AgentBody.optional(&object)
    }
}

/// `{"id","name"?,"mode","fileRestrictions"?}`
struct NewChannel: RequestBody {
    let draft: ChannelDraft

    init(reading object: inout ObjectReader) {
        let id = object.requiredString("id", length: 1...64)
        if !id.isEmpty, !Self.isChannelID(id) {
            object.reject("id", "letters, digits and . _ ~ - were expected, a letter or digit first")
        }
        let name = object.optionalString("name", length: 1...256)
        let mode: ChatMode? = object.requiredChoice("mode", of: ChatMode.allCases)
        let files = object.object(object.optional("fileRestrictions"), "fileRestrictions", as: FileRestrictionsBody.self)
        draft = ChannelDraft(id: id, name: name, mode: mode ?? .multithread, fileRestrictions: files?.restrictions ?? .embedded)
    }

    /// Channel ids stand in paths and in names of files of configuration.
    static func isChannelID(_ id: String) -> Bool {
        let bytes = Array(id.utf8)
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: false
            }
        }
        guard bytes.count <= 64, let first = bytes.first else { return false }
        return isAlphanumeric(first) && bytes.allSatisfy { isAlphanumeric($0) || "._~-".utf8.contains($0) }
    }
}
