import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import Gateway
import HTTPRouting
import MicroHTTP
import Synchronization

/// A call that takes as long as its caller likes.
struct WaitingCall: Sendable {
    /// Nil if nobody can cancel it by a message: its client has no name.
    let key: WaitingCalls.Key?
    let work: @Sendable () async -> HTTPResponse
}

/// The calls that wait now, so that they can be cancelled. Any thread may use it.
final class WaitingCalls: Sendable {
    /// What names a call in `notifications/cancelled`. A client chooses its ids, so they name nothing without its
    /// session.
    struct Key: Sendable, Hashable {
        let session: String
        let id: RPCMessage.ID
    }

    private let running = Mutex<[Key: Task<HTTPResponse, Never>]>([:])

    /// How many there are that can be cancelled by a message.
    var count: Int { running.withLock { $0.count } }

    /// Begins a call. Cancel the task when nobody waits for it any more.
    func begin(_ call: WaitingCall) -> Task<HTTPResponse, Never> {
        guard let key = call.key else { return Task { await call.work() } }
        // Begun under the lock, so that it cannot end before it is there to be forgotten.
        return running.withLock { running in
            let task = Task { [self] in
                defer { self.running.withLock { $0[key] = nil } }
                return await call.work()
            }
            running[key] = task
            return task
        }
    }

    /// Runs a call to its end, which comes early when the caller's own task is cancelled.
    func run(_ call: WaitingCall) async -> HTTPResponse {
        let task = begin(call)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends a call's waiting. Nothing happens if there is none of this name.
    func cancel(_ key: Key) { running.withLock { $0[key] }?.cancel() }
}

/// A stream with one message: the answer to a call that waits.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only.
final class LateAnswer: EventSource, @unchecked Sendable {
    private let core: GatewayCore
    private let calls: WaitingCalls
    private let call: WaitingCall
    private var task: Task<HTTPResponse, Never>?
    private var stream: (any StreamHandle)?
    /// The message, once it is there.
    private var message: [UInt8]?

    init(core: GatewayCore, calls: WaitingCalls, _ call: WaitingCall) {
        (self.core, self.calls, self.call) = (core, calls, call)
    }

    func answer(to call: Call) -> HTTPResponse {
        var answer = call.streamHead(.serverSentEvents)
        answer.body = .events(self)
        return answer
    }

    func opened(_ stream: EventStream) { attach(to: stream) }

    /// Begins the call.
    func attach(to stream: any StreamHandle) {
        self.stream = stream
        let task = calls.begin(call)
        self.task = task
        Task { [weak self, loop = core.life.loop] in
            let response = await task.value
            loop?.execute { [weak self] in self?.end(with: response) }
        }
    }

    private func end(with response: HTTPResponse) {
        if case .bytes(let bytes) = response.body { message = bytes }
        stream?.wake()
    }

    func fill(_ out: inout EventBuffer) -> EventProgress {
        guard let message else { return .idle }
        out.append("event: message\ndata: ")
        out.append(message)
        out.append("\n\n")
        return .end
    }

    func heartbeat(_ out: inout EventBuffer) { out.append(": ping\n\n") }

    func draining(_ out: inout EventBuffer) { _ = fill(&out) }

    /// A caller that has hung up waits no more.
    func closed(_ reason: StreamEnd) {
        task?.cancel()
        (task, stream) = (nil, nil)
    }
}

/// Waits for messages of the other side. It is bounded, blocks no other request, and consumes nothing: whoever has the
/// cursor can wait from there again.
struct MessageWait: Sendable {
    let core: GatewayCore
    let scope: StreamScope
    /// In whose share of the pages that wait it stands.
    let holder: Holder
    /// The direction of the messages that are waited for.
    let direction: MessageDirection

    /// What `wait_for_message` takes besides the chat.
    struct Arguments: RequestBody {
        let chat: ChatHandle?
        /// A cursor; nil for from now on.
        let after: String?
        let seconds: Int

        init(reading object: inout ObjectReader) {
            chat = object.optionalChat()
            after = object.optionalString("after", length: 1...64)
            seconds = object.optionalInteger("timeoutSeconds", in: 0...Self.longest) ?? Self.usual
        }

        /// Hosts give up after 30 to 60 seconds.
        static let (usual, longest) = (25, 50)
    }

    /// - Parameters:
    ///   - isWanted: which chats count.
    ///   - names: whether each message says its chat.
    func wait(
        _ arguments: Arguments, isWanted: @escaping @Sendable (ThreadOwner, String) -> Bool, names: Bool = true
    ) async throws -> ToolResult {
        let direction = direction
        let page = try await core.page(
            of: scope, EventFilter([EventType.messageCreated.rawValue]), limit: 20,
            from: arguments.after.map(FeedStart.after) ?? .now, wait: .seconds(arguments.seconds), as: holder
        ) { event in
            guard let owner = event.owner, let created = try? MessageCreatedEvent(canonicalJSON: event.data) else {
                return false
            }
            return created.message.value.direction == direction && isWanted(owner, created.threadID)
        }
        let bytes = [UInt8(ascii: "[")] + page.items + [UInt8(ascii: "]")]
        let messages = try (JSONParser.parse(bytes).array ?? []).map { item in
            let data = item["data"] ?? .null
            var view = MessageView(message: try Message(json: data["message"] ?? .null))
            if names {
                view.chat = ChatHandle(
                    channel: try data.requiredString("channel"),
                    customer: try (data["customer"] ?? .null).requiredString("id"),
                    thread: try data.requiredString("threadId"))
            }
            return view
        }
        let cursor = Cursor(epoch: core.store.feed.epoch, offset: page.position)
        return ToolResult { json in
            json.name("messages")
            json.beginArray()
            for message in messages { message.encode(to: &json) }
            json.endArray()
            json.member("cursor", cursor.description)
            json.member("timedOut", page.isEmpty)
            if page.reset != nil { json.member("missed", true) }
        }
    }
}
