import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport

/// The embedded service with its desk, on a store of its own.
struct Local: Sendable {
    static let agent = Agent(id: "a1", name: "Bob")

    let store: ChatStore
    let environment: TestEnvironment
    let service: LocalService
    let desk: LocalDesk
    let recorder: EventRecorder
    let clock: ManualClock

    static func run(
        options: StoreOptions = StoreOptions(), onBothEngines: Bool = false,
        isolation: isolated (any Actor)? = #isolation, _ body: (Local) async throws -> Void
    ) async throws {
        let environment = TestEnvironment()
        try await withStore(options: options, onBothEngines: onBothEngines, environment: environment) { store in
            let clock = ManualClock()
            let service = try await LocalService(store: store, clock: clock)
            try await body(
                Local(
                    store: store, environment: environment, service: service, desk: service.desk,
                    recorder: EventRecorder(store.feed),
                    clock: clock))
        }
    }

    /// A customer's device, connected.
    func person(_ id: String = "c1", on channel: String = "multi") async throws -> Person {
        let account = try await store.write { transaction in
            try transaction.openAccount(AccountKey(service: "local", channel: channel, customer: id))
        }
        let connection = try await service.connect(account, channel: service.channel(channel)) {}
        return Person(store: store, account: account.number, connection: connection)
    }

    /// What was logged since the last call: type, id, and whom it concerns (`c` customer, `d` desk).
    func log() throws -> [String] {
        try recorder.take().filter { $0.offset != nil }.map { event in
            let json = try JSONParser.parse(event.data)
            let id =
                json[path: "message", "id"] ?? json[path: "thread", "id"] ?? json["messageId"] ?? json["parentId"]
                ?? json["threadId"] ?? json["id"]
            let audiences = event.audiences.map { $0 == .desk ? "d" : "c" }.sorted().joined()
            return "\(event.type.rawValue) \(id?.string ?? "?") \(audiences)"
        }
    }

    func send(_ id: String, _ text: String = "text", to thread: String) async throws -> Outcome {
        try await desk.send(MessageDraft(id: id, text: text), as: Self.agent, to: DeskThread(id: thread), receipt: nil)
    }

    func deskThread(_ id: String) throws -> JSONValue {
        try JSONParser.parse(blocking { try await desk.thread(DeskThread(id: id)).body })
    }

    func deskThreads(_ filter: ThreadFilter = .all, channel: String? = nil) throws -> [JSONValue] {
        let query = ThreadQuery(state: filter, channel: channel)
        return try items(blocking { try await desk.threads(query, page: PageRequest(limit: 200, cursor: nil)) })
    }
}

/// A customer, by one device.
struct Person: Sendable {
    let store: ChatStore
    let account: Int64
    let connection: any ServiceConnection

    func create(_ id: String, name: String? = nil) async throws {
        _ = try await connection.createThread(ThreadDraft(id: id, name: name), receipt: nil)
    }

    @discardableResult
    func send(_ id: String, _ text: String = "text", to thread: String) async throws -> Outcome {
        try await connection.send(MessageDraft(id: id, text: text), to: thread, receipt: nil)
    }

    func thread(_ id: String) throws -> JSONValue {
        guard let record = try store.readBlocking({ try $0.thread(id, of: account) }) else {
            throw ChatError.unknownThread(id)
        }
        return try JSONParser.parse(record.json(for: account))
    }

    func threads(_ filter: ThreadFilter = .all) throws -> [JSONValue] {
        try items(store.readBlocking { try $0.threadPage(of: account, filter, PageRequest(limit: 200, cursor: nil)) })
    }

    /// Newest first.
    func messages(_ thread: String) throws -> [JSONValue] {
        let request = PageRequest(limit: 10_000, cursor: nil)
        return try items(blocking { try await store.messagePage(of: account, thread: thread, request) })
    }

    func message(_ id: String, in thread: String) throws -> JSONValue? {
        try messages(thread).first { $0["id"] == .string(id) }
    }
}

func items(_ page: PageBytes) throws -> [JSONValue] {
    try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array ?? []
}
