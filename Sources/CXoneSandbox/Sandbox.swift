import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import LocalService
import Logging
import MicroHTTP
import NIOCore
import NIOPosix
import Synchronization

/// CXone's chat platform in front of the embedded service: real clients of the platform can be pointed at it.
///
/// It serves the platform's HTTP endpoints (``configuration(of:brand:to:)`` and its kin) and its WebSocket
/// (``open(_:)``). What clients do there is done to the embedded service, and what the log says is pushed to them, so that
/// the desk, the REST API and the platform's clients see one truth.
public final class Sandbox: Sendable {
    let store: ChatStore
    let service: LocalService
    let desk: any DeskService
    let ids: StableIDs
    let clock: any Clock<Duration>
    let faults = FaultBook()
    let largeEvents: LargeEvents
    let unfinished = UnfinishedMessages()
    /// Where the devices of apps are registered; nil: nowhere, nothing is pushed.
    let devices: (any AppDevices)?
    let visitorDevices = VisitorDevices()
    private let tokens: TokenIssuer
    private let logger: Logger
    /// Lives as long as the process: sockets may be handed over, and written to, until its end.
    private let group = MultiThreadedEventLoopGroup.singleton

    private struct State {
        var next = 0
        var sessions: [Int: SandboxSession] = [:]
        var running: [Int: Task<Void, Never>] = [:]
        var listeners: [Int64: [Int: SandboxSession]] = [:]
        var accounts: [Int: Int64] = [:]
        var isClosed = false

        mutating func unlisten(_ number: Int, account: Int64) {
            listeners[account]?[number] = nil
            if listeners[account]?.isEmpty == true { listeners[account] = nil }
        }
    }
    private let state = Mutex(State())
    private let subscription = Mutex<Subscription?>(nil)
    private let leaving = Callback<String, Void>()

    /// Seconds for which tokens are valid.
    static let tokenLifetime = 3600
    /// Clients at a time. The server does not count the sockets that it has handed over among its connections.
    static let sessionLimit: Int = mostSessions(descriptors: descriptorLimit())

    /// A quarter of the descriptors at most.
    static func mostSessions(descriptors: Int) -> Int { min(10_000, max(1, descriptors / 4)) }

    /// - Parameters:
    ///   - key: what tokens are signed with; a secret of the data folder.
    ///   - devices: where apps' devices are registered; nil: nowhere.
    public init(
        store: ChatStore, service: LocalService, key: [UInt8], clock: any Clock<Duration>, logger: Logger,
        devices: (any AppDevices)? = nil
    ) {
        self.store = store
        self.devices = devices
        self.service = service
        desk = service.desk
        ids = StableIDs(seed: store.instance)
        self.clock = clock
        self.logger = logger
        tokens = TokenIssuer(key: key)
        largeEvents = LargeEvents(environment: store.environment, brand: ids.brand)
        let made = store.feed.subscribe { [weak self] events in self?.heard(events) }
        subscription.withLock { $0 = made }
    }

    // MARK: What there is

    /// The tenant's number, the same as long as the data folder lives.
    public var brandID: Int { ids.brand }

    /// All entry points: each embedded channel in each way of authorising, anonymous first.
    public func channels() async throws(ChatError) -> [SandboxChannel] { faces(of: try await desk.channels()) }

    @available(*, noasync, message: "Only the server's loop reads on its own thread. Use the asynchronous function.")
    public func channels() throws(ChatError) -> [SandboxChannel] { faces(of: try desk.channels()) }

    private func faces(of embedded: [ChatModel.Channel]) -> [SandboxChannel] {
        embedded.flatMap { channel in
            SandboxAuthorization.allCases.map { authorization in
                let name = authorization == .anonymous ? channel.id : "\(channel.id)\n\(authorization.rawValue)"
                return SandboxChannel(
                    id: "chat_" + ids.uuid("channel\n\(name)"), channel: channel.id, authorization: authorization)
            }
        }
    }

    /// Throws `unknownChannel`.
    func face(_ id: String, brand: Int) async throws(ChatError) -> SandboxChannel {
        try face(id, brand: brand, among: try await channels())
    }

    @available(*, noasync)
    func face(_ id: String, brand: Int) throws(ChatError) -> SandboxChannel {
        try face(id, brand: brand, among: try channels())
    }

    private func face(_ id: String, brand: Int, among all: [SandboxChannel]) throws(ChatError) -> SandboxChannel {
        guard brand == ids.brand, let face = all.first(where: { $0.id == id }) else {
            throw ChatError(.unknownChannel, "The sandbox has no such brand and channel.")
        }
        return face
    }

    // MARK: Sessions

    /// Begins a session on a socket that speaks WebSocket already.
    func begin(_ session: SandboxSession, on socket: any SandboxSocket) {
        let isOpen = state.withLock { state in
            guard !state.isClosed, state.sessions.count < Self.sessionLimit else { return false }
            state.sessions[session.number] = session
            state.running[session.number] = Task {
                await session.run(socket)
                forget(session)
            }
            return true
        }
        guard isOpen else { return socket.abort() }
        log(.debug, "socket opened", session, [:])
    }

    func nextNumber() -> Int {
        state.withLock { state in
            state.next += 1
            return state.next
        }
    }

    /// The session hears of the account from now on.
    func listen(_ session: SandboxSession, account: Int64) {
        state.withLock { state in
            if let former = state.accounts[session.number] { state.unlisten(session.number, account: former) }
            state.accounts[session.number] = account
            state.listeners[account, default: [:]][session.number] = session
        }
    }

    private func forget(_ session: SandboxSession) {
        largeEvents.forget(session.number)
        let isGone = state.withLock { state in
            (state.sessions[session.number], state.running[session.number]) = (nil, nil)
            guard let account = state.accounts.removeValue(forKey: session.number) else { return false }
            state.unlisten(session.number, account: account)
            return state.listeners[account] == nil
        }
        if isGone, let visitor = session.visitor { leaving(Self.holder(visitor)) }
    }

    /// - Parameter tell: called with the holder of a device whose customer has closed the last socket; it must be quick.
    public func onLeaving(_ tell: @escaping @Sendable (String) -> Void) { leaving.set(tell) }

    /// Whether a client acts for the account now.
    func isConnected(_ account: Int64) -> Bool { state.withLock { $0.listeners[account] != nil } }

    /// For which accounts a visitor's clients act now.
    func accounts(of visitor: String) -> [(account: Int64, face: SandboxChannel)] {
        state.withLock { state in
            state.sessions.values.filter { $0.visitor == visitor }.compactMap { session in
                state.accounts[session.number].map { ($0, session.face) }
            }
        }
    }

    /// On the writer's thread: wakes those whom an event concerns.
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

    /// Tells the customer's other clients something that is in no log.
    func tellOthers(_ event: PushEvent, than session: SandboxSession) {
        state.withLock { state in
            guard let account = state.accounts[session.number] else { return }
            for (number, other) in state.listeners[account] ?? [:] where number != session.number {
                other.inbox.put(live: .push(event))
            }
        }
    }

    /// How many clients are connected.
    public var sessionCount: Int { state.withLock { $0.sessions.count } }

    /// Says goodbye to all clients, and takes no more. Returns when nothing works for them any more.
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

    /// Takes over a connection that has left HTTP.
    func adopt(_ socket: UpgradedSocket, for session: SandboxSession) {
        let inbox = session.inbox
        AdoptedSocket.adopt(socket, on: group, unfinished: unfinished) { [self] in
            begin(session, on: $0)
        } tell: {
            inbox.put($0)
        }
    }

    // MARK: Tokens

    func token(_ kind: TokenClaims.Kind, _ key: AccountKey, _ face: SandboxChannel) -> String {
        let now = store.environment.now()
        return tokens.token(TokenClaims(
            kind: kind, customer: key.customer, channel: face.id, issuedAt: now,
            expiresAt: now.advanced(byMilliseconds: Int64(Self.tokenLifetime) * 1000), nonce: makeID()))
    }

    /// What a token of this channel says, valid or expired; nil for any other text.
    func claims(_ token: String, _ kind: TokenClaims.Kind, on face: SandboxChannel) -> TokenClaims? {
        tokens.claims(token, kind: kind).flatMap { $0.channel == face.id ? $0 : nil }
    }

    func isExpired(_ claims: TokenClaims) -> Bool { claims.expiresAt <= store.environment.now() || faults.isVoid(claims) }

    /// Whom an authorization code stands for: the same code is the same person.
    func customer(ofCode code: String) -> String { ids.uuid("code\n\(code)") }

    // MARK: Faults

    /// What is going to go wrong, in order.
    public var pendingFaults: [Fault] { faults.all }

    /// Asks for a fault; those of what is there now happen at once. False when too many are due already.
    public func add(_ fault: Fault) -> Bool {
        switch fault.kind {
        case .dropSocket:
            let sessions = state.withLock { state in Array(state.sessions.values) }
            for session in sessions {
                Task {
                    if fault.customer == nil { return await session.drop() }
                    if await session.identity?.key.customer == fault.customer { await session.drop() }
                }
            }
            return true
        case .expireToken:
            return faults.expireTokens(of: fault.customer, at: store.environment.now())
        default: return faults.add(fault)
        }
    }

    public func removeFaults() { faults.removeAll() }

    // MARK: Small things

    /// A new id.
    public func makeID() -> String { store.environment.makeID() }

    /// Logs something at level debug. Nothing that a client sent is logged but the names of types.
    func note(_ what: Logger.Message, _ metadata: Logger.Metadata) { logger.debug(what, metadata: metadata) }

    /// Logs something about a session. Nothing that a client sent is logged.
    func log(_ level: Logger.Level, _ what: Logger.Message, _ session: SandboxSession, _ metadata: Logger.Metadata) {
        var metadata = metadata
        metadata["socket"] = "\(session.number)"
        logger.log(level: level, what, metadata: metadata)
    }
}
