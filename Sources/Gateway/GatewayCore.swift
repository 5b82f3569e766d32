import Bounds
import Chat
import ChatModel
import ChatStore
import HTTPRouting
import Logging
import MicroHTTP

/// The objects that all routes share: the context of every call. Immutable, so any thread may use it; some of its
/// objects belong to the loop's thread and say so.
package final class GatewayCore: Sendable {
    let configuration: GatewayConfiguration
    let store: ChatStore
    let sessions: Sessions
    /// What transcripts hold that are being sent, for each holder.
    let transcripts: ByteShares
    /// Time, ids and randomness; tests replace them.
    let environment: ModelEnvironment
    /// Microseconds since the start, on a clock that never goes back: for limits of how often something may be done.
    let uptime: @Sendable () -> Int64
    /// What waits, waits by this clock.
    let clock: any Clock<Duration>
    let logger: Logger
    /// Checks tokens against the sessions' present generations.
    let tokens: TokenAuthority
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
    let requests: RequestRecorder
    package let keysInFlight = KeysInFlight()
    /// The places of pages, and of calls of assistants, that wait for events.
    let waitingPages: PlacePool
    /// The places of searches. Each keeps a processor busy, so few run at a time, and the holders take turns.
    let searches = PlaceLine(limit: ChatStore.searchLimit, waiting: 512)
    /// The turns of pages below `/docs`, and of the document, that have to be made. One at a time is made, so the holders
    /// take turns: strangers who ask for a thousand pages keep nobody waiting but for the one that is being made.
    let documents = PlaceLine(limit: 1, waiting: 512)
    /// How much the sessions' tokens have written lately.
    let writing: WritingLimits
    /// Knows the server once the application is attached to it.
    let life = GatewayLife()
    let health: StoreHealth
    let logControl: any LogControl

    init(
        configuration: GatewayConfiguration, store: ChatStore, sessions: Sessions, tokens: TokenSecrets,
        environment: ModelEnvironment, clock: any Clock<Duration>, logger: Logger, logControl: any LogControl
    ) {
        self.configuration = configuration
        self.store = store
        self.sessions = sessions
        transcripts = ByteShares(of: ByteCounter(limit: ByteBound.transcripts.bytes, within: sessions.memory))
        self.environment = environment
        self.clock = clock
        self.logger = logger
        self.logControl = logControl
        self.tokens = TokenAuthority(
            secrets: tokens, instance: store.instance, generation: { sessions.generation(of: $0).map { Int($0) } })
        launchCodes = LaunchCodes(environment: environment)
        failures = FailureLimiter(limit: configuration.failuresPerMinute, elapsed: clock.stopwatch())
        hosts = HostList(
            allowed: configuration.allowedHosts, isPublic: configuration.isPublic,
            addresses: { [life] in life.loop?.addresses ?? [] })
        hub = StreamHub(log: StoreLog(store: store), random: environment.random)
        metrics = GatewayMetrics()
        waitingPages = PlacePool(limit: configuration.maximumWaitingPages)
        let begun = ContinuousClock.now
        let uptime = { @Sendable in Int64((ContinuousClock.now - begun) / .microseconds(1)) }
        self.uptime = uptime
        writing = WritingLimits(configuration.writing, uptime: uptime)
        requests = RequestRecorder(now: environment.now, clock: clock)
        health = StoreHealth(store)
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
