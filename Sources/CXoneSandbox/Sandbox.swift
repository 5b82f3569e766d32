import Bounds
import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import HTTPRouting
import LocalService
import Logging
import MicroHTTP
import NIOCore
import NIOPosix
import SandboxKit
import Synchronization

/// Stands in for CXone's chat platform, in front of the embedded service: the platform's real clients can connect
/// to it.
///
/// It serves the platform's HTTP endpoints (``configuration(of:brand:to:)`` and the others of that file) and its
/// WebSocket (``open(_:)``). What clients do is done to the embedded service, and what the store's log says is
/// pushed to them. So the desk, the REST API and the platform's clients show the same state. May be used from any
/// task, unless a member says otherwise.
public final class Sandbox: Sendable {
    let store: ChatStore
    let service: LocalService
    let desk: any DeskService
    /// Ids that stay the same as long as the data folder exists.
    let ids: StableIDs
    let clock: any Clock<Duration>
    /// Errors that people asked for, to test their clients, and what came and was sent last.
    package let faults: FaultRunner
    /// What faults have made of the tokens that were given out.
    let voidTokens = VoidTokens()
    /// For whom apps have acted.
    let apps: AppAccounts
    /// What clients make the sandbox hold, and the places of their sockets.
    let memory: SandboxMemory
    let places: SocketPlaces
    /// Whose frame is handled next, and whose file is written.
    let frameLine: PlaceLine
    let fileLine = PlaceLine(limit: Sandbox.filesAtATime, waiting: 64)
    /// Whose file comes into ``fileLine`` next, of unknown visitors: a `visitorId` is whatever its client likes.
    let visitorsFileLine = PlaceLine(limit: Sandbox.filesAtATime, waiting: 64)
    let largeEvents: LargeEvents
    /// Where the devices of apps are registered; nil: nowhere, nothing is pushed.
    let devices: (any AppDevices)?
    /// Devices that visitors told of before their customer was known.
    let visitorDevices = VisitorDevices()
    private let tokens: TokenIssuer
    private let logger: Logger
    /// Never shut down: sockets may be handed over and written to until the process ends.
    private let group = MultiThreadedEventLoopGroup.singleton

    private struct State {
        var next = 0
        var sessions: [Int: SandboxSession] = [:]
        /// The sessions of each visitor, by their numbers.
        var visitors: [String: [Int: SandboxSession]] = [:]
        var running: [Int: Task<Void, Never>] = [:]
        var listeners: [Int64: [Int: SandboxSession]] = [:]
        var accounts: [Int: Int64] = [:]
        /// The customers of the sessions, by their ids.
        var customers: [Int: String] = [:]
        var isClosed = false
        /// A reset is running: no session begins.
        var isResetting = false

        mutating func unlisten(_ number: Int, account: Int64) {
            listeners[account]?[number] = nil
            if listeners[account]?.isEmpty == true { listeners[account] = nil }
        }
    }
    private let state = Mutex(State())
    private let subscription = Mutex<Subscription?>(nil)
    private let leaving = Callback<String, Void>()

    /// How long tokens are valid, in seconds.
    static let tokenLifetime = 3600
    /// The same of identity tokens, which stand for a browser's cookie: a year.
    static let identityLifetime = 365 * 24 * 3600
    /// The most clients at a time, of which each holder has its share (``SocketHolder``); a further one is refused. This
    /// is a limit of its own, because the server does not count sockets that it has handed over.
    static let sessionLimit: Int = mostSessions(descriptors: descriptorLimit())

    /// Frames of all clients that are handled at a time. Most of them wait for the same commit.
    static let framesAtATime = 1024
    /// Files that are decoded and written at a time; of one holder, one.
    static let filesAtATime = 4

    /// At most a quarter of the process's file descriptors, and at most 10,000.
    static func mostSessions(descriptors: Int) -> Int { min(10_000, max(1, descriptors / 4)) }

    /// Makes the sandbox and subscribes to the store's events. Call ``close()`` before the store is closed.
    ///
    /// - Parameters:
    ///   - service: the embedded service that clients act on.
    ///   - key: signs the tokens; a secret of the data folder.
    ///   - devices: where apps' devices are registered; nil: nothing is pushed.
    ///   - memory: counts the bytes of the process.
    ///   - socketLimit: the most clients at a time.
    public init(
        store: ChatStore, service: LocalService, key: [UInt8], clock: any Clock<Duration>, logger: Logger,
        devices: (any AppDevices)? = nil, memory: ByteCounter = ByteCounter(limit: ByteBound.memory.bytes),
        socketLimit: Int? = nil
    ) {
        let socketLimit = socketLimit ?? Self.sessionLimit
        self.memory = SandboxMemory(within: memory)
        places = SocketPlaces(limit: socketLimit)
        // Each socket has one frame at a time in the line, and the shares are the same: nobody is refused.
        frameLine = PlaceLine(limit: Self.framesAtATime, waiting: socketLimit)
        self.store = store
        self.devices = devices
        self.service = service
        desk = service.desk
        ids = StableIDs(seed: store.instance)
        self.clock = clock
        self.logger = logger
        tokens = TokenIssuer(key: key)
        faults = FaultRunner(
            Self.faultKinds, frames: SandboxFrames(hiding: .cxone, store.environment), clock: clock,
            environment: store.environment)
        apps = AppAccounts(of: Self.ownService, on: service, in: store)
        largeEvents = LargeEvents(environment: store.environment, brand: ids.brand)
        let made = store.feed.subscribe { [weak self] events in self?.heard(events) }
        subscription.withLock { $0 = made }
        faults.onImmediate { [weak self] in self?.happen($0) ?? false }
    }

    // MARK: What there is

    /// The tenant's number, from 100000 to 999999. It depends on the data folder only, so an app keeps its
    /// configuration.
    public var brandID: Int { ids.brand }

    /// All entry points: each embedded channel with each kind of authorization, anonymous first. Their ids do not
    /// change.
    public func channels() async throws(ChatError) -> [SandboxChannel] { faces(of: try await desk.channels()) }

    private func faces(of embedded: [ChatModel.Channel]) -> [SandboxChannel] {
        embedded.flatMap { channel in
            SandboxAuthorization.allCases.map { authorization in
                let name = authorization == .anonymous ? channel.id : "\(channel.id)\n\(authorization.rawValue)"
                return SandboxChannel(
                    id: "chat_" + ids.uuid("channel\n\(name)"), channel: channel.id, authorization: authorization)
            }
        }
    }

    /// The entry point with that id. Throws `unknownChannel`, also for another brand.
    func face(_ id: String, brand: Int) async throws(ChatError) -> SandboxChannel {
        try face(id, brand: brand, among: try await channels())
    }

    private func face(_ id: String, brand: Int, among all: [SandboxChannel]) throws(ChatError) -> SandboxChannel {
        guard brand == ids.brand, let face = all.first(where: { $0.id == id }) else {
            throw ChatError(.unknownChannel, "The sandbox has no such brand and channel.")
        }
        return face
    }

    // MARK: Sessions

    /// Begins a session on a socket that speaks WebSocket already. After ``close()`` the socket is closed without a close
    /// frame.
    func begin(_ session: SandboxSession, on socket: any SandboxSocket) {
        let isOpen = state.withLock { state in
            guard !state.isClosed, !state.isResetting, state.sessions[session.number] == nil else { return false }
            state.sessions[session.number] = session
            if let visitor = session.visitor { state.visitors[visitor, default: [:]][session.number] = session }
            state.running[session.number] = Task {
                await session.run(socket)
                forget(session)
            }
            return true
        }
        guard isOpen else { return socket.abort() }
        log(.debug, "socket opened", session, [:])
    }

    /// A number for a new session, unique in the process; the log names sessions by it.
    func nextNumber() -> Int {
        state.withLock { state in
            state.next += 1
            return state.next
        }
    }

    /// From now on the session is woken by events of the account. A session listens to one account: a former one
    /// is dropped.
    func listen(_ session: SandboxSession, account: Int64, customer: String) {
        state.withLock { state in
            state.customers[session.number] = customer
            if let former = state.accounts[session.number] { state.unlisten(session.number, account: former) }
            state.accounts[session.number] = account
            state.listeners[account, default: [:]][session.number] = session
        }
    }

    private func forget(_ session: SandboxSession) {
        largeEvents.forget(session.number)
        session.place?.leave()
        let isGone = state.withLock { state in
            (state.sessions[session.number], state.running[session.number]) = (nil, nil)
            state.customers[session.number] = nil
            if let visitor = session.visitor {
                state.visitors[visitor]?[session.number] = nil
                if state.visitors[visitor]?.isEmpty == true { state.visitors[visitor] = nil }
            }
            guard let account = state.accounts.removeValue(forKey: session.number) else { return false }
            state.unlisten(session.number, account: account)
            return state.listeners[account] == nil
        }
        if isGone, let visitor = session.visitor { leaving(Self.holder(visitor)) }
    }

    /// Sets who is told when the last socket of a customer closes.
    ///
    /// - Parameter tell: gets the holder of the device. It must be quick and must not block.
    public func onLeaving(_ tell: @escaping @Sendable (String) -> Void) { leaving.set(tell) }

    /// Whether any client acts for the account now, on any of its sockets.
    func isConnected(_ account: Int64) -> Bool { state.withLock { $0.listeners[account] != nil } }

    /// The accounts that the visitor's open sockets act for, each with its entry point.
    func accounts(of visitor: String) -> [(account: Int64, face: SandboxChannel)] {
        state.withLock { state in
            (state.visitors[visitor] ?? [:]).values.compactMap { session in
                state.accounts[session.number].map { ($0, session.face) }
            }
        }
    }

    /// The customer for whom an open socket of a visitor acts; nil if none is known. Asked for each request over HTTP.
    func customer(ofVisitor visitor: String) -> String? {
        state.withLock { state in
            for number in (state.visitors[visitor] ?? [:]).keys {
                if let customer = state.customers[number] { return customer }
            }
            return nil
        }
    }

    /// The embedded channel behind an entry point's id; nil if there is none.
    func embedded(_ channel: String) async -> String? {
        channel.isEmpty ? nil : try? await face(channel, brand: ids.brand).channel
    }

    /// Wakes the sessions that an event concerns. Called on the store's writing thread, so it must be quick.
    private func heard(_ events: [ChatEvent]) {
        state.withLock { state in
            guard !state.listeners.isEmpty else { return }
            for event in events {
                for case .account(let account) in event.audiences {
                    guard let sessions = state.listeners[account]?.values else { continue }
                    for session in sessions {
                        if event.offset == nil { session.inbox.put(live: .live(event)) } else { session.inbox.wake() }
                    }
                }
            }
        }
    }

    /// Pushes an event that the log does not have to the customer's other clients. It is lost for a client that is
    /// behind.
    ///
    /// - Parameter byteCount: about what the event takes in memory.
    func tellOthers(_ event: PushEvent, of byteCount: Int, than session: SandboxSession) {
        state.withLock { state in
            guard let account = state.accounts[session.number] else { return }
            for (number, other) in state.listeners[account] ?? [:] where number != session.number {
                other.inbox.put(live: .push(event, byteCount: byteCount))
            }
        }
    }

    /// The sessions whose sockets are open, oldest first.
    var openSessions: [SandboxSession] {
        state.withLock { $0.sessions.values.sorted { $0.number < $1.number } }
    }

    /// How many clients are connected.
    public var sessionCount: Int { state.withLock { $0.sessions.count } }

    /// Closes all sockets with 1001 and refuses new ones until ``reopen()``. Returns how many there were, when all
    /// sessions have ended.
    func closeAll() async -> Int {
        let sessions = state.withLock { state in
            state.isResetting = true
            return Array(state.sessions.values)
        }
        for session in sessions {
            await session.close(.goingAway)
            session.inbox.finish()
        }
        for running in state.withLock({ Array($0.running.values) }) { await running.value }
        return sessions.count
    }

    /// Lets sessions begin again, the first with number 1.
    func reopen() {
        state.withLock { state in
            state.isResetting = false
            state.next = 0
        }
    }

    /// Closes all sockets with 1001 and refuses new ones. Returns when all sessions have ended.
    public func close() async {
        let sessions = state.withLock { state in
            state.isClosed = true
            return Array(state.sessions.values)
        }
        subscription.withLock { $0 }?.cancel()
        for session in sessions {
            await session.close(.goingAway)
            session.inbox.finish()
        }
        for running in state.withLock({ Array($0.running.values) }) { await running.value }
    }

    /// Takes over the connection of an upgraded request, and owns its descriptor from then on.
    func adopt(_ socket: UpgradedSocket, for session: SandboxSession) {
        let inbox = session.inbox
        AdoptedSocket.adopt(socket, on: group, memory: session.memory) { [self] in
            begin(session, on: $0)
        } tell: {
            inbox.put($0)
        }
    }

    // MARK: Tokens

    /// A signed token for the customer on this entry point.
    ///
    /// - Parameter lifetime: in seconds.
    func token(
        _ kind: TokenClaims.Kind, _ key: AccountKey, _ face: SandboxChannel, lifetime: Int = tokenLifetime
    ) -> String {
        let now = store.environment.now()
        return tokens.token(
            TokenClaims(
                kind: kind, customer: key.customer, channel: face.id, issuedAt: now,
                expiresAt: now.advanced(byMilliseconds: Int64(lifetime) * 1000), nonce: makeID()))
    }

    /// The claims of a token of this kind for this entry point, even if it has expired (``isExpired(_:)``). Nil
    /// for any other text.
    func claims(_ token: String, _ kind: TokenClaims.Kind, on face: SandboxChannel) -> TokenClaims? {
        tokens.claims(token, kind: kind).flatMap { $0.channel == face.id ? $0 : nil }
    }

    /// Whether the token's time is over, or a fault made it void.
    func isExpired(_ claims: TokenClaims) -> Bool {
        claims.expiresAt <= store.environment.now() || voidTokens.contains(claims)
    }

    /// The customer whom an identity token names, also after their other tokens were made void; nil for any other text.
    func identity(_ token: String, on face: SandboxChannel) -> String? {
        claims(token, .identity, on: face).flatMap { $0.expiresAt > store.environment.now() ? $0.customer : nil }
    }

    /// The customer id that an authorization code stands for. Equal codes give equal ids: there is no real login.
    func customer(ofCode code: String) -> String { ids.uuid("code\n\(code)") }

    // MARK: Small things

    /// A new id.
    public func makeID() -> String { store.environment.makeID() }

    /// Logs at level debug. Of what clients sent only the names of types may be logged.
    func log(_ what: Logger.Message, _ metadata: Logger.Metadata) { logger.debug(what, metadata: metadata) }

    /// Logs something about a session. Nothing that a client sent is logged.
    func log(_ level: Logger.Level, _ what: Logger.Message, _ session: SandboxSession, _ metadata: Logger.Metadata) {
        var metadata = metadata
        metadata["socket"] = "\(session.number)"
        logger.log(level: level, what, metadata: metadata)
    }
}
