import Bounds
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
    nonisolated let inbox: SessionInbox
    /// Whose the socket is.
    nonisolated let holder: SocketHolder
    private let turn: Holder
    /// Counts what the socket holds.
    nonisolated let memory: SocketMemory
    /// The socket's place; nil where none was taken.
    nonisolated let place: SocketPlace?
    /// The entry point that the socket's URL names.
    nonisolated let face: SandboxChannel
    /// By the URL's `sdkPlatform`: which answers the client understands.
    nonisolated let family: ClientFamily
    nonisolated let sandbox: Sandbox
    /// The `visitorId` of the socket's URL: names the app's installation.
    nonisolated let visitor: String?
    /// The customer that the URL's transaction token names; nil if the client authorizes by a request.
    private let expected: WireCustomer?
    let base: String
    let since: Timestamp
    /// Frames that came and that were sent.
    private(set) var counts = (received: 0, sent: 0)

    /// Nil until the client has authorized.
    var identity: Identity?
    var socket: (any SandboxSocket)?
    var offset: Int64 = 0
    /// What the client was last told about its threads, to push only what is new. By thread; a thread that is dropped is
    /// told once more.
    var told = RecentlyUsed<String, ThreadNews>(limit: 1000)
    /// Welcome messages that the client sent before the first message of their thread (`SendOutbound`). By thread;
    /// at most 16.
    var greetings: [String: ThreadDraft.Greeting] = [:]
    /// What the client's messages told of its device last.
    var deviceNews: DeviceNews?
    /// The channel's welcome message, which the client has not been told yet.
    var greeting: String?
    /// A push that waits for the next one.
    var late: Text?
    /// How the sandbox has ended the socket; nil: the client did.
    var ending: String?
    /// The bytes of the frame that is being handled.
    private(set) var frameByteCount = 0
    /// The bytes of ``told`` and ``greetings``, as they are counted.
    private var rememberedByteCount = 0
    /// Messages that came and are not handled yet. The socket bounds them: it is not read while they wait.
    private var waiting: Deque<[UInt8]> = []

    /// From this many unsent bytes on, the session handles no requests and pushes nothing.
    static let backlogLimit = 256 << 10

    /// - Parameters:
    ///   - customer: the customer that the URL names; nil if the client authorizes by a request.
    ///   - holder: whose the socket is; nil: its visitor's.
    ///   - place: the socket's place, which it has until the session has ended.
    init(
        number: Int, sandbox: Sandbox, face: SandboxChannel, query: SocketQuery, customer: WireCustomer?, base: String,
        holder: SocketHolder? = nil, place: SocketPlace? = nil
    ) {
        let holder = holder ?? SocketHolder(visitor: query.visitorID)
        self.holder = holder
        turn = holder.turn
        self.place = place
        let memory = sandbox.memory.socket(of: holder)
        self.memory = memory
        inbox = SessionInbox(memory: memory)
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
                case .refused(.tryAgainLater): sandbox.log(.warning, "no room for a client's messages", self, [:])
                case .refused(let code) where code != .goingAway:
                    sandbox.log(.warning, "frame refused", self, ["kind": "\(code)"])
                default: break
                }
                sandbox.log(.debug, "socket closed", self, ["reason": "\(reason)"])
                noteEnd(reason)
                waiting = []
                inbox.finish()
            case .socket(.drained), .wake: break
            case .live(let event): if !isFull { await push(live: event) }
            case .push(let event, _): if !isFull { push(event) }
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
                if await perform(text) { socket.handled(text.count) }
            }
            guard !inbox.isOver else { break }
            await drain()
            greet()
            socket.flush()
        } while !isFull && !waiting.isEmpty
    }

    /// Handles one frame when it is its holder's turn. Returns false, and does not, when the client has left before.
    private func perform(_ text: [UInt8]) async -> Bool {
        if !sandbox.frameLine.enterAtOnce(turn) {
            do {
                try await sandbox.frameLine.enter(turn)
            } catch {
                close(.tryAgainLater)
                return false
            }
        }
        defer { sandbox.frameLine.leave(turn) }
        guard inbox.beginsFrame() else { return false }
        frameByteCount = text.count
        await receive(text)
        return true
    }

    /// Counts what clients were told of their threads. It is forgotten when there is no room for it: then the next news of a
    /// thread tells all of it.
    func countTold() {
        guard !countRemembered() else { return }
        told.removeAll()
        _ = countRemembered()
    }

    /// Counts the bytes of what the session remembers. Returns false, and counts as before, when there is no room for more.
    func countRemembered() -> Bool {
        let byteCount = 512 * told.count + greetings.values.reduce(0) { $0 + $1.text.utf8.count }
        if byteCount > rememberedByteCount {
            guard memory.reserve(byteCount - rememberedByteCount) else { return false }
        } else {
            memory.giveBack(rememberedByteCount - byteCount)
        }
        rememberedByteCount = byteCount
        return true
    }

    /// Throws `notConnected` when nobody hears the answer any more. What takes many steps asks before each.
    func checkIsHeard() throws(ChatError) {
        if inbox.isOver { throw ChatError(.notConnected, "The client has left.") }
    }

    /// Whether too many bytes are unsent, or the socket is gone.
    var isFull: Bool { socket.map { $0.backlog >= Self.backlogLimit } ?? true }

    /// Closes the socket without a close frame.
    func drop() {
        ending = "dropped"
        socket?.abort()
    }

    /// Sends a close frame; the socket closes when the client has answered, or after 5 s.
    func close(_ code: CloseCode) {
        ending = "\(code)"
        if code == .tryAgainLater { inbox.end(after: 0) }
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
            let number = record(text, .toSandbox, type: nil, of: nil)
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
            let number = record(text, .toSandbox, type: "heartbeat", of: nil)
            send(.pong, answering: Asked(number: number, type: "heartbeat"))
        case .request(let request):
            let number = record(text, .toSandbox, type: request.event.type, of: request.customer?.id)
            await answer(request, Asked(number: number, type: request.event.type))
        }
    }

    /// What is answered: the number of its frame, and its type.
    struct Asked {
        var number: Int
        var type: String?
    }

    /// A frame as it is sent.
    struct Text {
        var bytes: [UInt8]
        var type: String?
        var asked: Asked?
    }

    /// Does a request and sends its answer, as the faults that are due allow.
    private func answer(_ request: ClientRequest, _ asked: Asked) async {
        let event = request.event.type
        defer { sandbox.faults.observe(occasion(event, of: request.customer?.id), frame: asked.number) }
        guard isAllowed(request, asked) else { return }
        var reply: Reply
        do throws(ChatError) {
            guard request.brandID == sandbox.ids.brand, request.channelID == face.id else {
                throw ChatError(.invalidParameter, "Brand and channel must be those of the socket.")
            }
            try await rename(request.customer)
            var own = request
            own.event = try await withStoreIDs(request.event)
            reply = try await handle(own)
        } catch {
            sandbox.log(
                .info, "request refused", self, ["event": "\(event.prefix(64))", "code": "\(error.code.rawValue)"])
            reply = Reply(.error(self.error(request, .failure(of: request.event, for: family), error.detail)))
        }
        answer(request, asked, by: reply.frame)
        for event in reply.pushes { push(event) }
    }

    func error(_ request: ClientRequest, _ code: ErrorCode, _ message: String) -> OperationError {
        OperationError(eventID: request.eventID, code: code, transactionID: sandbox.makeID(), message: message)
    }

    // MARK: Sending

    /// Sends a frame. A frame above ``LargeEvents/threshold`` is kept, and an `EventInS3` that names its URL is
    /// sent instead. Without room for it, the socket is closed.
    func send(_ frame: ServerFrame, answering asked: Asked? = nil) {
        let text = frame.encoded()
        guard text.count > LargeEvents.threshold else {
            return send(Text(bytes: text, type: frame.type, asked: asked))
        }
        guard let event = sandbox.largeEvents.storeEvent(text, of: number, holder, in: memory, base: base) else {
            return close(.tryAgainLater)
        }
        let now = sandbox.store.environment.now()
        let large = ServerPush(
            eventID: sandbox.makeID(), createdAt: now, preciseCreatedAt: now,
            event: .eventInS3(EventInS3(url: event, originEventType: frame.type)))
        send(Text(bytes: ServerFrame.push(large).encoded(), type: large.event.type, asked: asked))
    }

    /// All that leaves goes this way.
    func send(_ text: Text) {
        guard let socket else { return }
        counts.sent += 1
        record(text.bytes, .toClient, type: text.type, of: nil, answering: text.asked)
        socket.send(text: text.bytes)
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
