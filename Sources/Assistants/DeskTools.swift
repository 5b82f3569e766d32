import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting

/// What an assistant at the desk can do: first what only reads.
extension DeskSeat {
    var tools: [MCPTool] { [listing, reading, searching, waiting] + customers + reports + team + writing }

    private var listing: MCPTool {
        MCPTool(
            "list_chats", "List chats", .read,
            "Lists chats, the latest activity first: those that wait for an answer, those that you have taken, the open or the closed ones. In the order of waiting, who waits longest comes first.",
            input: #"""
                {"type":"object","additionalProperties":false,"properties":{
                "state":{"enum":["waiting","mine","open","closed"],"default":"open"},
                "order":{"enum":["activity","waiting"],"default":"activity"},
                "channel":{"type":"string","description":"Only chats of this channel"},
                "agent":{"type":"string","description":"Only chats of this agent, by id; none for nobody's"},
                "tag":{"type":"string","description":"Only chats with this tag, by name"},
                "snoozed":{"enum":["exclude","only","include"],"default":"exclude"},
                "limit":{"type":"integer","minimum":1,"maximum":50,"default":20},
                "cursor":{"type":"string","description":"next of an earlier page"}}}
                """#,
            output: ResultSchemas.object(
                #"""
                "chats":{"type":"array","items":\#(ResultSchemas.chat)},
                "next":{"type":"string","description":"Leads to the next page"},
                "cursor":{"type":"string","description":"Where to wait for newer messages"}
                """#, required: ["chats", "cursor"])
        ) { (arguments: ListArguments) in
            if let channel = arguments.channel, !reaches(channel) { throw Self.outside }
            var query = arguments.query(for: agent)
            if let tag = arguments.tag { query.desk.tag = try await tagIDs([tag]).first }
            let (views, page) = try await chats(
                query, PageRequest(limit: arguments.limit, cursor: arguments.cursor))
            return ToolResult { json in
                json.name("chats")
                json.beginArray()
                for view in views { view.encode(to: &json) }
                json.endArray()
                json.member("next", page.next)
                json.member("cursor", cursor(page.offset))
            }
        }
    }

    private var reading: MCPTool {
        MCPTool(
            "read_chat", "Read a chat", .read,
            "Reads the newest messages of a chat, or those before an earlier page, with what the customer has answered to the survey, and with the newest notes of agents. Does not mark them as read.",
            input: ReadArguments.schema,
            output: ResultSchemas.page
        ) { (arguments: ReadArguments) in
            let view = try await view(arguments.chat)
            // Notes first: what is written meanwhile is then newer than what is said to be read.
            let notes = arguments.isNewest ? try await notes(arguments.chat) : []
            let (messages, page) = try await messages(arguments.chat, arguments.page)
            return arguments.result(view, messages, page, cursor: cursor(page.offset), notes)
        }
    }

    private var searching: MCPTool {
        MCPTool(
            "search_messages", "Search messages", .read,
            "Finds messages of all chats that have all these words, the newest first.",
            input: #"""
                {"type":"object","additionalProperties":false,"required":["query"],"properties":{
                "query":{"type":"string","minLength":1,"maxLength":256},
                "limit":{"type":"integer","minimum":1,"maximum":50,"default":20}}}
                """#,
            output: ResultSchemas.object(
                #""messages":{"type":"array","items":\#(ResultSchemas.message)}"#, required: ["messages"])
        ) { (arguments: SearchArguments) in
            let found = try await core.searches.holding(holder, for: "searches") {
                try await desk.search(
                    for: arguments.query, where: SearchFilter(), in: nil, within: channels,
                    page: PageRequest(limit: arguments.limit, cursor: nil))
            }
            let items = try JSONParser.parse(found.body + [UInt8(ascii: "}")])["items"]?.array ?? []
            let views = try items.map { item in
                MessageView(
                    message: try Message(json: item["message"] ?? .null),
                    chat: ChatHandle(
                        channel: try item.requiredString("channel"),
                        customer: try (item["customer"] ?? .null).requiredString("id"),
                        thread: try item.requiredString("threadId")))
            }
            return ToolResult { json in
                json.name("messages")
                json.beginArray()
                for view in views where view.chat.map({ reaches($0.channel) }) == true { view.encode(to: &json) }
                json.endArray()
            }
        }
    }

    private var waiting: MCPTool {
        MCPTool(
            "wait_for_message", "Wait for a message", .read,
            "Waits until a customer writes: in one chat, or in any. Go on with the cursor that the answer has, or that list_chats or read_chat gave; without one it waits from now on. Nothing is consumed.",
            input: #"""
                {"type":"object","additionalProperties":false,"properties":{"chat":{"type":"string"},
                "after":{"type":"string","description":"A cursor"},
                "timeoutSeconds":{"type":"integer","minimum":0,"maximum":50,"default":25}}}
                """#,
            output: ResultSchemas.waited
        ) { (arguments: MessageWait.Arguments) in
            if let chat = arguments.chat { _ = try await desk.thread(thread(chat)) }
            let wait = MessageWait(
                core: core, scope: .desk, holder: holder,
                direction: .toAgent)
            return try await wait.wait(arguments) { owner, thread in
                guard let chat = arguments.chat else { return reaches(owner.channel) }
                return chat.thread == thread && chat.channel == owner.channel && chat.customer == owner.customer
            }
        }.waiting
    }
}

private struct ListArguments: RequestBody {
    enum State: String, CaseIterable {
        case waiting, mine, open, closed

        func query(for agent: Agent) -> ThreadQuery {
            switch self {
            case .waiting: ThreadQuery(state: .open, desk: DeskConditions(isWaiting: true))
            case .mine: ThreadQuery(state: .open, desk: DeskConditions(agent: agent.id))
            case .open: ThreadQuery(state: .open)
            case .closed: ThreadQuery(state: .closed)
            }
        }
    }

    let state: State
    let order: DeskConditions.Order
    let channel: String?
    let agent: String?
    /// By name.
    let tag: String?
    let snoozed: SnoozeFilter
    let limit: Int
    let cursor: String?

    func query(for agent: Agent) -> ThreadQuery {
        var query = state.query(for: agent)
        query.channel = channel
        query.desk.order = order
        query.desk.snoozed = snoozed
        switch self.agent {
        case nil: break
        case "none": query.desk.isUnassigned = true
        case let wanted: query.desk.agent = wanted
        }
        return query
    }

    init(reading object: inout ObjectReader) {
        state = object.optionalChoice("state", of: State.allCases) ?? .open
        order = object.optionalChoice("order", of: DeskConditions.Order.allCases) ?? .activity
        channel = object.optionalString("channel", length: 1...64)
        agent = object.optionalID("agent")
        tag = object.optionalString("tag", length: 1...128)
        snoozed = object.optionalChoice("snoozed", of: SnoozeFilter.allCases) ?? .exclude
        if state == .mine, agent != nil { object.reject("agent", "mine says already whose chats are meant") }
        limit = object.optionalInteger("limit", in: 1...50) ?? 20
        cursor = object.optionalString("cursor", length: 1...1024)
    }
}

/// What `read_chat` takes, on both sides.
struct ReadArguments: RequestBody {
    static let schema = #"""
        {"type":"object","additionalProperties":false,"required":["chat"],"properties":{
        "chat":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":100,"default":20},
        "before":{"type":"string","description":"before of an earlier page"}}}
        """#

    let chat: ChatHandle
    let page: PageRequest

    init(reading object: inout ObjectReader) {
        chat = object.chat()
        page = PageRequest(
            limit: object.optionalInteger("limit", in: 1...100) ?? 20,
            cursor: object.optionalString("before", length: 1...1024))
    }

    /// Whether the newest messages are asked for.
    var isNewest: Bool { page.cursor == nil }

    /// - Parameter notes: at the desk, those of agents; the newest first.
    func result(
        _ view: ChatView, _ messages: [Message], _ page: PageBytes, cursor: String, _ notes: [Note] = []
    ) -> ToolResult {
        let isDesks = view.agent != nil && isNewest
        // A message and a note of one moment: then the note is newer.
        let note = notes.first.flatMap { note in
            messages.last.map { $0.createdAt > note.createdAt } == true ? nil : note.id
        }
        return ToolResult { json in
            json.name("chat")
            view.encode(to: &json)
            json.name("messages")
            json.beginArray()
            for message in messages { MessageView(message: message).encode(to: &json) }
            json.endArray()
            if isDesks {
                json.name("notes")
                json.beginArray()
                for note in notes { NoteView(note).encode(to: &json) }
                json.endArray()
                json.member("latest", (note ?? messages.last?.id).map(MessageHandle.text))
            }
            json.member("before", page.next)
            json.member("cursor", cursor)
        }
    }
}

private struct SearchArguments: RequestBody {
    let query: String
    let limit: Int

    init(reading object: inout ObjectReader) {
        query = object.requiredString("query", length: 1...256)
        limit = object.optionalInteger("limit", in: 1...50) ?? 20
    }
}
