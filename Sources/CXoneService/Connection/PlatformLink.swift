import ChatModel
import CXoneWire
import Synchronization

/// One open socket to the platform: requests and answers, the heartbeat, and the end.
///
/// One task handles the frames one after the other, in the order in which they came, and ends when none waits; the
/// socket bounds how many wait. The heartbeat follows the iOS SDK: it is sent every 10 s, and the pong must come within 5 s, or the
/// socket is given up. While frames wait to be handled, a missing pong is tolerated, because the socket may not
/// be read.
///
/// All methods may be called from any task. A link is used once: it cannot be opened again.
final class PlatformLink: Sendable {
    /// What is done with frames that answer no request. Whoever handles the frames calls `push`, `error` and `fetch`
    /// and waits for each of them: none may wait for an answer of this link.
    struct Handlers: Sendable {
        var push: @Sendable (PushEvent) async -> Void
        /// An error that answers no waiting request, or that concerns the whole session.
        var error: @Sendable (ChatError) async -> Void
        /// Fetches the whole event that an `EventInS3` points to, by its signed URL.
        var fetch: @Sendable (String) async throws(ChatError) -> ServerFrame
        /// A frame was ignored. The text holds nothing of the frame.
        var notice: @Sendable (String) -> Void
        /// The socket ended and ``close()`` was not called. Called at most once.
        var loss: @Sendable () -> Void
    }

    private let socket: any Socket
    private let clock: any Clock<Duration>
    private let handlers: Handlers
    let requests: Requests
    private let makeID: @Sendable () -> String
    private let envelope: @Sendable (String, ClientEvent) -> ClientRequest

    private struct State {
        var isOpen = true
        var pongs = 0
        /// Frames that came and are not dealt with.
        var waiting = 0
        /// Those that nobody has taken yet.
        var frames: [[UInt8]] = []
        /// Handles the frames; nil while there are none. A task keeps the largest stack that it ever needed, 25 kB here,
        /// until it ends.
        var turn: Task<Void, Never>?
        var tasks: [Task<Void, Never>] = []
    }
    private let state = Mutex(State())

    /// Of the iOS SDK: from one heartbeat to the next, and how long the pong may take.
    static let heartbeat = Duration.seconds(10)
    static let pongPatience = Duration.seconds(5)

    /// Takes an open socket. Nothing is read or sent before ``start()``.
    ///
    /// - Parameter envelope: makes the frame of an event with that `eventId`. It is called for each event, so
    ///   that the identity in it is current.
    init(
        socket: any Socket, clock: any Clock<Duration>, makeID: @escaping @Sendable () -> String, handlers: Handlers,
        envelope: @escaping @Sendable (String, ClientEvent) -> ClientRequest
    ) {
        self.socket = socket
        self.clock = clock
        self.makeID = makeID
        self.handlers = handlers
        self.envelope = envelope
        requests = Requests(clock: clock)
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }
    /// Frames that were received and are not handled yet; for tests.
    var waitingCount: Int { state.withLock { $0.waiting } }

    /// Starts reading and the heartbeat. To be called once. After an earlier end the tasks stop at once.
    func start() {
        // Each task ends with the socket. None holds the link, so that the link can be freed.
        let reader = Task { [socket, weak self] in
            for await text in socket.texts {
                guard Self.isPong(text) else {
                    self?.enqueue(text)
                    continue
                }
                // A pong is counted at once, even while earlier frames are still being handled.
                self?.state.withLock { $0.pongs += 1 }
                socket.handled(text.count)
            }
            self?.end(lost: true)
        }
        let beat = Task { [clock, weak self] in
            var pause = Self.heartbeat
            while !Task.isCancelled {
                do {
                    try await clock.sleep(for: pause)
                    guard let pongs = self?.state.withLock({ $0.pongs }) else { return }
                    // Does not wait: a platform that reads nothing is found by the pong that does not come.
                    try await self?.socket.send(ClientFrame.heartbeat.encoded())
                    try await clock.sleep(for: Self.pongPatience)
                    guard let self else { return }
                    let isMissing = self.state.withLock { $0.pongs == pongs && $0.waiting == 0 }
                    if isMissing { return self.end(lost: true) }
                    pause = Self.heartbeat - Self.pongPatience
                } catch {
                    return
                }
            }
        }
        let isOpen = state.withLock { state in
            if state.isOpen { state.tasks = [reader, beat] }
            return state.isOpen
        }
        if !isOpen { for task in [reader, beat] { task.cancel() } }
    }

    /// Adds a frame behind those that wait, and begins to handle them if nobody does.
    private func enqueue(_ text: [UInt8]) {
        state.withLock { state in
            state.waiting += 1
            state.frames.append(text)
            if state.turn == nil { state.turn = Task { [weak self] in await self?.handleAll() } }
        }
    }

    private func handleAll() async {
        while let frames = next() {
            for text in frames {
                await handle(text)
                state.withLock { $0.waiting -= 1 }
                socket.handled(text.count)
            }
        }
    }

    /// The frames that nobody has taken; nil if there are none: then the caller must end.
    private func next() -> [[UInt8]]? {
        state.withLock { state in
            guard !state.frames.isEmpty else {
                state.turn = nil
                return nil
            }
            defer { state.frames = [] }
            return state.frames
        }
    }

    private static func isPong(_ text: [UInt8]) -> Bool { text.elementsEqual("\"pong\"".utf8) }

    // MARK: Asking

    /// Sends an event, and returns what `handle` makes of the answer. Throws the platform's error as a
    /// ``ChatError``, `eventTimeout` after 10 s, `notConnected`.
    ///
    /// - Parameter handle: runs in the answer's place among the pushes. It must not ask this link
    ///   again.
    func ask<T: Sendable>(
        _ event: ClientEvent, _ handle: @escaping @Sendable (ServerFrame) async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        let id = makeID()
        let text = ClientFrame.request(envelope(id, event)).encoded()
        return try await requests.run(id) { (frame) throws(ChatError) in
            if case .error(let error) = frame { throw ChatError(error) }
            return try await handle(frame)
        } send: { [self] () throws(ChatError) in
            try await write(text)
        }
    }

    /// Sends an event and returns when it is sent. `answered` is called once: with success for any answer, else
    /// with the platform's error or with why no answer came. Throws, without calling `answered`, only when the
    /// link has ended before.
    ///
    /// - Parameter limit: how long the answer may take; nil: until ``Requests/forget(_:)``.
    /// - Returns: what ``requests`` know the event by.
    @discardableResult
    func ask(
        _ event: ClientEvent, limit: Duration? = Requests.patience,
        answered: @escaping @Sendable (Result<Void, ChatError>) -> Void
    ) async throws(ChatError) -> String {
        let id = makeID()
        try requests.wait(for: id, limit: limit) { frame in
            if case .error(let error) = frame { answered(.failure(ChatError(error))) } else { answered(.success(())) }
        } fail: {
            answered(.failure($0))
        }
        do throws(ChatError) {
            try await write(ClientFrame.request(envelope(id, event)).encoded())
        } catch {
            requests.fail(id, error)
        }
        return id
    }

    /// Sends an event and waits for an answer of any type. Throws as ``ask(_:_:)`` does.
    func ask(_ event: ClientEvent) async throws(ChatError) { try await ask(event) { (_) throws(ChatError) in } }

    /// Sends an event whose answer is ignored. Throws `notConnected`.
    func send(_ event: ClientEvent) async throws(ChatError) {
        try await write(ClientFrame.request(envelope(makeID(), event)).encoded())
    }

    private func write(_ text: [UInt8]) async throws(ChatError) {
        guard isOpen else { throw Self.lost }
        do {
            try await socket.send(text)
        } catch {
            end(lost: true)
            throw Self.lost
        }
    }

    private static let lost = ChatError(.notConnected, "The connection to the platform was lost.")

    // MARK: Frames

    private func handle(_ text: [UInt8]) async {
        do {
            let omissions = WireOmissions()
            let frame = try ServerFrame(json: text, omissions: omissions)
            if let summary = omissions.summary {
                handlers.notice("Of a frame from the platform was left out what cannot be read: \(summary)")
            }
            await dispatch(frame)
        } catch {
            handlers.notice("A frame from the platform was ignored: \(error)")
            if let id = error.eventID {
                requests.fail(id, ChatError(.serverError, "The platform's answer cannot be read."))
            }
        }
    }

    private func dispatch(_ frame: ServerFrame) async {
        switch frame {
        case .pong: break
        case .answer(_, let id): if let id { _ = await requests.answer(id, with: frame) }
        case .acknowledgement(let acknowledgement): _ = await requests.answer(acknowledgement.eventID, with: frame)
        case .error(let error):
            // The waiting request gets the error. An error that concerns the whole session goes to the sessions
            // as well.
            let isAwaited = await error.eventID.asyncMap { await requests.answer($0, with: frame) } ?? false
            if !isAwaited || error.code.concernsSession { await handlers.error(ChatError(error)) }
        case .gatewayError: await handlers.error(ChatError(.serverError, "The platform's gateway failed."))
        case .push(let push):
            guard case .eventInS3(let event) = push.event else { return await handlers.push(push.event) }
            await fetchWhole(event)
        case .unknown: handlers.notice("A frame of no known kind came from the platform, and was ignored.")
        }
    }

    private func fetchWhole(_ event: EventInS3) async {
        do throws(ChatError) {
            let frame = try await handlers.fetch(event.url)
            // A fetched event that points to another one is ignored, so that there is no endless chain.
            if case .push(let push) = frame, case .eventInS3 = push.event { return }
            await dispatch(frame)
        } catch {
            await handlers.error(error)
        }
    }

    // MARK: Its end

    /// Closes the socket. Requests that wait throw `notConnected`; `loss` is not called. May be called more than
    /// once.
    func close() async {
        end(lost: false)
        await socket.close()
    }

    /// Only the first call has an effect. `loss` is called after all requests have failed.
    private func end(lost: Bool) {
        let tasks = state.withLock { state -> [Task<Void, Never>]? in
            guard state.isOpen else { return nil }
            state.isOpen = false
            defer { state.tasks = [] }
            return state.tasks + (state.turn.map { [$0] } ?? [])
        }
        guard let tasks else { return }
        for task in tasks { task.cancel() }
        requests.failAll(Self.lost)
        guard lost else { return }
        Task { [socket] in await socket.close() }
        handlers.loss()
    }
}

extension Optional {
    fileprivate func asyncMap<T>(_ transform: (Wrapped) async -> T) async -> T? {
        if let value = self { await transform(value) } else { nil }
    }
}
