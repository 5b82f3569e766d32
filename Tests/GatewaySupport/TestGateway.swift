import Chat
import ChatModel
import ChatStore
import Gateway
import LocalService
import Logging
import MicroHTTP
import OutboundSupport
import Pages
import TestSupport

/// A gateway over a store in a folder of its own, with one session that has a thread `t1` and in it a message `m1`.
package struct TestGateway: Sendable {
    package static let token = "gateway-token-0123456789abcdef"

    /// Where the log stood.
    package struct Offsets: Sendable {
        /// The account has its thread `t1`.
        package var created: Int64
        /// The desk has been told of it.
        package var announced: Int64
        /// The message `m1` was logged.
        package var sent: Int64
        /// Everything that the gateway begins with was logged.
        package var head: Int64

        package init(created: Int64, announced: Int64, sent: Int64, head: Int64) {
            (self.created, self.announced, self.sent, self.head) = (created, announced, sent, head)
        }
    }

    package let environment: TestEnvironment
    package let clock: ManualClock
    package let store: ChatStore
    package let sessions: Sessions
    package let application: GatewayApplication
    package let outbound: OutboundGroups
    package let documents: Documents
    /// The session of the customer `c1`, on the channel `multi` unless it was asked otherwise.
    package let client: ChatClient
    package let offsets: Offsets

    package var session: String { client.id }
    package var sessionToken: String {
        application.core.tokens.token(session: client.id, generation: Int(client.generation))
    }

    /// Runs a test on a gateway of its own.
    ///
    /// - Parameters:
    ///   - channel: of the session; `live` and `single` have a thread `t1`, too.
    ///   - isReconnected: false leaves it as it is before stored sessions are usable again.
    ///   - services: besides the embedded one.
    ///   - wrap: what stands for the store that was opened.
    package static func run(
        on channel: String = "multi", failuresPerMinute: Int = 20, pages: String? = nil, guide: String? = nil,
        document: String? = nil, trustedUsers: Set<UInt32> = [], identityProxy: IdentityProxy? = nil,
        logger: Logger? = nil, isReconnected: Bool = true, services: [any ChatService] = [],
        options: StoreOptions = StoreOptions(),
        over wrap: (ChatStore) -> ChatStore = { $0 }, writing: WritingRates = WritingRates(),
        isolation: isolated (any Actor)? = #isolation, _ body: (TestGateway) async throws -> Void
    ) async throws {
        var configuration = GatewayConfiguration(version: "1.2.3")
        configuration.rules.allowedHosts = ["chat.example"]
        configuration.failuresPerMinute = failuresPerMinute
        configuration.hasDocument = document != nil
        let documents = try Documents(pages: pages, guide: guide, document: document)
        configuration.rules.trustedUsers = trustedUsers
        configuration.identityProxy = identityProxy
        configuration.rules.writing = writing
        let environment = TestEnvironment()
        try await withStore(options: options, environment: environment) { opened in
            let gateway = try await TestGateway(
                channel: channel, store: wrap(opened), environment: environment, configuration: configuration,
                documents: documents, services: services, logger: logger)
            if isReconnected { await gateway.sessions.finishLoading() }
            try await body(gateway)
            await gateway.outbound.stop()
        }
    }

    /// The same gateway after a restart: nothing is in memory.
    package func restarted() async throws -> TestGateway {
        let local = try await LocalService(store: store, clock: clock)
        let sessions = Sessions(store: store, services: [local], clock: clock)
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        var even = environment.environment
        even.random = { 0.5 }
        let application = GatewayApplication(
            configuration: application.core.configuration, sessions: sessions, store: store,
            groups: [DeskRoutes(desk: local.desk)] + outbound.groups + documents.groups(beside: []),
            secrets: TokenSecrets(gatewayToken: Self.token, key: Array(repeating: 7, count: 32)), logger: quiet,
            environment: even, clock: clock)
        try await sessions.load()
        await sessions.finishLoading()
        return TestGateway(
            environment: environment, clock: clock, store: store, sessions: sessions, application: application,
            outbound: outbound, documents: documents, client: client, offsets: offsets)
    }

    package init(
        environment: TestEnvironment, clock: ManualClock, store: ChatStore, sessions: Sessions,
        application: GatewayApplication, outbound: OutboundGroups, documents: Documents, client: ChatClient,
        offsets: Offsets
    ) {
        self.environment = environment
        self.clock = clock
        self.store = store
        self.sessions = sessions
        self.application = application
        self.outbound = outbound
        self.documents = documents
        self.client = client
        self.offsets = offsets
    }

    /// The id of a session of the customer `c1` on the channel `live`, made now.
    package func liveSession() async throws -> String {
        try await sessions.create(
            service: "local", channel: "live", customer: CustomerDraft(id: "c1"), connect: true, receipt: nil
        ).id
    }

    private init(
        channel: String, store: ChatStore, environment: TestEnvironment, configuration: GatewayConfiguration,
        documents: Documents, services: [any ChatService], logger: Logger?
    ) async throws {
        let clock = ManualClock()
        let local = try await LocalService(store: store, clock: clock)
        let sessions = Sessions(store: store, services: [local] + services, clock: clock)
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        // The random part of a stream's `retry` is half of it.
        var even = environment.environment
        even.random = { 0.5 }
        outbound = try OutboundGroups(store: store, clock: clock, notifications: sessions.notifications)
        application = GatewayApplication(
            configuration: configuration, sessions: sessions, store: store,
            groups: [DeskRoutes(desk: local.desk)] + outbound.groups + documents.groups(beside: []),
            secrets: TokenSecrets(gatewayToken: Self.token, key: Array(repeating: 7, count: 32)),
            logger: logger ?? quiet,
            environment: even, clock: clock)
        try await sessions.load()
        if channel == "single" { try await local.desk.setSurvey(true) }
        client = try await sessions.create(
            service: "local", channel: channel, customer: CustomerDraft(id: "c1"), connect: true, receipt: nil)
        let recorder = EventRecorder(store.feed)
        _ = try await client.createThread(ThreadDraft(id: "t1", name: channel == "multi" ? "First" : nil), receipt: nil)
        if channel == "single" { try await local.desk.setSurvey(false) }
        let created = store.feed.head
        _ = try await client.send(MessageDraft(id: "m1", text: "hello"), to: "t1", receipt: nil)
        func offset(of type: EventType) throws -> Int64 {
            struct NotLogged: Error { let type: EventType }
            guard let offset = recorder.events.last(where: { $0.type == type })?.offset else {
                throw NotLogged(type: type)
            }
            return offset
        }
        offsets = Offsets(
            created: created, announced: try offset(of: .threadCreated), sent: try offset(of: .messageCreated),
            head: store.feed.head)
        self.documents = documents
        self.environment = environment
        self.clock = clock
        self.store = store
        self.sessions = sessions
    }
}

extension DeskService {
    /// With a survey, if one without questions that must be answered, the customer makes the single thread, and says
    /// its id.
    package func setSurvey(_ isAsked: Bool) async throws {
        var settings = ChannelSettings()
        let field = CustomFieldDefinition(ident: "topic", label: "Topic", kind: .text)
        settings.preChatSurvey = .some(isAsked ? PreChatSurvey(name: "Survey", fields: [field]) : nil)
        _ = try await update(channel: "single", settings)
    }
}
