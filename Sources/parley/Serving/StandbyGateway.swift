import Bounds
import ChatModel
import ChatStore
import Dispatch
import Formats
import Foundation
import Gateway
import HTTPRouting
import Logging
import MicroHTTP
import PostgresStore
import Synchronization

/// A gateway on PostgreSQL before it may serve: it listens and answers as a standby, and tries to get the lease. When it
/// has it, the gateway starts on the same server.
///
/// A gateway that cannot renew the lease for some seconds answers as a standby, and keeps its streams open. It goes on when
/// the database is back, unless another gateway has taken over.
///
/// A gateway that has lost the lease ends, with ``lostStatus``. It does not become a standby again: its sessions, sockets
/// and caches are those of a time when it was alone, and a new process has none of them. systemd starts it again.
final class StandbyGateway: Sendable {
    /// The exit status after a loss of the lease: EX_TEMPFAIL of sysexits.h, start it again.
    static let lostStatus: Int32 = 75
    /// How long a gateway that could not take over waits before it ends. Longer than systemd's limit for starts counts.
    static let pauseAfterFailure = Duration.seconds(11)

    let server: HTTPServer
    let folder: DataFolder
    /// Counts what the process holds in memory for its clients, as a standby and after it.
    let memory: ByteCounter
    private static let waiting = "Another gateway serves the database. This one takes over when that one ends."

    private let handler: HandlerSwitch
    private let answers: StandbyApplication
    /// Passes requests on while this gateway is a standby; nil without `--advertise`.
    private let relay: RequestRelay?
    /// Where the other gateways reach this one (`--advertise`); nil for its first address.
    private let advertised: String?
    private let logger: Logger
    private let options: PostgresOptions
    private let key: [UInt8]
    /// Of the gateway's tokens, the present one first.
    private let tokenDigests: Mutex<[Int64]>
    private let settings: Settings
    private let notices: NotifySocket?
    private let lease = Mutex<PostgresLease?>(nil)
    /// The search index, until the gateway's own store has it.
    private let search = Mutex<StandbySearch?>(nil)
    private let loss = Mutex<LeaseLoss?>(nil)
    private let handsOver = Mutex(false)
    /// How often the gateway was suspended.
    private let suspensions = Mutex(0)

    init(_ address: String, _ settings: Settings, log: LogOutput, supervisor: Supervisor) throws {
        var options = try PostgresOptions(address: address, readers: settings.number(.storeReaders), gateway: "")
        folder = try DataFolder(settings.string(.data))
        let key = try folder.secret("key", from: settings.string(.keyFile))
        let tokens = try folder.tokens(settings)
        let advertised = try AdvertisedAddress(settings)
        relay = advertised == nil ? nil : RequestRelay()
        self.advertised = advertised?.url
        answers = StandbyApplication(
            Self.waiting, version: Parley.version,
            secrets: TokenSecrets(gatewayTokens: tokens.map(Base64URL.encode), key: key), forwarder: relay,
            allowedHosts: try GatewayRules(settings, shop: []).allowedHosts, isPublic: settings.flag(.listenPublic))
        handler = HandlerSwitch(answers)
        memory = ByteCounter(limit: settings.number(.memoryLimit))
        server = HTTPServer(
            configuration: try GatewayService.serving(settings, supervisor, memory), handler: handler)
        logger = log.logger("lease")
        self.settings = settings
        options.keyDigest = Self.digest(ofKey: key)
        self.options = options
        self.key = key
        tokenDigests = Mutex(tokens.map { Self.digest(ofToken: $0, key: key) })
        notices = supervisor.notices
    }

    /// What tells a key from others, and says nothing of it.
    static func digest(ofKey key: [UInt8]) -> [UInt8] {
        MessageAuthentication(key: key).code(for: Array("the key of gateways on one database".utf8))
    }

    /// The same of the token: a number, of 63 bits.
    private static func digest(ofToken token: [UInt8], key: [UInt8]) -> Int64 {
        let code = MessageAuthentication(key: key).code(for: Array("the token of gateways: ".utf8) + token)
        return code.prefix(8).reduce(0) { ($0 << 8 | Int64($1)) } & .max
    }

    /// Why the lease was lost; nil while it was not.
    var lost: LeaseLoss? { loss.withLock { $0 } }

    /// Listens, and begins to look for the lease. The news goes to the listener.
    func start(_ listener: @escaping @Sendable (LeaseNews) -> Void) throws {
        try server.start()
        let urls = server.addresses.compactMap(GatewayService.url)
        if let url = urls.first { try folder.write(url + "\n", to: "address") }
        answers.listens(at: server.addresses)
        let lease = PostgresLease(
            namedOptions, url: advertised ?? urls.first ?? "", environment: .system, listener: listener)
        self.lease.withLock { $0 = lease }
        search.withLock { [folder] in $0 = StandbySearch(namedOptions, folder: folder.path) }
        lease.start()
        // A standby has started, as far as the service manager is concerned.
        notices?.notify("READY=1", "STATUS=Waiting for the lease.")
    }

    /// Takes news of the lease while it is waited for: logs them, answers with them, and begins the search index when the
    /// database has tables.
    func handle(_ news: LeaseNews) {
        switch news {
        case .away(let reason):
            answers.explain("The database cannot be reached.")
            handler.letGo()
            logger.warning("the database cannot be reached", metadata: ["error": "\(reason)"])
        case .standby(let holder, let url):
            answers.explain(Self.waiting)
            relay?.turn(to: AdvertisedAddress(url)?.url)
            handler.letGo()
            // The database has tables by now.
            search.withLock { $0 }?.start()
            logger.info("standby", metadata: ["active": "\(holder)"])
        case .leaving:
            // Whoever asks here meanwhile is answered when this gateway serves, which is soon.
            handler.hold(atMost: Self.longestWait)
            logger.info("the active gateway hands over")
        case .active(let fence):
            answers.explain("This gateway is taking over.")
            relay?.turn(to: nil)
            handler.hold(atMost: Self.longestWait)
            logger.notice("active", metadata: ["name": "\(fence.holder)", "fence": "\(fence.number)"])
        case .reconnected, .suspended, .resumed, .lost, .refused: break
        }
    }

    /// Answers as a standby while the database is away. Open streams stay open.
    func suspend() {
        answers.explain("The database cannot be reached.")
        suspensions.withLock { count in
            count += 1
            handler.turn(to: answers)
        }
        logger.error("suspended: the database cannot be reached, and nothing is written")
    }

    /// The gateway answers again when the check has ended, unless it is suspended anew meanwhile: the database is back,
    /// and nobody else has written.
    ///
    /// - Parameter begin: called if it answers again. It must not block.
    func resume(_ application: GatewayApplication, after check: () async -> Void, begin: () -> Void) async {
        let count = suspensions.withLock { $0 }
        await check()
        let isResumed = suspensions.withLock { now in
            guard now == count else { return false }
            handler.turn(to: application)
            begin()
            return true
        }
        if isResumed { logger.notice("resumed: the database is back") }
    }

    /// Opens the database for writing under the fence.
    func open(_ fence: PostgresFence, _ options: StoreOptions) async throws -> ChatStore {
        var postgres = namedOptions
        let (lease, search) = (lease.withLock { $0 }, search.withLock { $0 })
        postgres.fence = fence
        postgres.mayWrite = { lease?.isHeld ?? false }
        postgres.onOtherHolder = { lease?.noteOtherHolder() }
        return try await Self.blocking { [folder, postgres] in
            search?.close()
            return try ChatStore.open(postgres: postgres, folder: folder.path, options: options, environment: .system)
        }
    }

    /// Takes other names of hosts, and other tokens, in place of those so far, as a standby.
    func follow(_ rules: GatewayRules, tokens: [[UInt8]]) {
        answers.allow(hosts: rules.allowedHosts)
        replaceTokens(tokens)
    }

    /// Takes other tokens in place of those so far, as a standby. They are compared with the database's at the
    /// takeover.
    func replaceTokens(_ tokens: [[UInt8]]) {
        tokenDigests.withLock { $0 = tokens.map { Self.digest(ofToken: $0, key: key) } }
        answers.replaceGatewayTokens(tokens.map(Base64URL.encode))
    }

    /// Replaces the tokens of the active gateway, and stores the digest of the present one in the database. A standby
    /// without that token is refused when it takes over.
    func keep(_ tokens: [[UInt8]], in store: ChatStore) async throws {
        replaceTokens(tokens)
        guard let present = tokenDigests.withLock({ $0 }).first else { return }
        try await store.write { try $0.keepTokenDigest(present) }
    }

    /// How long the active gateway goes on after it has told the standbys: until they have seen it, and until a proxy
    /// asks them again that they have refused (PostgreSQL.md, `fail_timeout`).
    private static let notice = Duration.seconds(3)
    /// How long a request waits for the gateway that serves next. A proxy gives it up after ten seconds, and a takeover
    /// that was not planned may take longer: then a client is told to come again.
    private static let longestWait = Duration.seconds(8)
    /// How long requests are waited for that were begun before.
    private static let patience = Duration.seconds(2)

    /// How long those who wait go on waiting when the lease is given back: until the standby serves, and a proxy has
    /// seen that it does. It would give up a request that both gateways refuse.
    private static let succession = Duration.seconds(1)

    /// Whether this gateway gives the lease to a standby that is prepared for it.
    var isHandingOver: Bool { handsOver.withLock { $0 } }

    /// Prepares a standby to take over, while this gateway goes on. Returns false if there is none: then nothing has
    /// changed.
    func beginHandover() async -> Bool {
        let lease = lease.withLock { $0 }
        guard await lease?.leave() == true else {
            logger.warning("there is no standby to hand over to")
            return false
        }
        logger.notice("handing over to a standby")
        try? await Task.sleep(for: Self.notice)
        guard await lease?.leave() == true else {
            logger.warning("the standby is gone: this gateway goes on")
            return false
        }
        return true
    }

    /// From now on requests wait for the gateway that serves next.
    func holdRequests() {
        handsOver.withLock { $0 = true }
        handler.hold(atMost: Self.longestWait)
    }

    /// Returns when what was begun before the handover is answered, or takes too long.
    func finishRequests() async {
        await handler.finishRunning(within: Self.patience)
    }

    /// Gives the lease to the standby, and tells those who have waited to ask there. When nothing writes any more.
    func handOver() async {
        await release()
        try? await Task.sleep(for: Self.succession)
        answers.explain("Another gateway has taken over.")
        handler.turn(to: answers)
    }

    /// The gateway answers from now on.
    func serve(_ application: GatewayApplication) { handler.turn(to: application) }

    /// Answers as a standby again, because the lease was lost. The process is about to end.
    func stepDown(_ loss: LeaseLoss) {
        self.loss.withLock { $0 = loss }
        answers.explain("This gateway has lost the lease, and ends.")
        suspensions.withLock { count in
            count += 1
            handler.turn(to: answers)
        }
        let reason =
            switch loss {
            case .superseded: "another gateway has taken over"
            case .notRenewed: "the lease could not be renewed for \(PostgresLease.longestSuspension)"
            }
        logger.critical("stepping down: nothing more is written here", metadata: ["reason": "\(reason)"])
    }

    /// Gives the lease back, so that a standby takes over at once.
    func release() async {
        let lease = lease.withLock { $0 }
        try? await Self.blocking { if let lease { lease.release() } }
    }

    /// Gives the lease back because the gateway could not be made, and says why to whoever asks. The process is to end after
    /// ``pauseAfterFailure``.
    func giveUp(_ reason: String) async {
        answers.explain("This gateway could not take over: \(reason)")
        handler.letGo()
        logger.critical(
            "this gateway could not take over; it ends, and has to be started again",
            metadata: ["error": "\(reason)", "endsInSeconds": "\(Self.pauseAfterFailure.components.seconds)"])
        await release()
    }

    /// Ends a gateway that never became active.
    func stop() async {
        let search = search.withLock { $0 }
        try? await Self.blocking { search?.close() }
        await release()
        await server.stop(grace: .seconds(1))
        folder.remove("address")
        logger.info("stopped")
    }

    /// The options under the name that this gateway has since it listens.
    private var namedOptions: PostgresOptions {
        var options = options
        options.gateway = name
        options.tokenDigests = { [weak self] in self?.tokenDigests.withLock { $0 } ?? [] }
        return options
    }

    /// What `--gateway-name` says; otherwise the host, and the first port.
    private var name: String {
        let name = settings.string(.gatewayName)
        guard name.isEmpty else { return name }
        var host = [CChar](repeating: 0, count: 256)
        let isKnown = gethostname(&host, 255) == 0
        let bytes = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let text = isKnown ? String(decoding: bytes, as: UTF8.self) : "gateway"
        for case .tcp(_, let port) in server.addresses { return "\(text):\(port)" }
        return text
    }

    /// Runs what waits for the network on a thread that may wait.
    private static func blocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }
}
