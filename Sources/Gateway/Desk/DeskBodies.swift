import Chat
import ChatModel
import HTTPRouting

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

/// `{"id"?,"type"?,"text"?,"content"?,"attachments"?,"customType"?,"parentId"?,"alsoInThread"?,"agent"?}`
struct DeskMessage: RequestBody {
    let draft: MessageDraft
    let agent: Agent

    init(reading object: inout ObjectReader) { self.init(reading: &object, parent: nil) }

    /// - Parameter parent: the message that is replied to, where the path names it: a reply is of no type but text.
    init(reading object: inout ObjectReader, parent: String?) {
        let reply = ReplyMembers(reading: &object, parent: parent)
        let type: MessageType? = parent == nil ? object.optionalChoice("type", of: [.text, .admin] + RichContent.types) : nil
        let isRich = type.map(RichContent.types.contains) ?? false
        let content = isRich ? RichContentBody.required(&object, type ?? .unknown) : nil
        let attachments = AttachmentList.optional(&object)
        let text = attachments.isEmpty && !isRich ? MessageText.required(&object) : MessageText.optional(&object)
        draft = MessageDraft(
            id: object.optionalID("id"), text: text, customType: object.optionalString("customType", length: 1...128),
            parentID: reply.parentID, alsoInThread: reply.alsoInThread, attachments: attachments, isAdmin: type == .admin, content: content)
        agent = AgentBody.optional(&object)
    }
}
