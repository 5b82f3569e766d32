import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting

/// An assistant's place at the desk: who it is there, and which chats it reaches.
struct DeskSeat: Sendable {
    let desk: any DeskService
    let core: GatewayCore
    /// In whose share its searches and its waiting are.
    let holder: Holder
    /// The author of what the assistant writes: a bot.
    let agent: Agent
    /// The channels whose chats are there for it; nil for all.
    let channels: Set<String>?

    /// The query parameters that say it. Whoever configures an assistant writes them into its address, where the
    /// assistant itself cannot change them.
    static let query = KnownParameters.only(["as", "name", "access"], repeatable: ["channel"])

    /// Throws `invalidParameter`, `notYou`, and `outsideChannels`.
    init(_ call: Call, _ desk: any DeskService) throws(Problem) {
        self.desk = desk
        core = call.core
        holder = call.identity.holder
        let name = try call.query.identifier("as")
        let own = try call.acting(name.map { Agent(id: $0) })
        agent = Agent(
            id: own?.id ?? "assistant",
            name: try call.query.text("name", length: 1...256) ?? own?.name ?? "Assistant", isBot: true)
        channels = try call.assistantChannels
    }

    /// Whether a channel's chats are there for the assistant.
    func reaches(_ channel: String) -> Bool { channels?.contains(channel) ?? true }

    /// The thread of a chat. Throws `unknownThread` for one that is not there for the assistant.
    func thread(_ chat: ChatHandle) throws -> DeskThread {
        guard reaches(chat.channel) else { throw ToolFailure("unknownThread", "There is no such chat.") }
        return chat.atDesk
    }

    /// The chat as it is now.
    func view(_ chat: ChatHandle) async throws -> ChatView {
        let value = try JSONParser.parse(await desk.thread(thread(chat)).body)
        return try ChatView(desk: value, agent: agent, tags: try await tagNames(for: [value]))
    }

    /// What the tags of threads are called, by their ids; nothing is read where none has a tag.
    private func tagNames(for threads: [JSONValue]) async throws -> [String: String] {
        guard threads.contains(where: { $0["tags"] != nil }) else { return [:] }
        return Dictionary(try await desk.tags().map { ($0.id, $0.name) }) { first, _ in first }
    }

    /// The answer of tools that change a chat: the chat as it is now.
    func result(_ chat: ChatHandle) async throws -> ToolResult {
        let view = try await view(chat)
        return ToolResult { json in
            json.name("chat")
            view.encode(to: &json)
        }
    }

    /// The chats that a query finds, in its order; those of other channels are left out of the page.
    func chats(_ query: ThreadQuery, _ page: PageRequest) async throws -> (views: [ChatView], page: PageBytes) {
        var query = query
        query.channels = channels
        let page = try await desk.threads(query, page: page)
        let values = try page.values()
        let names = try await tagNames(for: values)
        let views = try values.map { try ChatView(desk: $0, agent: agent, tags: names) }
        return (views.filter { reaches($0.channel) }, page)
    }

    /// A page of a chat's messages, the oldest first.
    func messages(_ chat: ChatHandle, _ page: PageRequest) async throws -> (messages: [Message], page: PageBytes) {
        let page = try await desk.messages(of: thread(chat), replies: .all, page: page)
        return (try page.values().map { try Message(json: $0) }.reversed(), page)
    }

    /// The newest notes of a chat, the newest first.
    func notes(_ chat: ChatHandle) async throws -> [Note] {
        try await desk.notes(of: thread(chat), page: PageRequest(limit: Self.notesShown, cursor: nil)).values().map {
            try Note(json: $0)
        }
    }

    /// How many notes of a chat are shown.
    private static let notesShown = 20

    func cursor(_ offset: Int64) -> String { Cursor(epoch: core.store.feed.epoch, offset: offset).description }
}
