import Bounds
import ChatModel
import ChatStore
import DequeModule
import Formats
import Gateway
import HTTPRouting
import MicroHTTP
import Synchronization

/// A stream that tells a client which of its resources have changed: at most once a second for each. What has changed,
/// the client reads by itself.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only.
final class ResourceUpdates: EventSource, @unchecked Sendable {
    /// Of a stream that lists its resources at its beginning; they are acknowledged there.
    private let chats: Set<ChatHandle>
    /// Counts them, as long as the stream is there.
    private let memory: ByteCounter?
    private let core: GatewayCore
    /// The request that the stream answers; nil for a stream that a client of 2025 has opened.
    private let request: RPCMessage.ID?
    private let isWanted: @Sendable (ChatHandle) -> Bool
    private var stream: (any StreamHandle)?
    private var subscription: Subscription?
    /// Chats that have changed and are not told yet.
    private var changed: [ChatHandle] = []
    /// Chats that have changed again within a second after that was told.
    private var held: [ChatHandle] = []
    /// Chats that were told within the last second.
    private var told: Set<ChatHandle> = []
    private var isAcknowledged = false

    static let pause = Duration.seconds(1)

    init(
        core: GatewayCore, request: RPCMessage.ID?, chats: Set<ChatHandle> = [], memory: ByteCounter? = nil,
        isWanted: @escaping @Sendable (ChatHandle) -> Bool
    ) {
        (self.core, self.request, self.chats, self.memory, self.isWanted) = (core, request, chats, memory, isWanted)
    }

    func answer(to call: Call) -> HTTPResponse {
        var answer = call.streamHead(.serverSentEvents)
        answer.body = .events(self)
        return answer
    }

    // MARK: What the server calls

    func opened(_ stream: EventStream) { attach(to: stream) }

    /// Subscribes before anything is acknowledged, so that no change after that is missed.
    func attach(to stream: any StreamHandle) {
        self.stream = stream
        subscription = core.store.feed.subscribe { [weak self, isWanted, loop = core.life.loop] events in
            var chats: [ChatHandle] = []
            // One change of a chat may be several events: it is told once.
            for chat in events.compactMap(Self.chat) where isWanted(chat) && !chats.contains(chat) {
                chats.append(chat)
            }
            if chats.isEmpty { return }
            let changed = chats
            loop?.execute { [weak self] in self?.notice(changed) }
        }
    }

    func fill(_ out: inout EventBuffer) -> EventProgress {
        if !isAcknowledged {
            isAcknowledged = true
            if request != nil {
                append(&out) { json in
                    json.member("method", "notifications/subscriptions/acknowledged")
                    json.name("params")
                    json.beginObject()
                    json.name("notifications")
                    json.beginObject()
                    if !self.chats.isEmpty {
                        json.name("resourceSubscriptions")
                        json.beginArray()
                        for uri in self.chats.map(\.uri).sorted() { json.value(uri) }
                        json.endArray()
                    }
                    json.endObject()
                    self.meta(&json)
                    json.endObject()
                }
            } else {
                out.append(": listening\n\n")
            }
        }
        while let chat = changed.first, out.room(for: 2048) {
            changed.removeFirst()
            append(&out) { json in
                json.member("method", "notifications/resources/updated")
                json.name("params")
                json.beginObject()
                json.member("uri", chat.uri)
                self.meta(&json)
                json.endObject()
            }
        }
        return changed.isEmpty ? .idle : .more
    }

    func heartbeat(_ out: inout EventBuffer) { out.append(": ping\n\n") }

    /// The result of the request, which says that the stream ends here on purpose.
    func draining(_ out: inout EventBuffer) {
        guard let request else { return }
        append(&out) { json in
            json.name("id")
            request.encode(to: &json)
            json.name("result")
            json.beginObject()
            json.member("resultType", "complete")
            self.meta(&json)
            json.endObject()
        }
    }

    func closed(_ reason: StreamEnd) {
        subscription?.cancel()
        (subscription, stream) = (nil, nil)
    }

    // MARK: Changes

    /// The chat that an event of the desk is about; nil for other events.
    private static func chat(_ event: LogEvent) -> ChatHandle? {
        guard event.offset != nil, let owner = event.owner, event.audiences.contains(.desk),
            let data = try? JSONParser.parse(event.data),
            let thread = (data["threadId"] ?? data["thread"]?["id"])?.string
        else { return nil }
        return ChatHandle(channel: owner.channel, customer: owner.customer, thread: thread)
    }

    private func notice(_ chats: [ChatHandle]) {
        guard stream != nil else { return }
        for chat in chats {
            guard told.insert(chat).inserted else {
                if !held.contains(chat) { held.append(chat) }
                continue
            }
            changed.append(chat)
            let alarm = core.clock.alarm(in: Self.pause)
            Task { [weak self, loop = core.life.loop] in
                try? await alarm()
                loop?.execute { [weak self] in self?.rested(chat) }
            }
        }
        if !changed.isEmpty { stream?.wake() }
    }

    private func rested(_ chat: ChatHandle) {
        told.remove(chat)
        if let index = held.firstIndex(of: chat) {
            held.remove(at: index)
            notice([chat])
        }
    }

    // MARK: Writing

    private func append(_ out: inout EventBuffer, _ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.beginObject()
        json.member("jsonrpc", "2.0")
        write(&json)
        json.endObject()
        out.append("event: message\ndata: ")
        out.append(json.bytes)
        out.append("\n\n")
    }

    /// Which request a message belongs to.
    private func meta(_ json: inout JSONWriter) {
        guard let request else { return }
        json.name("_meta")
        json.beginObject()
        json.name(MCPRevision.Meta.subscription)
        request.encode(to: &json)
        json.endObject()
    }
}

/// What clients of 2025 want to hear of on their streams, by the name that `initialize` gave them. Any thread may use
/// it.
///
/// A name is nothing else: a request with an unknown one is answered like any other. So clients survive a restart of
/// the gateway, and only have to subscribe again.
final class ResourceSubscriptions: Sendable {
    /// Resources that one client follows at most.
    static let limit = 100
    /// Clients that are remembered.
    private static let capacity = 1000

    private struct State {
        var chats: [String: Set<ChatHandle>] = [:]
        /// The names in the order in which they came.
        var names: Deque<String> = []
    }
    private let state = Mutex(State())

    /// Counts the names and handles that are remembered, and those of streams that list theirs. Ids are as long as clients
    /// make them.
    private let memory = ByteCounter(limit: ByteBound.subscriptions.bytes)

    /// Notes that a client wants to hear of a chat, or not any more. Where there is no room, the client that came first is
    /// forgotten. False when it follows too many.
    func set(_ isWanted: Bool, _ chat: ChatHandle, for session: String) -> Bool {
        state.withLock { state in
            guard isWanted else {
                if state.chats[session]?.remove(chat) != nil { memory.giveBack(Self.cost(chat)) }
                return true
            }
            if state.chats[session] == nil {
                state.names.append(session)
                state.chats[session] = []
                memory.reserveAnyway(Self.cost(session))
                if state.names.count > Self.capacity { forgetFirst(&state) }
            }
            guard state.chats[session, default: []].count < Self.limit else {
                return state.chats[session]?.contains(chat) == true
            }
            guard state.chats[session]?.insert(chat).inserted == true else { return true }
            while !memory.reserve(Self.cost(chat)) {
                guard state.names.first != session else {
                    state.chats[session]?.remove(chat)
                    return false
                }
                forgetFirst(&state)
            }
            return true
        }
    }

    /// Counts the chats of a stream that lists them, as long as it has the counter. Nil when there is no room.
    func count(_ chats: Set<ChatHandle>) -> ByteCounter? {
        let counter = ByteCounter(limit: ByteBound.subscriptions.bytes, within: memory)
        return counter.reserve(chats.reduce(0) { $0 + Self.cost($1) }) ? counter : nil
    }

    /// Bytes of all.
    var byteCount: Int { memory.used }

    private func forgetFirst(_ state: inout State) {
        guard let first = state.names.popFirst() else { return }
        forget(first, &state)
    }

    private func forget(_ session: String, _ state: inout State) {
        guard let chats = state.chats.removeValue(forKey: session) else { return }
        memory.giveBack(chats.reduce(Self.cost(session)) { $0 + Self.cost($1) })
    }

    /// About what a name and a handle take in memory.
    private static func cost(_ session: String) -> Int { 256 + 2 * session.utf8.count }
    private static func cost(_ chat: ChatHandle) -> Int {
        128 + chat.channel.utf8.count + chat.customer.utf8.count + chat.thread.utf8.count
    }

    func contains(_ chat: ChatHandle, for session: String) -> Bool {
        state.withLock { $0.chats[session]?.contains(chat) == true }
    }

    /// Forgets a client that says goodbye.
    func remove(_ session: String) {
        state.withLock { state in
            guard state.chats[session] != nil else { return }
            forget(session, &state)
            state.names.removeAll { $0 == session }
        }
    }
}
