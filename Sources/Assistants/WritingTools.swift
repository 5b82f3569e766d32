import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting

/// What customers see, and what changes their chats.
extension DeskSeat {
    var writing: [MCPTool] { [sending, typing, marking, taking, handing, reopening, closing] }

    static let onlyChat = #"""
        {"type":"object","additionalProperties":false,"required":["chat"],"properties":{"chat":{"type":"string"}}}
        """#

    private var typing: MCPTool {
        MCPTool(
            "set_typing", "Show typing", .write(isIdempotent: true, isSeen: true),
            "Shows the customer that you are typing, or that you are not.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["chat","typing"],"properties":{
                "chat":{"type":"string"},"typing":{"type":"boolean"}}}
                """#,
            output: ResultSchemas.object(#""typing":{"type":"boolean"}"#, required: ["typing"])
        ) { (arguments: TypingArguments) in
            try await desk.reportTyping(arguments.isTyping, as: agent, in: thread(arguments.chat))
            return ToolResult(isQuoting: false) { $0.member("typing", arguments.isTyping) }
        }
    }

    private var marking: MCPTool {
        MCPTool(
            "mark_read", "Mark as read", .write(isIdempotent: true, isSeen: true),
            "Marks all messages of a chat as read. The customer can see that.",
            input: Self.onlyChat, output: ResultSchemas.oneChat
        ) { (arguments: ChatArguments) in
            _ = try await desk.markRead(thread(arguments.chat), as: agent, receipt: nil)
            return try await result(arguments.chat)
        }
    }

    private var taking: MCPTool {
        MCPTool(
            "take_chat", "Take a chat", .write(isIdempotent: true, isSeen: true),
            "Assigns a chat that nobody has to you. One that waits leaves its queue. Of several who try it at the same time, one gets it. With ifAgent any you take it from whoever has it.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["chat"],"properties":{"chat":{"type":"string"},
                "ifAgent":{"enum":["none","me","meOrNone","any"],"default":"none",
                "description":"Whose the chat must be: nobody's, yours, one of both, or anybody's"}}}
                """#,
            output: ResultSchemas.oneChat
        ) { (arguments: TakeArguments) in
            _ = try await desk.assign(
                agent, to: thread(arguments.chat), as: agent, if: arguments.owner.condition, ifMatch: nil, receipt: nil)
            return try await result(arguments.chat)
        }
    }

    private var handing: MCPTool {
        MCPTool(
            "hand_over", "Hand a chat over", .write(isIdempotent: false, isSeen: true),
            "Gives a chat back to its queue, or to a person or a program at the desk: look_at_desk says who is there. The note is for agents alone. With ifAgent it fails, and nothing is noted, unless the chat is nobody's, yours, or one of both.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["chat","to"],"properties":{
                "chat":{"type":"string"},"to":{"type":"string","description":"queue, or the id of an agent"},
                "note":{"type":"string","minLength":1},\#(ConditionArgument.property)}}
                """#,
            output: ResultSchemas.oneChat
        ) { (arguments: HandOverArguments) in
            let thread = try thread(arguments.chat)
            var receiver: Agent?
            if arguments.to != "queue" {
                let agents = try await core.agents(at: desk).filter { $0.takes(arguments.chat.channel) }
                receiver = agents.first { $0.agent.id.hasSameBytes(as: arguments.to) }?.agent
                if receiver == nil {
                    let known = agents.prefix(20).map { one in
                        one.agent.name.map { "\(one.agent.id) (\(QuotedText.name($0)))" } ?? one.agent.id
                    }
                    throw ToolFailure(
                        "unknownAgent",
                        "The desk knows no such agent for this chat, but these: \(known.joined(separator: ", ")).")
                }
            }
            let condition = arguments.condition.value
            if let receiver {
                _ = try await desk.assign(receiver, to: thread, as: agent, if: condition, ifMatch: nil, receipt: nil)
            } else {
                _ = try await desk.release(thread, as: agent, if: condition, ifMatch: nil, receipt: nil)
            }
            if let note = arguments.note { _ = try await desk.addNote(note, by: agent, to: thread, receipt: nil) }
            return try await result(arguments.chat)
        }
    }

    private var reopening: MCPTool {
        MCPTool(
            "reopen_chat", "Open a chat again", .write(isIdempotent: false, isSeen: true),
            "Opens a closed chat again: its customer can write in it. A live chat that has ended stays closed.",
            input: Self.onlyChat, output: ResultSchemas.oneChat
        ) { (arguments: ChatArguments) in
            _ = try await desk.reopen(thread(arguments.chat), as: agent, ifMatch: nil, receipt: nil)
            return try await result(arguments.chat)
        }
    }

    private var closing: MCPTool {
        MCPTool(
            "close_chat", "Close a chat", .end,
            "Closes a chat: the customer cannot write in it any more, unless it is opened again. With ifAgent it is only closed while it is nobody's, yours, or one of both.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["chat","confirm"],"properties":{
                "chat":{"type":"string"},"confirm":{"const":true},\#(ConditionArgument.property)}}
                """#,
            output: ResultSchemas.oneChat
        ) { (arguments: CloseArguments) in
            _ = try await desk.close(
                thread(arguments.chat), as: agent, if: arguments.condition.value, ifMatch: nil, receipt: nil)
            return try await result(arguments.chat)
        }
    }
}

/// What `send_message` takes, on both sides.
struct SendArguments: RequestBody {
    static let schema = schema()

    /// - Parameter more: another property that a side takes.
    static func schema(also more: String? = nil) -> String {
        #"""
        {"type":"object","additionalProperties":false,"required":["chat","text"],"properties":{
        "chat":{"type":"string"},"text":{"type":"string","minLength":1},
        "replyTo":{"type":"string","description":"The handle of a message"},
        "messageId":{"type":"string","minLength":1,"maxLength":128}\#(more.map { ",\($0)" } ?? "")}}
        """#
    }

    let chat: ChatHandle
    let draft: MessageDraft

    init(reading object: inout ObjectReader) {
        chat = object.chat()
        draft = MessageDraft(
            id: object.optionalID("messageId"), text: MessageText.required(&object),
            parentID: object.optionalMessage("replyTo"))
    }

    /// - Parameter message: the message's JSON, as it was sent.
    static func result(_ message: [UInt8]) throws -> ToolResult {
        let view = MessageView(message: try Message(canonicalJSON: message))
        return ToolResult { json in
            json.name("message")
            view.encode(to: &json)
        }
    }
}

/// `ifAgent`: whose the chat must be, so that the tool does anything.
private struct ConditionArgument {
    static let property = #"""
        "ifAgent":{"enum":["none","me","meOrNone"],"description":"Only while the chat is nobody's, yours, or one of both"}
        """#

    let value: AgentCondition?

    init(reading object: inout ObjectReader) {
        value = object.optionalChoice("ifAgent", of: AgentCondition.allCases)
    }
}

private struct TakeArguments: RequestBody {
    /// Whose the chat must be.
    enum Owner: String, CaseIterable {
        case none, me, meOrNone, any

        /// Nil for anybody's.
        var condition: AgentCondition? { AgentCondition(rawValue: rawValue) }
    }

    let chat: ChatHandle
    let owner: Owner

    init(reading object: inout ObjectReader) {
        chat = object.chat()
        owner = object.optionalChoice("ifAgent", of: Owner.allCases) ?? Owner.none
    }
}

/// What tools take that end a chat.
struct EndArguments: RequestBody {
    let chat: ChatHandle

    init(reading object: inout ObjectReader) {
        chat = object.chat()
        object.confirmed()
    }
}

private struct CloseArguments: RequestBody {
    let chat: ChatHandle
    let condition: ConditionArgument

    init(reading object: inout ObjectReader) {
        chat = EndArguments(reading: &object).chat
        condition = ConditionArgument(reading: &object)
    }
}

/// What tools take that want a chat and nothing else.
struct ChatArguments: RequestBody {
    let chat: ChatHandle

    init(reading object: inout ObjectReader) { chat = object.chat() }
}

private struct TypingArguments: RequestBody {
    let chat: ChatHandle
    let isTyping: Bool

    init(reading object: inout ObjectReader) {
        chat = object.chat()
        isTyping = object.requiredBool("typing")
    }
}

private struct HandOverArguments: RequestBody {
    let chat: ChatHandle
    let to: String
    let note: String?
    let condition: ConditionArgument

    init(reading object: inout ObjectReader) {
        chat = object.chat()
        to = object.requiredID("to")
        condition = ConditionArgument(reading: &object)
        note = object.optionalString("note", length: 1...MessageDraft.maximumTextLength)
    }
}

/// The assistant's answer to a customer. It never speaks over another agent unknowingly.
extension DeskSeat {
    var sending: MCPTool {
        MCPTool(
            "send_message", "Send a message", .write(isIdempotent: false, isSeen: true),
            "Writes to the customer of a chat, under your name as a bot. latest is the newest message or note that you have read; if another agent has said something since, nothing is sent, and you are told what. With a messageId of your own, sending it again changes nothing. With ifAgent it is only sent while the chat is nobody's, yours, or one of both.",
            input: SendArguments.schema(also: "\(LatestArgument.properties),\(ConditionArgument.property)"),
            output: ResultSchemas.oneMessage
        ) { (arguments: DeskSendArguments) in
            let thread = try thread(arguments.message.chat)
            let terms = AnswerTerms(condition: arguments.condition.value, latest: arguments.latest.value)
            let outcome: Outcome
            do throws(ChatError) {
                outcome = try await desk.send(
                    arguments.message.draft, as: agent, to: thread, under: terms, receipt: nil)
            } catch {
                guard error.code == .answeredMeanwhile else { throw error }
                throw await answeredMeanwhile(error.faults.map(\.detail), in: thread)
            }
            return try SendArguments.result(outcome.body)
        }
    }

    /// The failure that says what other agents have said meanwhile.
    ///
    /// - Parameter ids: of messages and notes, the newest first.
    private func answeredMeanwhile(_ ids: [String], in thread: DeskThread) async -> ToolFailure {
        var said: [ToolFailure.Said] = []
        for id in ids.prefix(ToolFailure.mostSaid) {
            if let message = try? Message(canonicalJSON: await desk.message(id, in: thread).body) {
                said.append(.message(message))
            } else if let note = try? Note(canonicalJSON: await desk.note(id, of: thread).body) {
                said.append(.note(note))
            }
        }
        return ToolFailure(
            answeredMeanwhile: said.reversed(), newest: ids.first ?? "", mark: QuotedText.mark(core.environment))
    }
}

/// `latest`, or `sendAnyway`: what the assistant has read before it answers.
private struct LatestArgument {
    static let properties = #"""
        "latest":{"type":"string","description":"The newest message or note that you have read: latest of read_chat or list_chats, or the handle of a later message"},
        "sendAnyway":{"const":true,"description":"In place of latest: send, whatever others have said"}
        """#

    /// The id of the message or note; nil to send in any case.
    let value: String?

    init(reading object: inout ObjectReader) {
        let sendsAnyway = object.optionalBool("sendAnyway") ?? false
        let latest = object.optionalMessage("latest")
        value = sendsAnyway ? nil : latest
        if !sendsAnyway, latest == nil {
            object.reject("latest", "the newest message or note that you have read was expected, or sendAnyway: true")
        }
    }
}

/// What `send_message` takes at the desk.
private struct DeskSendArguments: RequestBody {
    let message: SendArguments
    let latest: LatestArgument
    let condition: ConditionArgument

    init(reading object: inout ObjectReader) {
        message = SendArguments(reading: &object)
        latest = LatestArgument(reading: &object)
        condition = ConditionArgument(reading: &object)
    }
}
