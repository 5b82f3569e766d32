import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting

/// What an assistant can do that plays a customer.
extension CustomerSeat {
    var tools: [MCPTool] { [starting, sending, pressing, reading, waiting, ending] }

    private var starting: MCPTool {
        MCPTool(
            "start_chat", "Start a chat", .write(isIdempotent: false, isSeen: true),
            "Starts a chat on a channel, as a customer of this name. On a channel with one chat for each customer it is that chat.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["channel"],"properties":{
                "channel":{"type":"string","minLength":1,"maxLength":256},
                "name":{"type":"string","minLength":1,"maxLength":256},
                "answers":{"type":"object","description":"To the survey, by field",
                "additionalProperties":{"type":"string"}}}}
                """#,
            output: ResultSchemas.oneChat
        ) { (arguments: StartArguments) in
            let client = try await client(on: arguments.channel, name: arguments.name)
            if client.channel.mode == .singlethread,
                let known = try await client.threads(
                    ThreadQuery(state: .open, visibility: .all), page: PageRequest(limit: 1, cursor: nil)
                ).values().first
            {
                return try await result(known.requiredString("id"), of: client)
            }
            let made = try await client.createThread(ThreadDraft(customFields: arguments.answers), receipt: nil)
            return try await result(made.id, of: client)
        }
    }

    private var sending: MCPTool {
        MCPTool(
            "send_message", "Send a message", .write(isIdempotent: false, isSeen: true),
            "Writes to the desk. With a messageId of your own, sending it again changes nothing.",
            input: SendArguments.schema,
            output: ResultSchemas.oneMessage
        ) { (arguments: SendArguments) in
            let client = try await client(arguments.chat)
            var draft = arguments.draft
            draft.isCounted = identity.isCounted
            return try SendArguments.result(
                await client.send(draft, to: arguments.chat.thread, receipt: nil).body)
        }
    }

    private var pressing: MCPTool {
        MCPTool(
            "press", "Press a button", .write(isIdempotent: false, isSeen: true),
            "Chooses one of the buttons of a message.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["chat","message","button"],"properties":{
                "chat":{"type":"string"},"message":{"type":"string","description":"The message's handle"},
                "button":{"type":"string","minLength":1,"description":"The text on it"}}}
                """#,
            output: ResultSchemas.oneMessage
        ) { (arguments: PressArguments) in
            let client = try await client(arguments.chat)
            let thread = arguments.chat.thread
            let message = try Message(
                canonicalJSON: await client.message(arguments.message, in: thread).body)
            guard
                let button = message.content?.buttons.first(where: {
                    $0.text == arguments.button || QuotedText.name($0.text) == arguments.button
                })
            else { throw ToolFailure("unknownButton", "The message has no such button.") }
            var draft = MessageDraft(text: button.text, postback: button.postback)
            draft.isCounted = identity.isCounted
            return try SendArguments.result(await client.send(draft, to: thread, receipt: nil).body)
        }
    }

    private var reading: MCPTool {
        MCPTool(
            "read_chat", "Read a chat", .read,
            "Reads the newest messages of a chat, or those before an earlier page.",
            input: ReadArguments.schema,
            output: ResultSchemas.page
        ) { (arguments: ReadArguments) in
            let client = try await client(arguments.chat)
            let view = try await view(arguments.chat.thread, of: client)
            let page = try await client.messages(of: arguments.chat.thread, replies: .all, page: arguments.page)
            let cursor = Cursor(epoch: core.store.feed.epoch, offset: page.offset)
            return arguments.result(
                view, try page.values().map { try Message(json: $0) }.reversed(), page, cursor: cursor.description)
        }
    }

    private var waiting: MCPTool {
        MCPTool(
            "wait_for_message", "Wait for a message", .read,
            "Waits until the desk writes in a chat. Go on with the cursor that the answer has, or that read_chat gave; without one it waits from now on. Nothing is consumed.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["chat"],"properties":{
                "chat":{"type":"string"},"after":{"type":"string","description":"A cursor"},
                "timeoutSeconds":{"type":"integer","minimum":0,"maximum":50,"default":25}}}
                """#,
            output: ResultSchemas.waited
        ) { (arguments: MessageWait.Arguments) in
            guard let chat = arguments.chat else { throw ToolFailure("missingMember", "/chat: it must be there") }
            let client = try await client(chat)
            _ = try await client.thread(chat.thread)
            let wait = MessageWait(
                core: core, scope: .session(client.id, account: client.account), holder: identity.holder,
                direction: .toClient)
            return try await wait.wait(arguments, isWanted: { $1 == chat.thread }, names: false)
        }.waiting
    }

    private var ending: MCPTool {
        MCPTool(
            "end_chat", "End a chat", .end, "Ends a chat for good: nobody can write in it any more.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["chat","confirm"],"properties":{
                "chat":{"type":"string"},"confirm":{"const":true}}}
                """#,
            output: ResultSchemas.oneChat
        ) { (arguments: EndArguments) in
            let (client, thread) = (try await client(arguments.chat), arguments.chat.thread)
            if client.channel.mode == .liveChat {
                _ = try await client.endContact(thread, receipt: nil)
            } else {
                _ = try await client.perform { (connection) throws(ChatError) in
                    try await connection.archive(thread, receipt: nil)
                }
            }
            return try await result(thread, of: client)
        }
    }
}

private struct StartArguments: RequestBody {
    let channel: String
    let name: String?
    let answers: [String: String]

    init(reading object: inout ObjectReader) {
        channel = object.requiredString("channel", length: 1...256)
        name = object.optionalString("name", length: 1...256)
        answers = object.strings(object.optional("answers"), "answers") ?? [:]
    }
}

private struct PressArguments: RequestBody {
    let chat: ChatHandle
    let message: String
    let button: String

    init(reading object: inout ObjectReader) {
        chat = object.chat()
        message = object.optionalMessage("message") ?? ""
        if message.isEmpty { object.reject("message", "the handle of a message was expected") }
        button = object.requiredString("button", length: 1...256)
    }
}
