import Bounds
import Chat
import ChatModel
import ChatStore
import HTTPRouting
import Logging
import MicroHTTP
import Synchronization

/// The objects that all routes share: the context of every call. Immutable, so any thread may use it; some of its
/// objects belong to the loop's thread and say so.
package final class GatewayCore: Sendable {
    package let configuration: GatewayConfiguration
    private let currentRules: Mutex<GatewayRules>
    package let store: ChatStore
    package let sessions: Sessions
    /// What transcripts hold that are being sent, for each holder.
    let transcripts: ByteShares
    /// Time, ids and randomness; tests replace them.
    package let environment: ModelEnvironment
    /// Microseconds since the start, on a clock that never goes back: for limits of how often something may be done.
    package let uptime: @Sendable () -> Int64
    /// What waits, waits by this clock.
    package let clock: any Clock<Duration>
    package let logger: Logger
    /// Checks tokens against the sessions' present generations.
    package let tokens: TokenAuthority
    /// The keys of programs.
    package let keys: KeyRing
    /// The shop's people.
    package let people: People
    let passwords = Passwords()
    /// Which agents are at the desk.
    let presence = PresenceBook()
    let signInLimits: SignInLimits
    /// Which failed sign-ins are written down: one a minute for each name, and 60 an hour in all. Strangers invent names, and
    /// would push out what the audit is for.
    let failureNotes: FailureLimiter
    let failureNotesInAll: FailureLimiter
    /// The logins of browsers.
    package let logins: LoginRing
    let loginCookie: LoginCookie
    /// Ends what a right has opened when the right ends.
    let access: AccessWatch
    /// Customers who begin by themselves.
    let visitors: Visitors
    let visitorBounds: VisitorBounds
    /// The origins whose pages may show chats.
    let visitorSettings: VisitorSettingsBook
    /// Used by routes and by ``GatewayApplication/issueLaunchPath()``.
    let launchCodes: LaunchCodes
    /// Counts wrong tokens and wrong launch codes together.
    let failures: FailureLimiter
    let hosts: HostList
    /// For the loop's thread only, but for the few methods that say otherwise.
    let hub: StreamHub
    /// For the loop's thread only.
    let metrics: GatewayMetrics
    /// What was requested lately.
    package let requests: RequestRecorder
    package let keysInFlight = KeysInFlight()
    /// The places of pages, and of calls of assistants, that wait for events.
    let waitingPages: PlacePool
    /// The places of searches. Each keeps a processor busy, so few run at a time, and the holders take turns.
    package let searches = PlaceLine(limit: ChatStore.searchLimit, waiting: 512)
    /// How much the sessions' tokens have written lately.
    package let writing: WritingLimits
    /// Knows the server once the application is attached to it.
    package let life = GatewayLife()
    let health: StoreHealth
    let logControl: any LogControl

    init(
        configuration: GatewayConfiguration, store: ChatStore, sessions: Sessions, tokens: TokenSecrets,
        environment: ModelEnvironment, clock: any Clock<Duration>, logger: Logger, logControl: any LogControl
    ) {
        self.configuration = configuration
        currentRules = Mutex(configuration.rules)
        self.store = store
        self.sessions = sessions
        transcripts = ByteShares(of: ByteCounter(limit: ByteBound.transcripts.bytes, within: sessions.memory))
        self.environment = environment
        self.clock = clock
        self.logger = logger
        self.logControl = logControl
        self.tokens = TokenAuthority(
            secrets: tokens, generation: { sessions.generation(of: $0).map { Int($0) } })
        keys = KeyRing(store: store)
        people = People(store: store)
        logins = LoginRing(store: store)
        loginCookie = LoginCookie(instance: store.instance)
        access = AccessWatch()
        launchCodes = LaunchCodes(environment: environment)
        failures = FailureLimiter(limit: configuration.failuresPerMinute, elapsed: clock.stopwatch())
        failureNotes = FailureLimiter(limit: 1, elapsed: clock.stopwatch())
        failureNotesInAll = FailureLimiter(limit: 60, window: .seconds(3600), elapsed: clock.stopwatch())
        signInLimits = SignInLimits(addresses: failures, elapsed: clock.stopwatch())
        hosts = HostList(
            allowed: configuration.rules.allowedHosts, isPublic: configuration.isPublic,
            customers: configuration.customerHost,
            addresses: { [life] in life.loop?.addresses ?? [] })
        hub = StreamHub(log: StoreLog(store: store), random: environment.random)
        metrics = GatewayMetrics()
        waitingPages = PlacePool(limit: configuration.maximumWaitingPages)
        let elapsed = clock.stopwatch()
        let uptime = { @Sendable in Int64(elapsed() / .microseconds(1)) }
        self.uptime = uptime
        writing = WritingLimits(configuration.rules.writing, uptime: uptime)
        visitors = Visitors(tokens: self.tokens, uptime: uptime)
        visitorBounds = VisitorBounds(uptime: uptime)
        visitorSettings = VisitorSettingsBook(allowed: configuration.rules.allowedOrigins)
        let run = String(environment.makeID().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.suffix(6))
        requests = RequestRecorder(run: run, now: environment.now, clock: clock)
        health = StoreHealth(store)
    }
}

extension GatewayCore {
    /// The rules as they are now.
    package var rules: GatewayRules { currentRules.withLock { $0 } }

    /// Follows other rules from now on. What was let in before stays.
    func follow(_ rules: GatewayRules) {
        currentRules.withLock { $0 = rules }
        hosts.allow(rules.allowedHosts)
        visitorSettings.allow(rules.allowedOrigins)
        writing.follow(rules.writing)
    }
}

/// The store keeps what was answered under idempotency keys, as receipts.
extension GatewayCore: CallContext {
    package typealias Writing = Gateway.Writing

    package func outcome(under scope: String) async throws -> (fingerprint: String, outcome: Outcome)? {
        try await store.receipt(scope: scope).map { ($0.fingerprint, $0.outcome) }
    }

    /// Stores the answer's kind and body. Headers are not stored, and neither is a body that does not consist of bytes.
    package func record(_ answer: HTTPResponse, of request: KeyedRequest) async throws {
        let kind: Outcome.Kind = answer.status == 201 ? .created : answer.status == 204 ? .none : .ok
        let body: [UInt8] = if case .bytes(let bytes) = answer.body { bytes } else { [] }
        let receipt = Receipt(
            scope: request.scope, fingerprint: request.fingerprint, holder: request.holder)
        try await store.record(receipt, outcome: Outcome(kind, body: body))
    }

    package func answer(_ outcome: Outcome, to call: Call) -> HTTPResponse { call.outcome(outcome) }
}

/// The server's loop, as far as the gateway uses it. ``HTTPServer`` is the real one; tests bring their own.
public protocol GatewayLoop: AnyObject, Sendable {
    /// Runs a job on the loop's thread, in the order of the calls. Returns false when the loop does not run any more;
    /// the job is dropped then.
    @discardableResult
    func execute(_ job: @escaping @Sendable () -> Void) -> Bool
    /// When the loop last turned. `/livez` fails when that is more than 5 seconds ago.
    var lastTurn: ContinuousClock.Instant { get }
    /// The server's counters, for the metrics.
    var statistics: ServerStatistics { get }
    /// The addresses on which the server listens; complete before it accepts its first connection.
    var addresses: [BoundAddress] { get }
}

extension HTTPServer: GatewayLoop {}

/// The gateway's connection with its server, and whether it is stopping. Any thread may use it.
package final class GatewayLife: Sendable {
    private struct State {
        // Weak, because the server holds the application as its handler.
        weak var loop: (any GatewayLoop)?
        // Weak, because the application holds the core.
        weak var application: GatewayApplication?
        var isDraining = false
    }

    private let state = Mutex(State())

    /// Nil before ``attach(_:)``, and when the server is gone.
    package var loop: (any GatewayLoop)? { state.withLock { $0.loop } }
    /// Whether `/readyz` should say no.
    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// What answers requests, for those that come as one.
    var application: GatewayApplication? { state.withLock { $0.application } }

    func begin(_ application: GatewayApplication) { state.withLock { $0.application = application } }
    /// Remembers the loop weakly, since the server holds the application.
    func attach(_ loop: any GatewayLoop) { state.withLock { $0.loop = loop } }
    /// Cannot be undone: a gateway that drains is about to stop.
    func drain() { state.withLock { $0.isDraining = true } }
}

/// The settings of the gateway. All but ``rules`` are fixed from its start to its end.
public struct GatewayConfiguration: Sendable {
    /// What may change while the gateway runs, as it is at the start.
    public var rules = GatewayRules()
    /// Whether the gateway listens beyond this machine (`--listen-public`). If so, a Host header may be any numeric
    /// address with the gateway's port.
    public var isPublic = false
    /// Whether one of the route groups serves the OpenAPI document: then `/v1/info` links to it.
    public var hasDocument = false
    /// The version of Parley, shown by `/v1/info` and the metrics.
    public var version: String
    /// The number of this gateway's turn at a database that several share, shown by the metrics.
    public var fence: Int64?
    /// The most bytes of a JSON body; a larger one gets 413. Files have limits of their own, by channel.
    public var maximumBody = 1 << 20
    /// Failed tokens and launch codes that one address may send within a minute before it gets 429.
    public var failuresPerMinute = 20
    /// Whether `X-Forwarded-Proto` and `X-Forwarded-Host` are believed (`--trust-proxy`).
    public var trustsProxy = false
    /// How many proxies in front append to `X-Forwarded-For` (`--proxy-hops`); 0 ignores the header.
    public var proxyHops = 0
    /// The most sessions that one combined stream (`/v1/events`) may follow.
    public var maximumStreamSessions = 100
    /// The most pages of events that wait at the same time. It is below the server's limit of requests, so that they
    /// leave room for others.
    public var maximumWaitingPages = 2048

    /// The proxy that signs people in; nil where none does.
    public var identityProxy: IdentityProxy?
    /// What the pages for customers say; nil for a gateway without pages.
    public var customerTexts: CustomerTexts?
    /// The host on which only what customers need is there (`--customer-host`); nil for all hosts alike.
    public var customerHost: String?

    /// An origin as browsers send it; nil for what is none.
    public static func origin(_ text: String) -> String? { WebOrigin(text)?.text }

    /// What `--demo` shows, for the pages to tell of; nil without it.
    public var demonstration: DemonstrationNote?

    public init(version: String) { self.version = version }
}
