@testable import Chat
import ChatModel
import ChatStore
@testable import CXoneService
import CXoneWire
import Formats
import TestSupport
import Testing

/// A gateway's chat part on a scripted platform, on a clock that stands still.
struct Fixture: Sendable {
    let platform: ScriptedPlatform
    let environment: TestEnvironment
    let store: ChatStore
    let clock: ManualClock
    let service: CXoneService
    let sessions: Sessions
    let folder: String
    let notices: Journal<String>

    static let address = ChannelAddress(
        environment: nil,
        urls: ["chat": "http://platform.test/chat", "socket": "ws://platform.test", "token": "http://platform.test/"],
        brandID: 4711, channelID: "chat_1")

    /// A session of Eva, as it is when it has settled.
    func session(
        connect: Bool = true, authorization: Authorization? = nil, resendPolicy: ResendPolicy = .manual
    ) async throws -> ChatClient {
        let channel = try await service.channel(at: Self.address)
        return try await sessions.create(
            service: "cxone", channel: channel, customer: CustomerDraft(id: "eva", firstName: "Eva", lastName: "Nova"),
            connect: connect,
            resendPolicy: resendPolicy, authorization: authorization, receipt: nil)
    }

    func thread(_ id: String, of client: ChatClient) throws -> ChatThread? {
        try store.readBlocking { try $0.thread(id, of: client.account)?.thread }
    }

    func threads(of client: ChatClient) throws -> [ChatThread] {
        try store.readBlocking { transaction in
            try transaction.threadStandings(of: client.account, limit: 100).compactMap {
                try transaction.thread($0.id, of: client.account)?.thread
            }
        }
    }

    /// All messages that a client finds by paging, oldest first.
    func messages(_ thread: String, of client: ChatClient) async throws -> [Message] {
        var messages: [Message] = [], cursor: String?
        repeat {
            let page = try await client.history(of: thread, replies: .all, page: PageRequest(limit: 50, cursor: cursor))
            let json = try JSONParser.parse(page.body + Array("}".utf8))
            messages += try (json["items"]?.array ?? []).map { try Message(json: $0) }
            cursor = page.next
        } while cursor != nil
        return messages.reversed()
    }

    /// More than the pause after the first attempt that failed, and less than any other.
    private static let firstPause = Duration.seconds(2)

    /// Whether a session sleeps until the next attempt after its first failure.
    var isTriedAgain: Bool { clock.nextWaking.map { $0 < Self.firstPause } ?? false }

    /// So much time passes that a session tries again after its first failure. Returns when it is ready.
    func tryAgain(_ client: ChatClient) async {
        #expect(await eventually { isTriedAgain })
        clock.advance(by: Self.firstPause)
        #expect(await eventually { client.state == .ready })
    }

    /// Disconnects a session, and returns when nobody holds its connection any more. What that has begun in the background
    /// holds it, and so is over.
    func leave(_ client: ChatClient) async throws {
        let connection = try Weak(#require(client.connection.status.open as? CXoneConnection).account)
        try await client.disconnect()
        #expect(await eventually { connection.object == nil })
    }

    private struct Weak: Sendable {
        weak var object: ConnectedAccount?

        init(_ object: ConnectedAccount) { self.object = object }
    }
}

func withCXone(
    _ mode: ChatMode, isSecured: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: (Fixture) async throws -> Void
) async throws {
    let environment = TestEnvironment()
    let platform = ScriptedPlatform(mode, isSecured: isSecured)
    try await withFolder { folder in
        try await withStore(environment: environment) { store in
            let clock = ManualClock()
            let notices = Journal<String>()
            let service = CXoneService(
                store: store, clock: clock, tokens: .folder(folder + "/cxone"), sockets: platform, http: platform,
                foreignHTTP: platform, notice: { notices.add($0) })
            try await body(
                Fixture(
                    platform: platform, environment: environment, store: store, clock: clock, service: service,
                    sessions: Sessions(store: store, services: [service], clock: clock, pace: .zero),
                    folder: folder + "/cxone",
                    notices: notices))
        }
    }
}
