import ChatModel
import Formats
import LocalService
import TestSupport

@testable import Chat
@testable import ChatStore

/// The embedded service with one customer's session, its desk, and collections.
struct CollectionRoom: Sendable {
    static let agent = Agent(id: "a1", name: "Bob")

    let environment: TestEnvironment
    let store: ChatStore
    let sessions: Sessions
    let client: ChatClient
    let desk: LocalDesk

    var collections: Collections { sessions.collections }

    static func run<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: (CollectionRoom) async throws -> T
    ) async throws -> T {
        let environment = TestEnvironment()
        return try await withStore(environment: environment) { store in
            // Nothing here is about power cuts, and there are thousands of commits.
            try store.skipDiskSync()
            let local = try await LocalService(store: store)
            let sessions = Sessions(store: store, services: [local], clock: ManualClock())
            let client = try await sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "c1"), connect: true, receipt: nil)
            return try await body(
                CollectionRoom(
                    environment: environment, store: store, sessions: sessions, client: client, desk: local.desk))
        }
    }

    // MARK: What happens

    func thread(_ id: String, name: String? = nil) async throws {
        environment.advance(milliseconds: 10)
        _ = try await client.createThread(ThreadDraft(id: id, name: name), receipt: nil)
    }

    /// A message of the customer.
    func send(
        _ ids: String..., to thread: String = "t1", replyTo parent: String? = nil, isAside: Bool = false,
        customType: String? = nil
    ) async throws {
        for id in ids {
            environment.advance(milliseconds: 10)
            var draft = MessageDraft(id: id, text: "text of \(id)", customType: customType)
            if parent != nil { (draft.parentID, draft.alsoInThread) = (parent, !isAside) }
            _ = try await client.send(draft, to: thread, receipt: nil)
        }
    }

    /// A message of the agent.
    func answer(_ id: String, to thread: String = "t1") async throws {
        environment.advance(milliseconds: 10)
        _ = try await desk.send(
            MessageDraft(id: id, text: "text of \(id)"), as: Self.agent, to: DeskThread(id: thread), receipt: nil)
    }

    /// The time of a message.
    func time(of message: String, in thread: String = "t1") throws -> Timestamp {
        let record = try store.readBlocking { transaction in
            try transaction.thread(thread, of: client.account).flatMap { try transaction.message(message, in: $0) }
        }
        guard let record else { throw ChatError.unknownMessage(message) }
        return record.message.createdAt
    }

    // MARK: Collections

    func messages(
        of thread: String = "t1", _ filter: MessageFilter = MessageFilter(), viewpoint: Timestamp? = nil,
        limit: Int? = nil,
        capacity: Int? = nil
    ) async throws -> Follower {
        try await make(
            CollectionDefinition(
                .messages(thread: thread, filter, viewpoint: viewpoint), limit: limit, capacity: capacity))
    }

    func threads(_ query: ThreadQuery = ThreadQuery(), limit: Int? = nil, capacity: Int? = nil) async throws -> Follower
    {
        try await make(CollectionDefinition(.threads(query), limit: limit, capacity: capacity))
    }

    /// Messages as the desk has them.
    func deskMessages(
        of thread: DeskThread, _ filter: MessageFilter = MessageFilter(), limit: Int? = nil
    ) async throws -> Follower {
        try await make(
            CollectionDefinition(.messages(thread: thread.id, filter, viewpoint: nil), limit: limit), owner: .desk,
            thread: thread)
    }

    /// All customers' threads.
    func deskThreads(_ query: ThreadQuery = ThreadQuery(), limit: Int? = nil) async throws -> Follower {
        try await make(CollectionDefinition(.threads(query), limit: limit), owner: .desk)
    }

    /// The threads of the desk's list, newest first.
    func deskRows() throws -> [String] {
        let page = try blocking { [desk] in
            try await desk.threads(
                ThreadQuery(state: .all, channel: nil), page: PageRequest(limit: 100_000, cursor: nil))
        }
        let count = try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array?.count ?? 0
        let rows = try store.readBlocking { try $0.deskThreads(ThreadQuery(), after: .first, limit: 100_000).rows }
        guard rows.count == count else {
            throw Follower.Impossible(description: "\(rows.count) rows, but \(count) in the list")
        }
        return rows.map { String(decoding: $0.json, as: UTF8.self) }
    }

    /// - Parameter owner: nil is the session.
    func make(
        _ definition: CollectionDefinition, owner: CollectionOwner? = nil, thread: DeskThread? = nil
    ) async throws -> Follower {
        let owner = owner ?? client.collectionOwner
        let outcome = try await collections.create(definition, owner: owner, thread: thread, receipt: nil)
        return Follower(try collections.collection(outcome.id, of: owner))
    }

    /// Fetches, and returns whether there may be more.
    @discardableResult
    func fetch(_ follower: Follower, _ direction: FetchDirection = .next) async throws -> Bool {
        try await collections.fetch(follower.collection.id, of: follower.collection.owner, direction).hasMore
    }

    /// What the follower is told of what has happened, and that it agrees with the collection.
    func events(_ follower: inout Follower) async throws -> [String] {
        await collections.settle()
        let told = try follower.catchUp()
        let snapshot = Snapshot(follower.collection)
        guard snapshot.items == follower.items, snapshot.version == follower.version else {
            throw Follower.Impossible(
                description: "\(follower.ids) is not the collection's \(snapshot.items.map(\.id))")
        }
        return told
    }
}
