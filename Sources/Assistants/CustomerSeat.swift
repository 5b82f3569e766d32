import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting

/// A customer's place, which an assistant plays to test a desk or a bot.
struct CustomerSeat: Sendable {
    let core: GatewayCore
    /// A session's token opens the chats of that session alone.
    let identity: Identity
    /// Who the customer is; nil for a new one in each chat.
    let customer: String?
    let name: String?
    /// The channels on which there are chats; nil for all.
    let channels: Set<String>?

    /// The service on which the gateway's token makes sessions.
    private static let service = "local"

    /// Throws `invalidParameter`, and `outsideChannels`.
    init(_ call: Call) throws(Problem) {
        core = call.core
        identity = call.identity
        customer = try call.query.identifier("as")
        name = try call.query.text("name", length: 1...256)
        channels = try call.assistantChannels
    }

    private func reaches(_ channel: String) -> Bool { channels?.contains(channel) ?? true }

    /// The session that holds a chat. Throws `unknownThread` for a chat that is not there for the assistant.
    func client(_ chat: ChatHandle) async throws -> ChatClient {
        var client: ChatClient?
        if case .session(let id) = identity {
            client = try await core.sessions.session(id)
            let own = await client?.snapshot()
            if own?.channel.id != chat.channel || own?.customer.id != chat.customer { client = nil }
        } else if reaches(chat.channel), customer == nil || customer == chat.customer {
            let filter = SessionFilter(service: Self.service, channel: chat.channel, customer: chat.customer)
            let found = try await core.sessions.page(filter, PageRequest(limit: 1, cursor: nil))
            if let id = found.items.first?.id { client = try await core.sessions.session(id) }
        }
        guard let client else { throw ToolFailure("unknownThread", "There is no such chat.") }
        client.noteUse()
        return client
    }

    /// The session for a new chat: the token's own, or one of the customer on the channel.
    func client(on channel: String, name: String?) async throws -> ChatClient {
        if case .session(let id) = identity {
            guard let client = try await core.sessions.session(id), client.channel.id == channel, name == nil else {
                throw ToolFailure(
                    "forbidden", "The token opens a session on another channel, with a customer of its own.")
            }
            return client
        }
        guard reaches(channel) else {
            throw ToolFailure("outsideChannels", "The chats of this channel are not there for you.")
        }
        if let customer {
            let filter = SessionFilter(service: Self.service, channel: channel, customer: customer)
            let found = try await core.sessions.page(filter, PageRequest(limit: 1, cursor: nil))
            if let id = found.items.first?.id, let client = try await core.sessions.session(id) { return client }
        }
        return try await core.sessions.create(
            service: Self.service, channel: channel,
            customer: CustomerDraft(id: customer, firstName: name ?? self.name, lastName: nil), connect: true,
            receipt: nil)
    }

    /// The chat as its customer sees it.
    func view(_ thread: String, of client: ChatClient) async throws -> ChatView {
        let own = await client.snapshot()
        return ChatView(
            thread: try ChatThread(canonicalJSON: await client.thread(thread).body), channel: own.channel.id,
            customer: own.customer)
    }

    func result(_ thread: String, of client: ChatClient) async throws -> ToolResult {
        let view = try await view(thread, of: client)
        return ToolResult { json in
            json.name("chat")
            view.encode(to: &json)
        }
    }
}

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
