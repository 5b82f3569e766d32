import Chat
import ChatModel
import ChatStore
import CXoneWire
import DequeModule
import Formats
import LocalService

/// One client's connection. It handles the requests one after the other, acts for its customer on the embedded
/// service, and pushes what the log says about that customer.
///
/// The answer to a request is sent before the pushes of what the request did. Between two steps the session holds
/// a position in the log and no events, so a client that reads slowly needs no memory for events.
actor SandboxSession {
    /// The customer, once it is known.
    struct Identity {
        var account: Int64
        var key: AccountKey
        var connection: any ServiceConnection
    }

    /// Names the session in the log.
    nonisolated let number: Int
    /// Where sockets and the store's events reach the session. May be used from any thread.
    nonisolated let inbox = SessionInbox()
    /// The entry point that the socket's URL names.
    nonisolated let face: SandboxChannel
    /// By the URL's `sdkPlatform`: which answers the client understands.
    nonisolated let family: ClientFamily
    nonisolated let sandbox: Sandbox
    /// The `visitorId` of the socket's URL: names the app's installation.
    nonisolated let visitor: String?
    /// The customer that the URL's transaction token names; nil if the client authorizes by a request.
    private let expected: WireCustomer?
    private let base: String
    private let since: Timestamp
    /// Frames that came and that were sent.
    private var counts = (received: 0, sent: 0)

    /// Nil until the client has authorized.
    var identity: Identity?
    private var socket: (any SandboxSocket)?
    private var offset: Int64 = 0
    /// What the client was last told about its threads, to push only what is new. By thread.
    private var told: [String: ThreadNews] = [:]
    /// Welcome messages that the client sent before the first message of their thread (`SendOutbound`). By thread;
    /// at most 16.
    var greetings: [String: ThreadDraft.Greeting] = [:]
    /// What the client's messages told of its device last.
    var deviceNews: DeviceNews?
    /// The channel's welcome message, which the client has not been told yet.
    var greeting: String?
    /// A push that waits for the next one.
    private var late: Text?
    /// How the sandbox has ended the socket; nil: the client did.
    private var ending: String?
    /// Messages that came and are not handled yet. The socket bounds them: it is not read while they wait.
    private var waiting: Deque<[UInt8]> = []

    /// From this many unsent bytes on, the session handles no requests and pushes nothing.
    static let backlogLimit = 256 << 10
    /// The bytes of events that are read from the log at a time.
    private static let step = 128 << 10
    /// The most entries of `told`.
    private static let toldLimit = 1000

    init(number: Int, sandbox: Sandbox, face: SandboxChannel, query: SocketQuery, customer: WireCustomer?, base: String)
    {
        self.number = number
        self.sandbox = sandbox
        self.face = face
        self.base = base
        since = sandbox.store.environment.now()
        family = ClientFamily(query.sdkPlatform)
        visitor = query.visitorID
        expected = customer
    }

    /// Handles everything that comes, and returns when the connection is gone. To be called once.
    func run(_ socket: any SandboxSocket) async {
        self.socket = socket
        if let expected { _ = try? await identify(expected) }
        greet()
        socket.flush()
        for await input in inbox.inputs {
            inbox.took(input)
            switch input {
            case .socket(.text(let text)): waiting.append(text)
            case .socket(.closed(let reason)):
                switch reason {
                case .refused(.policyViolation): sandbox.log(.warning, "client reads nothing", self, [:])
                case .refused(let code) where code != .goingAway:
                    sandbox.log(.warning, "frame refused", self, ["kind": "\(code)"])
                default: break
                }
                sandbox.log(.debug, "socket closed", self, ["reason": "\(reason)"])
                noteEnd(reason)
                waiting = []
                inbox.finish()
            case .socket(.drained), .wake: break
            case .live(let event): if !isFull { push(live: event) }
            case .push(let event): if !isFull { push(event) }
            }
            await work(on: socket)
        }
        await identity?.connection.close()
        self.socket = nil
    }

    /// Handles waiting requests and pushes events, until nothing waits or too many bytes are unsent. A client that
    /// does not read is not read either. The answer to a request leaves together with what it brings about.
    private func work(on socket: any SandboxSocket) async {
        repeat {
            if !isFull, let text = waiting.popFirst() {
                await receive(text)
                socket.handled(text.count)
            }
            await drain()
            greet()
            socket.flush()
        } while !isFull && !waiting.isEmpty
    }

    /// Whether too many bytes are unsent, or the socket is gone.
    private var isFull: Bool { socket.map { $0.backlog >= Self.backlogLimit } ?? true }

    /// Closes the socket without a close frame.
    func drop() {
        ending = "dropped"
        socket?.abort()
    }

    /// Sends a close frame; the socket closes when the client has answered, or after 5 s.
    func close(_ code: CloseCode) {
        ending = "\(code)"
        socket?.close(code)
    }

    // MARK: Requests

    /// Reads one frame. One that cannot be read is answered with `InconsistentData`, or, if it has no `eventId`, with a
    /// gateway's error.
    private func receive(_ text: [UInt8]) async {
        counts.received += 1
        let frame: ClientFrame
        do throws(WireError) {
            frame = try ClientFrame(json: text)
        } catch {
            let number = note(text, .toSandbox, type: nil, of: nil)
            sandbox.log(.warning, "frame refused", self, ["kind": "\(error.kind.rawValue)", "at": "\(error.pointer)"])
            guard let id = error.eventID else {
                return send(
                    .gatewayError(
                        GatewayError(
                            message: "Internal server error", connectionID: "\(self.number)",
                            requestID: sandbox.makeID())), answering: Asked(number: number, type: nil))
            }
            return send(
                .error(
                    OperationError(
                        eventID: id, code: .inconsistentData, transactionID: sandbox.makeID(),
                        message: error.description)), answering: Asked(number: number, type: nil))
        }
        switch frame {
        case .heartbeat:
            let number = note(text, .toSandbox, type: "heartbeat", of: nil)
            send(.pong, answering: Asked(number: number, type: "heartbeat"))
        case .request(let request):
            let number = note(text, .toSandbox, type: request.event.type, of: request.customer?.id)
            await answer(request, Asked(number: number, type: request.event.type))
        }
    }

    /// What is answered: the number of its frame, and its type.
    private struct Asked {
        var number: Int
        var type: String?
    }

    /// A frame as it is sent.
    private struct Text {
        var bytes: [UInt8]
        var type: String?
        var asked: Asked?
    }

    /// A request or a push of this type, as faults look at it.
    private func occasion(_ event: String, of customer: String? = nil) -> FaultOccasion {
        FaultOccasion(
            customer: identity?.key.customer ?? customer, channel: face.channel, socket: number, event: event)
    }

    /// Whether a fault that happens at once is about this socket.
    func isConcerned(by fault: Fault) -> Bool {
        (fault.customer == nil || fault.customer == identity?.key.customer)
            && (fault.channel == nil || fault.channel == face.channel)
            && (fault.socket == nil || fault.socket == number)
    }

    /// Does a request and sends its answer, as the faults that are due allow. A delayed answer does not hold back the
    /// requests after it.
    private func answer(_ request: ClientRequest, _ asked: Asked) async {
        let event = request.event.type
        let before = occasion(event, of: request.customer?.id)
        defer { sandbox.observe(occasion(event, of: request.customer?.id), frame: asked.number) }
        if let fault = sandbox.meet([.refuse, .dropSocket, .expireToken], before, .toSandbox) {
            switch fault.kind {
            case .dropSocket: return drop()
            case .refuse:
                let code =
                    fault.errorCode.map { ErrorCode(rawValue: $0) }
                    ?? ErrorCode.failure(of: request.event, for: family)
                return send(
                    .error(error(request, code, "The sandbox was asked to refuse this.")), answering: asked)
            default: expireTokens()
            }
        }
        var reply: Reply
        do throws(ChatError) {
            guard request.brandID == sandbox.ids.brand, request.channelID == face.id else {
                throw ChatError(.invalidParameter, "Brand and channel must be those of the socket.")
            }
            try await rename(request.customer)
            reply = try await handle(request)
        } catch {
            sandbox.log(
                .info, "request refused", self, ["event": "\(event.prefix(64))", "code": "\(error.code.rawValue)"])
            reply = Reply(.error(self.error(request, .failure(of: request.event, for: family), error.detail)))
        }
        let fault = sandbox.meet(
            [.delayAnswer, .loseAnswer], occasion(event, of: request.customer?.id), .toClient, reply.frame.encoded)
        switch fault?.kind {
        case .loseAnswer: break
        case .delayAnswer:
            let frame = reply.frame, clock = sandbox.clock, delay = Duration.milliseconds(fault?.milliseconds ?? 0)
            Task { [weak self] in
                try? await clock.sleep(for: delay)
                await self?.send(late: frame, answering: asked)
            }
        default: send(reply.frame, answering: asked)
        }
        for event in reply.pushes { push(event) }
    }

    /// The tokens of this customer have expired.
    private func expireTokens() {
        _ = sandbox.faults.expireTokens(of: identity?.key.customer, at: sandbox.store.environment.now())
    }

    private func error(_ request: ClientRequest, _ code: ErrorCode, _ message: String) -> OperationError {
        OperationError(eventID: request.eventID, code: code, transactionID: sandbox.makeID(), message: message)
    }

    // MARK: The customer

    /// Sets the customer: opens the account, connects it to the embedded service, and pushes events from now on.
    /// The same customer again changes nothing. Returns the account if it is another one now. Throws
    /// `invalidParameter` for a bad id or name, and what the store throws.
    @discardableResult
    func identify(_ customer: WireCustomer) async throws(ChatError) -> AccountRecord? {
        guard Identifier.isValid(customer.id) else {
            throw ChatError(.invalidParameter, "The customer's id must be 1 to 128 printable ASCII characters.")
        }
        if identity?.key.customer == customer.id { return nil }
        try CustomerDraft(firstName: customer.firstName, lastName: customer.lastName).check()
        let key = AccountKey(service: LocalService.serviceID, channel: face.channel, customer: customer.id)
        let account = try await sandbox.store.write(isRepeatable: true) { transaction in
            var account = try transaction.openAccount(key)
            let before = account.customer
            account.customer.firstName = customer.firstName ?? before.firstName
            account.customer.lastName = customer.lastName ?? before.lastName
            if account.customer != before { try transaction.save(account) }
            return account
        }
        try await sandbox.noteApp(of: key)
        sandbox.listen(self, account: account.number, customer: customer.id)
        let embedded = face.channel
        let (head, threads, found) = try await sandbox.store.read { transaction in
            (
                try transaction.headOffset(),
                try transaction.openThreads(of: account.number, limit: 200).map(\.thread),
                try transaction.channel(embedded, of: LocalService.serviceID)
            )
        }
        guard let channel = found else { throw ChatError(.unknownChannel, "The channel is gone.") }
        let connection = try await sandbox.service.connect(account, channel: channel) {}
        identity = Identity(account: account.number, key: key, connection: connection)
        offset = head
        told = Dictionary(threads.map { ($0.id, ThreadNews($0)) }) { first, _ in first }
        sandbox.log(.debug, "customer known", self, [:])
        if let visitor { try await sandbox.takeDevice(of: visitor, account: account.number, on: face) }
        if let template = channel.welcomeMessage { greeting = template }
        return account
    }

    /// Takes the names that each request carries. A name that is absent does not remove the known one.
    private func rename(_ customer: WireCustomer?) async throws(ChatError) {
        guard let customer, let identity, customer.id == identity.key.customer else { return }
        guard customer.firstName != nil || customer.lastName != nil else { return }
        let account = identity.account
        let known = try await sandbox.store.read { try $0.account(account).customer }
        let draft = CustomerDraft(
            firstName: customer.firstName ?? known.firstName, lastName: customer.lastName ?? known.lastName)
        guard (draft.firstName, draft.lastName) != (known.firstName, known.lastName) else { return }
        _ = try await identity.connection.setCustomer(draft)
    }

    /// Throws `customerAssociationFailure` for a client that has not said who it acts for.
    func known() throws(ChatError) -> Identity {
        guard let identity else { throw ChatError(.customerAssociationFailure, "The customer is not authorized.") }
        return identity
    }

    /// The embedded channel as the desk has it now.
    func channel() async throws(ChatError) -> Channel { try await sandbox.service.channel(face.channel) }

    /// What is needed to write messages for this client. The customer's names are read from the store each time.
    var context: WireContext {
        get async throws(ChatError) {
            let account = try known().account
            let customer = try await sandbox.store.read { try $0.account(account).customer }
            return WireContext(ids: sandbox.ids, base: base, customer: customer)
        }
    }

    // MARK: Pushes

    /// Pushes the events of the log since the last position, until the socket is full. Events that are no longer
    /// in memory are read from the store.
    private func drain() async {
        guard let account = identity?.account else { return }
        while let socket, !isFull {
            switch sandbox.store.feed.read([.account(account)], after: offset, limit: Self.step) {
            case .events(let events, let through):
                await push(events)
                offset = through
                if events.isEmpty { return }
            case .behind:
                do {
                    let step = try await sandbox.store.replay([.account(account)], after: offset, limit: Self.step)
                    await push(step.events)
                    offset = step.through
                } catch {
                    // The platform replays nothing either: the client reads its threads again when it reconnects.
                    sandbox.log(.notice, "pushes lost", self, [:])
                    return socket.close(.goingAway)
                }
            }
        }
    }

    /// Pushes what events of the log mean to the client; other kinds of events are passed over.
    private func push(_ events: [LogEvent]) async {
        // A message's event is mostly followed by its thread's, of the same commit. It is read once for both.
        var following: ChatThread?
        for (index, event) in events.enumerated() {
            let thread = following ?? event.changedThread
            following = events.dropFirst(index + 1).first?.changedThread
            await push(event, thread, followedBy: following)
        }
    }

    /// - Parameters:
    ///   - thread: the thread that the event tells; nil if it tells none.
    ///   - next: the thread that the next event tells.
    private func push(_ event: LogEvent, _ thread: ChatThread?, followedBy next: ChatThread?) async {
        do throws(ChatError) {
            switch event.type {
            case .messageCreated, .messageUpdated:
                guard let data = try? JSONParser.parse(event.data),
                    let message = try? data["message"].map({ try Message(json: $0) })
                else { return }
                try await push(
                    message, isNew: event.type == .messageCreated, in: next?.id == message.threadID ? next : nil)
            case .threadCreated, .threadUpdated:
                guard let thread, thread.isOnPlatform else { return }
                let news = ThreadNews(thread)
                let pushes = news.pushes(
                    since: told[thread.id], thread, origin: origin, queue: queue, isOnline: true, ids: sandbox.ids)
                tell(thread.state == .closed ? nil : news, of: thread.id)
                for event in pushes { push(event) }
            default: break
            }
        } catch {
            sandbox.log(.error, "event not pushed", self, ["code": "\(error.code.rawValue)"])
        }
    }

    /// Notes what the client was told of a thread. Among too many threads one note is dropped, so that thread is told
    /// once more.
    private func tell(_ news: ThreadNews?, of thread: String) {
        if news != nil, told[thread] == nil, told.count >= Self.toldLimit, let other = told.keys.first {
            told[other] = nil
        }
        told[thread] = news
    }

    /// Pushes a message that is new or has changed. Replies outside the conversation are left out, because the
    /// platform has no such thing.
    ///
    /// - Parameter known: the message's thread; nil if the store is to be asked for it.
    private func push(_ message: Message, isNew: Bool, in known: ChatThread?) async throws(ChatError) {
        guard message.isInConversation, let identity else { return }
        let thread: ChatThread
        let customer: Customer
        if let known, let member = known.members.first(where: { $0.id == identity.key.customer }) {
            (thread, customer) = (known, member)
        } else {
            let found = try await sandbox.store.read { transaction in
                try transaction.thread(message.threadID, of: identity.account).map {
                    ($0.thread, try transaction.account(identity.account).customer)
                }
            }
            guard let found else { return }
            (thread, customer) = found
        }
        guard thread.isOnPlatform else { return }
        let wire = WireMessage(message, WireContext(ids: sandbox.ids, base: base, customer: customer))
        if isNew {
            push(created(wire, thread))
        } else {
            let change = MessageChanged(origin: origin, message: wire)
            push(message.direction == .toAgent ? .messageReadChanged(change) : .messageSeenChanged(change))
        }
    }

    /// `MessageCreated`, as the client of this session reads it.
    func created(_ message: WireMessage, _ thread: ChatThread) -> PushEvent {
        .messageCreated(
            MessageCreated(
                origin: origin, contact: WireContact(thread),
                thread: ThreadReference(
                    id: thread.id, name: thread.name ?? "", serverID: sandbox.ids.uuid("thread\n\(thread.id)")),
                message: message))
    }

    /// Tells the client what it shows in a new thread (`FireProactiveAction`).
    private func greet() {
        guard let template = greeting else { return }
        greeting = nil
        push(
            .fireProactiveAction(
                FireProactiveAction(
                    destinationID: visitor ?? sandbox.makeID(), actionID: sandbox.ids.uuid("welcome\n\(face.channel)"),
                    actionName: "Welcome message", actionType: .welcomeMessage,
                    content: ProactiveContent(bodyText: template))))
    }

    /// Pushes that an agent types. Typing is not in the log, so a client that is not connected never hears of it.
    private func push(live event: LogEvent) {
        guard event.type == .typing, let data = try? JSONParser.parse(event.data),
            let thread = data["threadId"]?.string,
            let author = try? data["author"].map({ try Author(json: $0) }),
            let agent = WireAgent(author, sandbox.ids)
        else { return }
        let typing = SenderTyping(origin: origin, thread: ThreadReference(id: thread, name: ""), agent: agent)
        push(data["isTyping"]?.bool == true ? .senderTypingStarted(typing) : .senderTypingEnded(typing))
    }

    /// The brand and the channel that each push names.
    var origin: PushOrigin { PushOrigin(brandID: sandbox.ids.brand, channelID: face.id) }
    private var queue: RoutingQueue { RoutingQueue(id: sandbox.ids.uuid("queue\n\(face.channel)"), name: face.channel) }

    /// Sends a push, with a new event id. Faults may duplicate it, or hold it back until after the next one.
    func push(_ event: PushEvent) {
        let now = sandbox.store.environment.now()
        let frame = ServerFrame.push(
            ServerPush(eventID: sandbox.makeID(), createdAt: now, preciseCreatedAt: now, event: event))
        let occasion = occasion(event.type)
        let fault = sandbox.meet(
            [.duplicatePush, .reorderPush, .dropSocket, .expireToken], occasion, .toClient, frame.encoded)
        switch fault?.kind {
        case .dropSocket:
            drop()
            return sandbox.observe(occasion, frame: sandbox.frames.last)
        case .reorderPush where late == nil:
            late = Text(bytes: frame.encoded(), type: event.type)
            return sandbox.observe(occasion, frame: sandbox.frames.last)
        case .expireToken: expireTokens()
        default: break
        }
        send(frame)
        if fault?.kind == .duplicatePush { send(frame) }
        if let late {
            self.late = nil
            send(late)
        }
        sandbox.observe(occasion, frame: sandbox.frames.last)
    }

    /// Sends an answer that a fault delayed. It is dropped if the socket is full.
    private func send(late frame: ServerFrame, answering asked: Asked) {
        guard !isFull else { return }
        send(frame, answering: asked)
        socket?.flush()
    }

    /// Sends a frame. A frame above ``LargeEvents/threshold`` is kept, and an `EventInS3` that names its URL is
    /// sent instead.
    private func send(_ frame: ServerFrame, answering asked: Asked? = nil) {
        let text = frame.encoded()
        guard text.count > LargeEvents.threshold else {
            return send(Text(bytes: text, type: frame.type, asked: asked))
        }
        let event = sandbox.largeEvents.keep(text, of: number, base: base)
        let now = sandbox.store.environment.now()
        let large = ServerPush(
            eventID: sandbox.makeID(), createdAt: now, preciseCreatedAt: now,
            event: .eventInS3(EventInS3(url: event, originEventType: frame.type)))
        send(Text(bytes: ServerFrame.push(large).encoded(), type: large.event.type, asked: asked))
    }

    /// All that leaves goes this way.
    private func send(_ text: Text) {
        guard let socket else { return }
        counts.sent += 1
        note(text.bytes, .toClient, type: text.type, of: nil, answering: text.asked)
        socket.send(text: text.bytes)
    }

    // MARK: For whoever looks

    /// - Parameter customer: whom the frame names, if the session does not know it yet.
    @discardableResult
    private func note(
        _ text: [UInt8], _ direction: SandboxFrame.Direction, type: String?, of customer: String?,
        answering asked: Asked? = nil
    ) -> Int {
        var frame = SandboxFrame(
            .frame, text, direction, type: type, socket: number, customer: identity?.key.customer ?? customer,
            at: sandbox.store.environment.now())
        (frame.answers, frame.asked) = (asked?.number, asked?.type)
        return sandbox.note(frame)
    }

    private func noteEnd(_ reason: CloseReason) {
        var frame = SandboxFrame(
            .closed, [], ending == nil && reason == .client ? .toSandbox : .toClient, type: "close", socket: number,
            customer: identity?.key.customer, at: sandbox.store.environment.now())
        frame.reason =
            ending
            ?? {
                switch reason {
                case .client: "client"
                case .server: "server"
                case .refused(let code): "\(code)"
                }
            }()
        sandbox.note(frame)
    }

    /// What there is to know of the socket now.
    var status: SocketStatus {
        SocketStatus(
            number: number, face: face, platform: "\(family)", customer: identity?.key.customer, visitor: visitor,
            since: since, unsent: socket?.backlog ?? 0, received: counts.received, sent: counts.sent)
    }
}

/// The result of a request: its answer, and pushes to this client that are sent right after it.
struct Reply: Sendable {
    var frame: ServerFrame
    /// Only for this client; events of the log follow after them.
    var pushes: [PushEvent]

    init(_ frame: ServerFrame, pushes: [PushEvent] = []) {
        self.frame = frame
        self.pushes = pushes
    }
}

extension LogEvent {
    /// The thread that the event tells; nil for an event of another kind.
    fileprivate var changedThread: ChatThread? {
        guard type == .threadCreated || type == .threadUpdated, let data = try? JSONParser.parse(data) else {
            return nil
        }
        return try? data["thread"].map { try ChatThread(json: $0) }
    }
}

extension ServerFrame {
    /// `eventType`
    fileprivate var type: String? {
        switch self {
        case .answer(let answer, _): answer.type
        case .push(let push): push.event.type
        default: nil
        }
    }
}
