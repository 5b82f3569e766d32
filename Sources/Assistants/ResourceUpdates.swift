import Bounds
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting
import MicroHTTP

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
