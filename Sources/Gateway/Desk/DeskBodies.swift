import Chat
import ChatModel
import HTTPRouting

/// `{"id","name","isBot"?}`: the agent who acts at the desk.
struct AgentBody: RequestBody {
    /// The agent where neither body nor query name one.
    static let fallback = Agent(id: "agent", name: "Agent")

    /// The name has 1 to 256 characters.
    let agent: Agent

    init(reading object: inout ObjectReader) {
        agent = Agent(
            id: object.requiredID("id"), name: object.requiredString("name", length: 1...256),
            isBot: object.optionalBool("isBot") ?? false)
    }

    /// The member `agent`; nil when it is missing.
    static func optional(_ object: inout ObjectReader) -> Agent? {
        object.object(object.optional("agent"), "agent", as: AgentBody.self)?.agent
    }
}

/// `{"isTyping","agent"?}`: whether an agent is typing now.
struct DeskTyping: RequestBody {
    let isTyping: Bool
    let agent: Agent?

    init(reading object: inout ObjectReader) {
        isTyping = object.requiredBool("isTyping")
        agent = AgentBody.optional(&object)
    }
}

/// `{"agent":{"id","name","isBot"?},"ifAgent"?}`: the agent to whom a thread is assigned.
struct Assignment: RequestBody {
    let agent: Agent
    let condition: AgentCondition?

    init(reading object: inout ObjectReader) {
        condition = object.optionalChoice("ifAgent", of: AgentCondition.allCases)
        agent = object.object(object.required("agent"), "agent", as: AgentBody.self)?.agent ?? AgentBody.fallback
    }
}

/// A message of an agent:
/// `{"id"?,"type"?,"text"?,"content"?,"attachments"?,"customType"?,"parentId"?,"alsoInThread"?,"agent"?,"ifAgent"?,"ifLatest"?}`.
///
/// The text is required unless there are attachments or rich content.
struct DeskMessage: RequestBody {
    /// A message of type `admin` is one of the system, not of the agent.
    let draft: MessageDraft
    let agent: Agent?
    let terms: AnswerTerms

    init(reading object: inout ObjectReader) { self.init(reading: &object, parent: nil) }

    /// - Parameter parent: the message to reply to, if the path names it. Then `type` is an unknown member, because a
    ///   reply is always a text.
    init(reading object: inout ObjectReader, parent: String?) {
        let reply = ReplyMembers(reading: &object, parent: parent)
        let type: MessageType? =
            parent == nil ? object.optionalChoice("type", of: [.text, .admin] + RichContent.types) : nil
        let isRich = type.map(RichContent.types.contains) ?? false
        let content = isRich ? RichContentBody.required(&object, type ?? .unknown) : nil
        let attachments = AttachmentList.optional(&object)
        let text = attachments.isEmpty && !isRich ? MessageText.required(&object) : MessageText.optional(&object)
        draft = MessageDraft(
            id: object.optionalID("id"), text: text, customType: object.optionalKey("customType", length: 1...128),
            parentID: reply.parentID, alsoInThread: reply.alsoInThread, attachments: attachments,
            isAdmin: type == .admin, content: content)
        agent = AgentBody.optional(&object)
        terms = AnswerTerms(
            condition: object.optionalChoice("ifAgent", of: AgentCondition.allCases),
            latest: object.optionalID("ifLatest"))
    }
}
