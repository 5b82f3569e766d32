import ChatModel
import ChatStore
import Synchronization

/// An account's messages on their way to the platform. ``SendMachine`` decides; this performs what it says. Every call
/// may come from any task.
final class MessagesInFlight: Sendable {
    typealias Key = SendMachine.Key

    /// One attempt to send a message.
    final class Attempt: Sendable {
        /// How a message that is to be sent is read from the store; nil where its thread is gone.
        typealias Reader = @Sendable () async throws(ChatError) -> OutgoingMessage?

        fileprivate let number: Int
        fileprivate let own: OutgoingRecord
        fileprivate let read: Reader
        fileprivate let connect: @Sendable () async throws(ChatError) -> BoundPlatform
        fileprivate let settle: @Sendable (Attempt, SendResult) async -> Void
        /// What the client hears; nil: nothing is known yet.
        fileprivate let answer = Answer<Result<Outcome?, ChatError>>()

        fileprivate struct State {
            var platform: BoundPlatform?
            /// The call that sends; to be cancelled when nobody waits for it any more.
            var call: Task<Void, Never>?
        }
        fileprivate let state: Mutex<State>

        fileprivate init(
            number: Int, own: OutgoingRecord, platform: BoundPlatform?, read: @escaping Reader,
            connect: @escaping @Sendable () async throws(ChatError) -> BoundPlatform,
            settle: @escaping @Sendable (Attempt, SendResult) async -> Void
        ) {
            (self.number, self.own, self.read, self.connect, self.settle) = (number, own, read, connect, settle)
            state = Mutex(State(platform: platform))
        }
    }

    private struct State {
        var machine = SendMachine()
        var attempts: [Int: Attempt] = [:]
        var lastNumber = 0
        /// The task sleeps until `due`, and then tells the machine that time has passed.
        var timer: (due: Duration, task: Task<Void, Never>)?
    }
    private let state = Mutex(State())
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration

    init(clock: any Clock<Duration>) {
        self.clock = clock
        elapsed = clock.stopwatch()
    }

    // MARK: Marks

    var count: Int { state.withLock { $0.machine.marks.count } }
    var isEmpty: Bool { count == 0 }
    func contains(_ message: Key) -> Bool { state.withLock { $0.machine.marks.contains(message) } }
    /// See ``AttemptMarks``.
    func join(_ message: Key) { state.withLock { $0.machine.marks.join(message) } }
    func claim(_ message: Key) -> Bool { state.withLock { $0.machine.marks.claim(message) } }
    func leave(_ message: Key) { state.withLock { $0.machine.marks.leave(message) } }
    /// See ``SendMachine/forgetFailures()``.
    func forgetFailures() { state.withLock { $0.machine.forgetFailures() } }

    // MARK: Attempts

    /// Begins an attempt for a new message, for a client that waits. The caller has marked the message.
    ///
    /// - Parameters:
    ///   - outgoing: the message as it was stored, with its thread; read from the store if nil.
    ///   - platform: nil: ``Outbox/Connection/soon`` is to get it.
    ///   - settle: stores the result. ``settled(_:_:)`` must follow.
    func begin(
        _ own: OutgoingRecord, _ outgoing: OutgoingMessage?, over platform: BoundPlatform?,
        _ connection: Outbox.Connection, read: @escaping Attempt.Reader,
        settle: @escaping @Sendable (Attempt, SendResult) async -> Void
    ) -> Attempt {
        var reader = read
        if let outgoing { reader = { () throws(ChatError) in outgoing } }
        return begin(own, platform, isFirst: true, read: reader, connect: connection.soon, settle: settle)
    }

    /// Sends a message that has failed before, and returns the result, which the caller stores. The caller has marked
    /// the message.
    func sendAgain(
        _ own: OutgoingRecord, over platform: BoundPlatform, read: @escaping Attempt.Reader
    ) async -> SendResult {
        let result = Answer<SendResult>()
        let attempt = begin(
            own, platform, isFirst: false, read: read, connect: { () throws(ChatError) in platform },
            settle: { _, ended in result.resolve(ended) })
        let ended = await result.value()
        await settled(attempt, nil)
        return ended
    }

    private func begin(
        _ own: OutgoingRecord, _ platform: BoundPlatform?, isFirst: Bool, read: @escaping Attempt.Reader,
        connect: @escaping @Sendable () async throws(ChatError) -> BoundPlatform,
        settle: @escaping @Sendable (Attempt, SendResult) async -> Void
    ) -> Attempt {
        let attempt = state.withLock { state in
            state.lastNumber += 1
            let attempt = Attempt(
                number: state.lastNumber, own: own, platform: platform, read: read, connect: connect, settle: settle)
            state.attempts[attempt.number] = attempt
            return attempt
        }
        post(
            .began(
                attempt.number, Key(own), isFirst: isFirst, hasConnection: platform != nil, isAwaited: isFirst))
        return attempt
    }

    /// Waits for what the client is to hear of an attempt: its outcome, or nil if the deadline has come before.
    func answer(to attempt: Attempt) async throws(ChatError) -> Outcome? {
        if let answer = await attempt.answer.valueUnlessCancelled() { return try answer.get() }
        post(.clientLeft(attempt.number))
        return try await attempt.answer.value().get()
    }

    /// The result of the attempt is stored.
    ///
    /// - Parameter outcome: what the client is to hear; nil where none waits.
    func settled(_ attempt: Attempt, _ outcome: Result<Outcome, ChatError>?) async {
        await handle(.settled(attempt.number, outcome))
    }

    // MARK: What the machine says

    /// Handles an input, and performs what follows before it returns.
    private func handle(_ input: SendMachine.Input) async {
        for (effect, attempt) in follow(input) { await perform(effect, attempt) }
    }

    /// The same without waiting.
    private func post(_ input: SendMachine.Input) {
        let effects = follow(input)
        if !effects.isEmpty { Task { for (effect, attempt) in effects { await perform(effect, attempt) } } }
    }

    /// Handles an input, does at once what needs no wait, and returns the other effects.
    private func follow(_ input: SendMachine.Input) -> [(SendMachine.Effect, Attempt)] {
        let effects = state.withLock { state -> [(SendMachine.Effect, Attempt)] in
            let effects = state.machine.handle(input, at: elapsed()).compactMap { effect in
                state.attempts[effect.number].map { (effect, $0) }
            }
            if case .settled(let number, _) = input { state.attempts[number] = nil }
            setTimer(&state)
            return effects
        }
        return effects.filter { effect, attempt in
            switch effect {
            case .send:
                attempt.state.withLock { $0.call = Task { await send(attempt) } }
            case .abandon: attempt.state.withLock { $0.call }?.cancel()
            case .answer(_, let outcome): attempt.answer.resolve(outcome.map { $0 })
            case .answerPending: attempt.answer.resolve(.success(nil))
            case .connect, .ask, .settle, .write: return true
            }
            return false
        }
    }

    private func perform(_ effect: SendMachine.Effect, _ attempt: Attempt) async {
        switch effect {
        case .connect:
            do throws(ChatError) {
                let platform = try await attempt.connect()
                attempt.state.withLock { $0.platform = platform }
                await handle(.connected(attempt.number))
            } catch {
                await handle(.unsent(attempt.number, error))
            }
        case .ask:
            let (key, number) = (Key(attempt.own), attempt.number)
            guard let platform = watchedPlatform(of: attempt) else { return }
            let found: Result<RemoteMessage?, ChatError>
            do throws(ChatError) {
                found = .success(try await platform.message(sentAs: key.message, in: key.thread))
            } catch {
                found = .failure(error)
            }
            await handle(.asked(number, found))
        case .settle(_, let result):
            attempt.state.withLock { $0.platform }?.pending.unwatch(attempt)
            await attempt.settle(attempt, result)
        case .send, .abandon, .answer, .answerPending, .write: break
        }
    }

    /// The platform of an attempt. From now on the machine hears when its connection is lost. Nil if it is lost already:
    /// then the machine has heard it.
    private func watchedPlatform(of attempt: Attempt) -> (any RemotePlatform)? {
        guard let bound = attempt.state.withLock({ $0.platform }) else { return nil }
        let number = attempt.number
        if bound.pending.watch(attempt, in: bound.round, onLoss: { [weak self] in self?.post(.lost(number)) }) {
            return bound.platform
        }
        post(.lost(number))
        return nil
    }

    private func send(_ attempt: Attempt) async {
        let number = attempt.number
        guard let platform = watchedPlatform(of: attempt) else { return }
        let read: OutgoingMessage?
        do throws(ChatError) {
            read = try await attempt.read()
        } catch {
            return await handle(.unsent(number, error))
        }
        guard let outgoing = read else {
            return await handle(.answered(number, .failure(.unknownThread(attempt.own.message.threadID))))
        }
        let progress = SendProgress(
            mayWrite: { [weak self] in self?.follow(.writing(number, patience: $0)).isEmpty == false },
            acknowledged: { [weak self] in _ = self?.follow(.acknowledged(number)) })
        let answer: Result<SentMessage, ChatError>
        do throws(ChatError) {
            answer = .success(try await platform.send(outgoing, progress))
        } catch {
            answer = .failure(error)
        }
        await handle(.answered(number, answer))
    }

    // MARK: The deadline

    /// There is one timer for all attempts. While nothing waits there is none.
    private func setTimer(_ state: inout State) {
        let next = state.machine.nextDeadline
        if let timer = state.timer {
            if let next, timer.due <= next { return }
            timer.task.cancel()
            state.timer = nil
        }
        guard let next else { return }
        let alarm = clock.alarm(in: next - elapsed())
        let task = Task { [weak self] in
            guard (try? await alarm()) != nil else { return }
            self?.state.withLock { $0.timer = nil }
            self?.post(.alarm)
        }
        state.timer = (next, task)
    }
}

extension SendMachine.Key {
    init(_ own: OutgoingRecord) { self.init(thread: own.message.threadID, message: own.message.id) }
}

extension SendMachine.Effect {
    fileprivate var number: Int {
        switch self {
        case .connect(let number), .ask(let number), .send(let number), .write(let number), .abandon(let number),
            .settle(let number, _), .answer(let number, _), .answerPending(let number):
            number
        }
    }
}
