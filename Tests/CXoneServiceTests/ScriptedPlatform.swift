import ChatModel
import CXoneService
import CXoneWire
import Formats
import HTTPClientPort
import Synchronization
import TestSupport
import Testing

/// The platform in memory: it answers as the real one does, unless a test says otherwise, and remembers what it was
/// asked.
final class ScriptedPlatform: SocketPort, HTTPPort {
    typealias Script = @Sendable (ClientRequest) -> [ServerFrame]

    struct Room {
        /// Oldest first.
        var messages: [WireMessage] = []
        var name: String?
        var isOpen = true
        var contact: WireContact?
        var agent: WireAgent?
    }

    struct State {
        var configuration: WireChannelConfiguration
        var isOnline = true
        var rooms: [String: Room] = [:]
        var scripts: [String: Script] = [:]
        var requests: [ClientRequest] = []
        var calls: [HTTPCall] = []
        var http: [String: @Sendable (HTTPCall) -> HTTPAnswer?] = [:]
        /// What the answers to URLs with a part wait for.
        var gates: [String: @Sendable () async -> Void] = [:]
        /// Part of URLs to which nothing answers.
        var silent: String?
        var urls: [String] = []
        var sockets: [ScriptedSocket] = []
        var refusals = 0
        var isDead = false
        var heartbeats = 0
        var isMute = false
        var nextContact = 70_012_345
        var time: Int64 = 1_772_442_910_000
    }
    let state: Mutex<State>
    static let pageSize = 20

    init(_ mode: ChatMode, isSecured: Bool = false) {
        state = Mutex(
            State(
                configuration: WireChannelConfiguration(
                    name: "Demo", isLiveChat: mode == .liveChat,
                    settings: ChannelSettings(
                        hasMultipleThreadsPerEndUser: mode == .multithread, isTranscriptAllowed: true,
                        securedSessions: isSecured,
                        fileRestrictions: WireFileRestrictions(
                            allowedFileSize: 40, allowedFileTypes: [.init(mimeType: "text/*", description: "texts")],
                            isAttachmentsEnabled: true)))))
    }

    // MARK: What tests say

    func configure(_ change: (inout WireChannelConfiguration) -> Void) { state.withLock { change(&$0.configuration) } }

    /// What the next and all later requests of a type are answered with.
    func script(_ type: String, _ script: Script?) { state.withLock { $0.scripts[type] = script } }

    func fail(_ type: String, _ code: String) {
        script(type) { request in
            [
                .error(
                    OperationError(
                        eventID: request.eventID, code: ErrorCode(rawValue: code), transactionID: "t",
                        message: "as scripted"))
            ]
        }
    }

    /// - Parameter part: of the URL. Nil from the closure: no answer at all.
    func http(_ part: String, _ answer: @escaping @Sendable (HTTPCall) -> HTTPAnswer?) {
        state.withLock { $0.http[part] = answer }
    }

    /// - Parameter wait: returns when the answer may come.
    func hold(_ part: String, _ wait: @escaping @Sendable () async -> Void) { state.withLock { $0.gates[part] = wait } }

    func requests(_ type: String) -> [ClientRequest] { state.withLock { $0.requests.filter { $0.event.type == type } } }
    func calls(_ part: String) -> [HTTPCall] { state.withLock { $0.calls.filter { $0.url.contains(part) } } }
    var types: [String] { state.withLock { $0.requests.map(\.event.type) } }
    var urls: [String] { state.withLock { $0.urls } }
    var heartbeats: Int { state.withLock { $0.heartbeats } }
    func room(_ id: String) -> Room? { state.withLock { $0.rooms[id] } }
    func change(_ room: String, _ change: (inout Room) -> Void) {
        state.withLock { change(&$0.rooms[room, default: Room()]) }
    }

    static let agent = WireAgent(id: "4021", firstName: "Marta", lastName: "Novak", nickname: "Marti")

    /// An agent's message, not told to anybody.
    @discardableResult
    func add(
        _ text: String, to thread: String, content: MessageContent? = nil, at time: Int64? = nil, id: String? = nil
    ) -> WireMessage {
        state.withLock { state in
            state.time += 1000
            var room = state.rooms[thread] ?? Room()
            let stamp = Timestamp(milliseconds: time ?? state.time)
            let message = WireMessage(
                id: id ?? "s-\(thread)-\(room.messages.count)", threadID: thread, content: content ?? .text(text),
                createdAt: stamp.wholeSeconds, preciseCreatedAt: stamp, direction: .outbound, authorAgent: Self.agent)
            room.messages.append(message)
            room.contact = room.contact ?? Self.contact(&state, thread)
            state.rooms[thread] = room
            return message
        }
    }

    private static func contact(_ state: inout State, _ thread: String) -> WireContact {
        state.nextContact += 1
        return WireContact(
            id: "\(state.nextContact)", threadID: thread, status: .open,
            createdAt: Timestamp(milliseconds: state.time).wholeSeconds)
    }

    /// The agent writes, and everybody is told.
    @discardableResult
    func write(_ text: String, in thread: String, content: MessageContent? = nil) -> WireMessage {
        let message = add(text, to: thread, content: content)
        push(.messageCreated(created(message)))
        return message
    }

    func created(_ message: WireMessage) -> MessageCreated {
        MessageCreated(
            origin: PushOrigin(brandID: 4711, channelID: "chat_1"), contact: room(message.threadID)?.contact,
            thread: ThreadReference(id: message.threadID), message: message)
    }

    func push(_ event: PushEvent) { send([.push(ServerPush(eventID: "push", createdAt: nil, event: event))]) }

    func send(_ frames: [ServerFrame]) {
        let texts = frames.map { $0.encoded() }
        for socket in state.withLock({ $0.sockets }) { socket.receive(texts) }
    }

    /// Whether the near end has dealt with all that came over its open sockets. It deals with one frame after the other,
    /// so a push is written when this is true.
    var isHeard: Bool { state.withLock { $0.sockets }.allSatisfy(\.isHeard) }

    /// Returns when the near end has dealt with all that was sent to it up to now.
    func heard() async throws { try #require(await eventually { isHeard }) }

    func sendRaw(_ text: String) { for socket in state.withLock({ $0.sockets }) { socket.receive([Array(text.utf8)]) } }

    /// All sockets are gone.
    func lose() {
        let sockets = state.withLock { state in
            defer { state.sockets = [] }
            return state.sockets
        }
        for socket in sockets { socket.end() }
    }

    // MARK: SocketPort

    func open(_ url: String) async throws -> any Socket {
        let socket = ScriptedSocket(platform: self)
        let isRefused = state.withLock { state -> Bool in
            state.urls.append(url)
            if state.refusals > 0 {
                state.refusals -= 1
                return true
            }
            if !state.isDead { state.sockets.append(socket) }
            return state.isDead
        }
        if isRefused { throw SocketRefused(reason: "as scripted") }
        return socket
    }

    fileprivate func closed(_ socket: ScriptedSocket) { state.withLock { $0.sockets.removeAll { $0 === socket } } }

    fileprivate func take(_ text: [UInt8], on socket: ScriptedSocket) {
        guard let frame = try? ClientFrame(json: text) else { return }
        guard case .request(let request) = frame else {
            let isMute = state.withLock { state in
                state.heartbeats += 1
                return state.isMute
            }
            if !isMute { socket.receive([ServerFrame.pong.encoded()]) }
            return
        }
        let script = state.withLock { state in
            state.requests.append(request)
            return state.scripts[request.event.type]
        }
        socket.receive((script?(request) ?? answer(request)).map { $0.encoded() })
    }

    // MARK: What it answers by itself

    func answer(_ request: ClientRequest) -> [ServerFrame] {
        func reply(_ answer: ServerAnswer) -> [ServerFrame] { [.answer(answer, eventID: request.eventID)] }
        func refuse(_ code: ErrorCode) -> [ServerFrame] {
            [.error(OperationError(eventID: request.eventID, code: code, transactionID: "t", message: "refused"))]
        }
        let done = [ServerFrame.acknowledgement(Acknowledgement(eventID: request.eventID))]
        switch request.event {
        case .authorizeCustomer: return reply(.consumerAuthorized(ConsumerAuthorized(customer: request.customer)))
        case .reconnectCustomer: return reply(.consumerReconnected)
        case .refreshToken: return reply(.tokenRefreshed(AccessToken(token: "renewed", expiresIn: 3600)))
        case .fetchThreadList: return reply(.threadListFetched(list))
        case .loadThreadMetadata(let thread):
            guard let room = room(thread.id), let last = room.messages.last else {
                return refuse(.recoveringThreadFailed)
            }
            return reply(.threadMetadataLoaded(ThreadMetadata(ownerAssignee: room.agent, lastMessage: last)))
        case .recoverThread(let thread):
            guard let recovered = recovered(thread?.id) else { return refuse(.recoveringThreadFailed) }
            return reply(.threadRecovered(recovered))
        case .recoverLivechat(let thread): return reply(.livechatRecovered(recovered(thread?.id)))
        case .loadMoreMessages(let more):
            return reply(.moreMessagesLoaded(page(more.thread.id, before: Int(more.scrollToken) ?? 0)))
        case .sendMessage(let message): return done + take(message, from: request.customer, direction: .inbound)
        case .sendOutbound(let message): return done + take(message, from: nil, direction: .outbound)
        case .archiveThread(let thread):
            change(thread.id) { $0.isOpen = false }
            return reply(.threadArchived)
        case .sendTranscript: return reply(.transcriptSent)
        case .endContact(let thread, _):
            change(thread.id) { $0.contact?.status = .closed }
            guard let contact = room(thread.id)?.contact else { return done }
            return done + [
                .push(
                    ServerPush(
                        eventID: "p", createdAt: nil,
                        event: .caseStatusChanged(
                            CaseChanged(origin: PushOrigin(brandID: 4711, channelID: "chat_1"), contact: contact))))
            ]
        default: return done
        }
    }

    private var list: [WireThread] {
        state.withLock { state in
            state.rooms.sorted { $0.key < $1.key }.map { id, room in
                WireThread(id: id, channelID: "chat_1", name: room.name, canAddMoreMessages: room.isOpen)
            }
        }
    }

    private func recovered(_ id: String?) -> RecoveredThread? {
        state.withLock { state in
            guard let id = id ?? state.rooms.keys.sorted().last, let room = state.rooms[id] else { return nil }
            let messages = room.messages.suffix(Self.pageSize)
            let rest = room.messages.count - messages.count
            return RecoveredThread(
                thread: WireThread(id: id, channelID: "chat_1", name: room.name, canAddMoreMessages: room.isOpen),
                contact: room.contact,
                messages: messages.reversed(), scrollToken: rest > 0 ? "\(rest)" : "", inboxAssignee: room.agent)
        }
    }

    private func page(_ thread: String, before index: Int) -> MessagePage {
        let all = room(thread)?.messages ?? []
        let page = all.prefix(index).suffix(Self.pageSize)
        return MessagePage(messages: page.reversed(), scrollToken: page.startIndex > 0 ? "\(page.startIndex)" : "")
    }

    private func take(_ sent: SendMessage, from customer: WireCustomer?, direction: Direction) -> [ServerFrame] {
        let message = state.withLock { state -> WireMessage in
            state.time += 1000
            var room = state.rooms[sent.thread.id] ?? Room()
            if let known = room.messages.first(where: { $0.id == sent.id }) { return known }
            let message = WireMessage(
                id: sent.id, threadID: sent.thread.id, content: sent.content,
                createdAt: Timestamp(milliseconds: state.time).wholeSeconds,
                preciseCreatedAt: Timestamp(milliseconds: state.time), direction: direction,
                attachments: sent.attachments,
                authorCustomer: customer)
            room.messages.append(message)
            room.name = sent.thread.name ?? room.name
            if room.contact == nil || room.contact?.status == .closed {
                room.contact = Self.contact(&state, sent.thread.id)
            }
            state.rooms[sent.thread.id] = room
            return message
        }
        return [.push(ServerPush(eventID: "p", createdAt: nil, event: .messageCreated(created(message))))]
    }

    // MARK: HTTPPort

    func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        let (scripted, configuration, isOnline, isSilent) = state.withLock { state in
            state.calls.append(call)
            let isSilent = state.silent.map { call.url.contains($0) } ?? false
            return (
                state.http.first { call.url.contains($0.key) }?.value, state.configuration, state.isOnline, isSilent
            )
        }
        if let gate = state.withLock({ state in state.gates.first { call.url.contains($0.key) }?.value }) {
            await gate()
        }
        if isSilent {
            // Until whoever asks gives up.
            for await _ in AsyncStream<Never>.makeStream().stream {}
            throw CancellationError()
        }
        if let scripted {
            guard let answer = scripted(call) else { throw SocketClosed() }
            return answer
        }
        if call.url.hasSuffix("/availability") {
            return HTTPAnswer(status: 200, body: WireAvailability(isOnline: isOnline).encoded())
        }
        if call.url.hasSuffix("/attachment") {
            return HTTPAnswer(
                status: 200, body: AttachmentUploadAnswer.stored(url: "https://files.example/1").encoded())
        }
        if call.url.contains("/oauth/token") {
            return HTTPAnswer(
                status: 200, body: TokenAnswer(transactionToken: AccessToken(token: "tt-1", expiresIn: 3600)).encoded())
        }
        if call.url.contains("/channel/") { return HTTPAnswer(status: 200, body: configuration.encoded()) }
        return HTTPAnswer(status: 200)
    }
}

/// One socket in memory.
final class ScriptedSocket: Socket {
    let texts: AsyncStream<[UInt8]>
    private let feed: AsyncStream<[UInt8]>.Continuation
    private let platform: ScriptedPlatform
    private let state = Mutex((isOpen: true, unheard: 0))

    init(platform: ScriptedPlatform) {
        self.platform = platform
        (texts, feed) = AsyncStream.makeStream()
    }

    func send(_ text: [UInt8]) async throws {
        guard state.withLock({ $0.isOpen }) else { throw SocketClosed() }
        platform.take(text, on: self)
    }

    /// Whether all that came was dealt with.
    var isHeard: Bool { state.withLock { $0.unheard == 0 } }

    /// All of them have come before the first is dealt with.
    func receive(_ texts: [[UInt8]]) {
        state.withLock { state in
            guard state.isOpen else { return }
            state.unheard += texts.count
            for text in texts { feed.yield(text) }
        }
    }

    func handled(_ byteCount: Int) { state.withLock { $0.unheard -= 1 } }

    func end() {
        state.withLock { $0.isOpen = false }
        feed.finish()
    }

    func close() async {
        platform.closed(self)
        end()
    }
}
