import Chat
import ChatModel
import ChatStore
import Logging
import MicroHTTP

@testable import Gateway

/// A gateway over the fakes, with one session that has a thread `t1` and in it a message `m1`.
struct TestGateway: Sendable {
    static let token = "gateway-token-0123456789abcdef"

    let clock = ManualClock()
    let store = ChatStore()
    let sessions: Sessions
    let application: GatewayApplication
    /// The id of the session of the customer `c1` on the channel `multi`.
    let session: String
    let sessionToken: String

    init(failuresPerMinute: Int = 20, pages: String? = nil, document: String? = nil, logger: Logger? = nil, sleep: (@Sendable (Duration) async throws -> Void)? = nil) async throws {
        sessions = Sessions(store: store, environment: clock.environment)
        var configuration = GatewayConfiguration(version: "1.2.3")
        configuration.allowedHosts = ["chat.example"]
        configuration.failuresPerMinute = failuresPerMinute
        configuration.pagesFolder = pages
        configuration.documentPath = document
        if let sleep { configuration.sleep = sleep }
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        application = try GatewayApplication(
            configuration: configuration, sessions: sessions, store: store, groups: [DeskRoutes(desk: sessions.desk)],
            secrets: TokenSecrets(gatewayToken: Self.token, key: Array(repeating: 7, count: 32)), logger: logger ?? quiet,
            environment: clock.environment)
        let snapshot = try await sessions.create(
            service: "local", channel: "multi", customer: CustomerDraft(id: "c1"), connect: true, receipt: nil)
        session = snapshot.id
        sessionToken = application.core.tokens.token(session: snapshot.id, generation: snapshot.generation)
        if let client = sessions.client(session) {
            _ = try await client.createThread(ThreadDraft(id: "t1", name: "First"), receipt: nil)
            _ = try await client.send(MessageDraft(id: "m1", text: "hello"), to: "t1", receipt: nil)
        }
    }

    var client: ChatClient {
        get throws {
            struct Missing: Error {}
            guard let client = sessions.client(session) else { throw Missing() }
            return client
        }
    }
}
