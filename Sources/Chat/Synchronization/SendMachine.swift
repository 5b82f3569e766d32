import ChatModel
import ChatStore

/// Decides what becomes of an account's own messages on their way to the platform. It is pure: it is told what happened
/// and when, and says what is to be done. ``MessagesInFlight`` does it.
///
/// It is the one place that knows what is in flight: for which messages somebody works (``AttemptMarks``), and how far
/// each attempt to send one has come.
///
/// An attempt has one deadline, ``limit`` after it began. Then the client is answered that its message is pending, and
/// the platform is asked whether it has the message. Where the message went out later than the attempt began, as after
/// a large file, or where the file goes out with it, the platform has its whole time all the same: the deadline moves.
struct SendMachine: Sendable {
    /// How long the platform has to take a message, and how long a client waits for that.
    static let limit = Duration.seconds(10)

    /// Names a message of the account.
    struct Key: Hashable, Sendable {
        var thread: String
        var message: String
    }

    /// What happened. Attempts have numbers; inputs for one that is over, or has gone on, change nothing.
    enum Input: Sendable {
        /// An attempt begins for a message that is marked and stored.
        ///
        /// - Parameters:
        ///   - isFirst: the message was stored just now. Otherwise an earlier attempt may have arrived.
        ///   - isAwaited: a client waits to hear what comes of it.
        case began(Int, Key, isFirst: Bool, hasConnection: Bool, isAwaited: Bool)
        /// ``Effect/connect(_:)`` has a connection.
        case connected(Int)
        /// There is no connection, or the message could not be read from the store.
        case unsent(Int, ChatError)
        /// The message is about to go out: it does only if ``Effect/write(_:)`` follows.
        ///
        /// - Parameter patience: how long that may take, where it is more than ``SendMachine/limit``.
        case writing(Int, patience: Duration? = nil)
        /// The platform says that it took the message. It has not told yet how it has it.
        case acknowledged(Int)
        /// ``Effect/send(_:)`` has ended.
        case answered(Int, Result<SentMessage, ChatError>)
        /// ``Effect/ask(_:)`` has ended. Nil: the platform does not have the message.
        case asked(Int, Result<RemoteMessage?, ChatError>)
        /// The attempt's connection is lost, or was closed.
        case lost(Int)
        /// ``Effect/settle(_:_:)`` has ended: what the client is to hear; nil where none waits.
        case settled(Int, Result<Outcome, ChatError>?)
        /// The client waits no longer.
        case clientLeft(Int)
        /// Time has passed; see ``SendMachine/nextDeadline``.
        case alarm
    }

    /// What is to be done.
    enum Effect: Sendable {
        /// To wait for the session's connection.
        case connect(Int)
        /// To ask the platform whether it has the message.
        case ask(Int)
        /// To give the message to the platform.
        case send(Int)
        /// The message may go out.
        case write(Int)
        /// To stop waiting for ``send(_:)``: what it still brings is not used.
        case abandon(Int)
        /// To store the result. The attempt lasts until ``Input/settled(_:_:)``.
        case settle(Int, SendResult)
        /// To answer the client.
        case answer(Int, Result<Outcome, ChatError>)
        /// To answer the client that nothing is known yet.
        case answerPending(Int)
    }

    private struct Attempt {
        var key: Key
        var stage: Stage
        var deadline: Duration?
        var isAwaited: Bool
        /// How long the platform has from when the message went out.
        var patience = SendMachine.limit
        /// The platform refused the message, and the client is to hear it.
        var refusal: ChatError?
    }

    private enum Stage {
        case connecting
        /// The platform is asked before the message is sent again.
        case asking
        /// The time is when the message went out; nil: it has not yet.
        case sending(Duration?, isAcknowledged: Bool)
        /// The platform is asked because the attempt ended without a word that counts.
        case checking(ChatError, isAcknowledged: Bool)
        case settling
    }

    /// The messages that somebody stores, sends, removes or asks for now.
    var marks = AttemptMarks<Key>()
    private var attempts: [Int: Attempt] = [:]
    /// Messages that have not gone out, by any attempt. They are sent without asking first: to look for a message may
    /// read minutes of history. What was stored by an earlier process is not among them.
    private var neverSent: Set<Key> = []
    static let mostNeverSent = 1000

    /// When ``Input/alarm`` is to come, at the latest.
    var nextDeadline: Duration? { attempts.values.lazy.compactMap(\.deadline).min() }

    /// No failed message is left: what was remembered of them is dropped.
    mutating func forgetFailures() { if marks.isEmpty { neverSent = [] } }

    /// - Parameter now: since the machine was made, on a clock that only goes forward.
    mutating func handle(_ input: Input, at now: Duration) -> [Effect] {
        switch input {
        case .began(let number, let key, let isFirst, let hasConnection, let isAwaited):
            assert(marks.contains(key), "an attempt needs a mark")
            assert(attempts[number] == nil, "numbers are used once")
            if isFirst {
                // Whoever is forgotten is asked for first.
                if neverSent.count >= Self.mostNeverSent { neverSent = [] }
                neverSent.insert(key)
            }
            attempts[number] = Attempt(
                key: key, stage: .connecting, deadline: now + Self.limit, isAwaited: isAwaited)
            return hasConnection ? proceed(number) : [.connect(number)]
        case .connected(let number):
            guard case .connecting? = attempts[number]?.stage else { return [] }
            return proceed(number)
        case .unsent(let number, let error): return unsent(number, error)
        case .writing(let number, let patience):
            guard var attempt = attempts[number], case .sending(nil, _) = attempt.stage else { return [] }
            attempt.stage = .sending(now, isAcknowledged: false)
            attempt.patience = max(Self.limit, patience ?? .zero)
            attempt.deadline = attempt.deadline ?? now + attempt.patience
            attempts[number] = attempt
            neverSent.remove(attempt.key)
            return [.write(number)]
        case .acknowledged(let number):
            guard case .sending(let written?, _)? = attempts[number]?.stage else { return [] }
            attempts[number]?.stage = .sending(written, isAcknowledged: true)
            return []
        case .answered(let number, let result): return answered(number, result)
        case .asked(let number, let result): return asked(number, result)
        case .lost(let number): return lost(number)
        case .settled(let number, let outcome):
            guard let attempt = attempts.removeValue(forKey: number) else { return [] }
            guard attempt.isAwaited, let outcome else { return [] }
            return [.answer(number, outcome)]
        case .clientLeft(let number): return answerNow(number)
        case .alarm:
            let due = attempts.filter { $0.value.deadline.map { $0 <= now } ?? false }
            return due.keys.sorted().flatMap { timeIsOver($0, now) }
        }
    }

    // MARK: The steps of an attempt

    private mutating func proceed(_ number: Int) -> [Effect] {
        guard let key = attempts[number]?.key else { return [] }
        let isNew = neverSent.contains(key)
        attempts[number]?.stage = isNew ? .sending(nil, isAcknowledged: false) : .asking
        return [isNew ? .send(number) : .ask(number)]
    }

    private mutating func unsent(_ number: Int, _ error: ChatError) -> [Effect] {
        switch attempts[number]?.stage {
        case .connecting?, .sending(nil, _)?: settle(number, .failed(error))
        default: []
        }
    }

    private mutating func answered(_ number: Int, _ result: Result<SentMessage, ChatError>) -> [Effect] {
        guard case .sending(let written, let isAcknowledged)? = attempts[number]?.stage else { return [] }
        switch result {
        case .success(.told(let message)): return settle(number, .sent(message))
        case .success(.confirmed(let message)): return settle(number, .confirmed(message))
        case .failure(let error) where !error.code.mayPass: return refused(number, error)
        case .failure(let error) where written != nil && error.code.isUncertain:
            return check(number, error, isAcknowledged)
        case .failure(let error): return settle(number, .failed(error))
        }
    }

    /// A message that the client was told of is kept, as failed.
    private mutating func refused(_ number: Int, _ error: ChatError) -> [Effect] {
        guard attempts[number]?.isAwaited == true else { return settle(number, .failed(error)) }
        attempts[number]?.refusal = error
        return settle(number, .refused(error))
    }

    private mutating func check(_ number: Int, _ error: ChatError, _ isAcknowledged: Bool) -> [Effect] {
        attempts[number]?.stage = .checking(error, isAcknowledged: isAcknowledged)
        return [.ask(number)]
    }

    private mutating func asked(_ number: Int, _ result: Result<RemoteMessage?, ChatError>) -> [Effect] {
        switch (attempts[number]?.stage, result) {
        case (.asking?, .success(let found?)), (.checking?, .success(let found?)): return settle(number, .sent(found))
        case (.asking?, .success(nil)):
            attempts[number]?.stage = .sending(nil, isAcknowledged: false)
            return [.send(number)]
        case (.asking?, .failure(let error)): return settle(number, .failed(error))
        case (.checking(let error, let isAcknowledged)?, .success(nil)):
            return settle(number, isAcknowledged ? .acknowledged : .failed(error))
        case (.checking(let error, let isAcknowledged)?, .failure(let why)):
            return settle(number, isAcknowledged && why.code != .notConnected ? .acknowledged : .unknown(error))
        default: return []
        }
    }

    private mutating func lost(_ number: Int) -> [Effect] {
        let error = ChatError(.notConnected, "The connection to the service was lost before it answered.")
        switch attempts[number]?.stage {
        case .asking?: return settle(number, .failed(error))
        case .sending(let written, _)?:
            return [.abandon(number)] + settle(number, written == nil ? .failed(error) : .unknown(error))
        case .checking(let why, _)?: return settle(number, .unknown(why))
        case .connecting?, .settling?, nil: return []
        }
    }

    private mutating func settle(_ number: Int, _ result: SendResult) -> [Effect] {
        attempts[number]?.stage = .settling
        if let key = attempts[number]?.key, !result.isFailure { neverSent.remove(key) }
        return [.settle(number, result)]
    }

    // MARK: The deadline

    private mutating func timeIsOver(_ number: Int, _ now: Duration) -> [Effect] {
        let answers = answerNow(number)
        attempts[number]?.deadline = nil
        guard let patience = attempts[number]?.patience,
            case .sending(let written?, let isAcknowledged)? = attempts[number]?.stage
        else { return answers }
        guard written + patience <= now else {
            attempts[number]?.deadline = written + patience
            return answers
        }
        let late = ChatError(.eventTimeout, "The platform did not answer within \(patience.components.seconds) s.")
        return answers + [.abandon(number)] + check(number, late, isAcknowledged)
    }

    /// Answers the client, if it still waits.
    private mutating func answerNow(_ number: Int) -> [Effect] {
        guard let attempt = attempts[number], attempt.isAwaited else { return [] }
        attempts[number]?.isAwaited = false
        if let refusal = attempt.refusal { return [.answer(number, .failure(refusal))] }
        return [.answerPending(number)]
    }
}

/// The result of one attempt to send a message.
enum SendResult: Sendable {
    case sent(RemoteMessage)
    /// The platform has it, and the store too, as this.
    case confirmed(Message)
    /// The platform has it. How, it has not told.
    case acknowledged
    /// It did not arrive, and another attempt may succeed.
    case failed(ChatError)
    /// The platform refuses the message itself: no attempt can succeed. Nobody was told of the message yet.
    case refused(ChatError)
    /// Whether it arrived is not known. The platform is to be asked when it can be reached again.
    case unknown(ChatError)

    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}

extension ChatError.Code {
    /// Whether another attempt may succeed. Otherwise the message itself is wrong, and is not kept.
    fileprivate var mayPass: Bool { isUncertain || self == .attachmentError || self == .shuttingDown }

    /// Whether the platform may have stored the message in spite of the error.
    fileprivate var isUncertain: Bool { self == .notConnected || self == .eventTimeout || self == .serverError }
}

/// Marks of what runs for messages: attempts to send, removals, questions. A mark lasts until everybody who has it has
/// left, in whatever order they came.
struct AttemptMarks<Message: Hashable & Sendable>: Sendable {
    private var holders: [Message: Int] = [:]

    /// How many messages are marked.
    var count: Int { holders.count }
    var isEmpty: Bool { holders.isEmpty }

    func contains(_ message: Message) -> Bool { holders[message] != nil }

    /// Marks the message, beside whoever has marked it already. ``leave(_:)`` must follow.
    mutating func join(_ message: Message) { holders[message, default: 0] += 1 }

    /// Marks the message if nobody has. If this returns true, ``leave(_:)`` must follow.
    mutating func claim(_ message: Message) -> Bool {
        guard holders[message] == nil else { return false }
        holders[message] = 1
        return true
    }

    /// One of those who have marked the message is done.
    mutating func leave(_ message: Message) {
        guard let count = holders[message] else { return }
        holders[message] = count > 1 ? count - 1 : nil
    }
}
