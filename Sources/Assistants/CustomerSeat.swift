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
