import Chat
import ChatModel
import ChatStore
import Formats
import TestSupport

/// A customer's threads and messages as one of the gateways has them, in the words that both share.
public struct Conversation: Sendable {
    /// By thread; a pending one is left out, for only its own gateway knows it.
    public var threads: [String: String] = [:]
    /// By thread.
    public var contacts: [String: String] = [:]
    /// By thread, oldest first.
    public var messages: [String: [Line]] = [:]

    public struct Line: Sendable, Hashable, CustomStringConvertible {
        public var id: String
        public var text: String
        /// All else that both sides are to have.
        public var rest: String
        /// Whether it was read.
        public var status: String

        public var description: String { "\(id) \(text) (\(rest) \(status))" }
    }

    /// What the other one lacks, has beside, or has otherwise; empty when both are one.
    public func differences(from far: Conversation) -> [String] {
        var found: [String] = []
        for id in Set(threads.keys).union(far.threads.keys).sorted() {
            let (mine, other) = (threads[id], far.threads[id])
            guard mine == other else {
                found.append("thread \(id): near \(mine ?? "nothing"), far \(other ?? "nothing")")
                continue
            }
            if contacts[id] != far.contacts[id] {
                found.append("thread \(id): contact \(contacts[id] ?? "-"), far \(far.contacts[id] ?? "-")")
            }
            let (near, there) = (messages[id] ?? [], far.messages[id] ?? [])
            guard near != there else { continue }
            let lacks = there.filter { !near.contains($0) }, has = near.filter { !there.contains($0) }
            found.append("thread \(id): near lacks \(lacks), has beside \(has), \(near.count) of \(there.count)")
            if lacks.isEmpty, has.isEmpty { found.append("order: near \(near.map(\.id)), far \(there.map(\.id))") }
        }
        return found
    }

    /// Without what is told once only, so that who was away does not hear of it: what was read, and contacts.
    public var lasting: Conversation {
        var result = self
        result.contacts = [:]
        result.messages = messages.mapValues { $0.map { Line(id: $0.id, text: $0.text, rest: $0.rest, status: "") } }
        return result
    }
}

extension WireWorld {
    /// What the near gateway has for a session's customer.
    public func nearConversation(of client: ChatClient) throws -> Conversation {
        try conversation(in: store, client.account) { id, _ in id }
    }

    /// What the far gateway has for the customer of a session on a channel, with the ids that the platform tells.
    public func farConversation(of client: ChatClient, on channel: String) throws -> Conversation {
        let key = AccountKey(
            service: "local", channel: channel, customer: blocking { await client.snapshot() }.customer.id)
        guard let account = try farStore.readBlocking({ try $0.account(key)?.number }) else { return Conversation() }
        return try conversation(in: farStore, account) { id, thread in
            let foreign = try farStore.readBlocking { try $0.foreignIDs(among: [id], in: thread, of: account) }
            return sandbox.clientID(ofMessage: id, in: thread, isForeign: foreign.contains(id))
        }
    }

    public func differences(of client: ChatClient, on channel: String) throws -> [String] {
        try nearConversation(of: client).differences(from: farConversation(of: client, on: channel))
    }

    /// - Parameter name: under which id a message of a thread is compared.
    private func conversation(
        in store: ChatStore, _ account: Int64, name: (_ id: String, _ thread: String) throws -> String
    ) throws -> Conversation {
        var found = Conversation()
        for id in try store.readBlocking({ try $0.threadStandings(of: account, limit: 1000).map(\.id) }) {
            guard let record = try store.readBlocking({ try $0.thread(id, of: account) }) else { continue }
            let thread = record.thread
            if thread.state == .pending { continue }
            let fields = thread.customFields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(
                separator: ",")
            // The platform knows whether more can be written, and the SDK's further states are its own.
            found.threads[id] = [
                thread.name.map { "name \($0)" }, thread.canAddMoreMessages ? "open" : "closed",
                thread.agent?.name.map { "agent \($0)" },
                thread.queuePosition.map { "place \($0)" }, fields,
            ].compactMap(\.self).joined(separator: " ")
            found.contacts[id] = thread.contactID
            // Which of one millisecond's messages came first is each store's own to say.
            found.messages[id] = try messages(of: id, in: store, account).map { message in
                (message.createdAt, Conversation.Line(message, as: try name(message.id, id)))
            }
            .sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
        }
        return found
    }

    private func messages(of thread: String, in store: ChatStore, _ account: Int64) throws -> [Message] {
        var messages: [Message] = [], cursor: String?
        repeat {
            let request = PageRequest(limit: 200, cursor: cursor)
            let page = try blocking {
                try await store.messagePage(of: account, thread: thread, replies: .all, request)
            }
            messages += try (JSONParser.parse(page.body + Array("}".utf8))["items"]?.array ?? []).map {
                try Message(json: $0)
            }
            cursor = page.next
        } while cursor != nil
        return messages
    }
}

extension Conversation.Line {
    init(_ message: Message, as id: String) {
        let files = message.attachments.map { "\($0.name) \($0.mimeType)" }.joined(separator: ",")
        var content = ""
        if let rich = message.content { content = "\(rich)" }
        self.init(
            id: id, text: message.text ?? "",
            rest: [
                "\(message.createdAt.milliseconds)", message.direction.rawValue, message.author.kind.rawValue,
                message.author.name ?? "",
                message.type.rawValue, message.postback ?? "", files, content,
            ].filter { !$0.isEmpty }.joined(separator: " "), status: message.status.rawValue)
    }
}
