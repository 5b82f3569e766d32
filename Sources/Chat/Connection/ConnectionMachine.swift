import ChatModel

/// The states of a session's connection, and what follows from each input. It is a value without side effects:
/// ``SessionConnection`` feeds it and carries out its effects, and tests need no service.
///
/// The transitions are those of the SDK's `ConnectionProvider`, with three differences. A session that was told to
/// connect goes on trying until it succeeds, until it is told to disconnect, or until an error says that no attempt can
/// help (``ChatError/isFinal``). A session that is offline asks again by itself. Requests that wait when the connection
/// is lost fail instead of hanging.
public struct ConnectionMachine: Sendable, Equatable {
    /// Something that happened: a call of the client, or the answer to an ``Effect``.
    public enum Input: Sendable, Equatable {
        /// The client asks to prepare the session; with `connects`, to connect it after that.
        case prepare(connects: Bool)
        /// The session was stored before the gateway restarted. Its preparation begins with the first `retryDue`.
        case restore(connects: Bool)
        case prepared(ChatMode)
        case prepareFailed(ChatError)
        case connect
        /// The store could not save that the session is to be connected. So it is not connected either: a restart would
        /// forget it.
        case connectNotStored(ChatError)
        case offline
        case online
        case availabilityFailed(ChatError)
        case opened
        case openFailed(ChatError)
        /// The single thread was recovered, or the list and its metadata loaded.
        case loaded
        /// The platform has no thread for this account yet (`recoveringThreadFailed`).
        case nothingToRecover(hasSurvey: Bool)
        case loadFailed(ChatError)
        case threadCreated
        case lost
        case retryDue
        case disconnect
        case signOut
        case contactEnded
    }

    /// Something that ``SessionConnection`` must do, in the order of the result.
    public enum Effect: Sendable, Equatable {
        /// Ask the service for its configuration; answer with `prepared` or `prepareFailed`.
        case fetchConfiguration
        /// Ask whether the channel is online; answer with `online`, `offline` or `availabilityFailed`.
        case checkAvailability
        /// Open and authorise; answer with `opened` or `openFailed`.
        case open
        case close
        /// Recover the single thread; answer with `loaded`, `nothingToRecover` or `loadFailed`.
        case recoverThread
        /// List the threads; answer with `loaded` or `loadFailed`.
        case loadThreads
        /// Make the single thread; answer with `threadCreated` or `loadFailed`.
        case createThread
        /// Wait, then answer with `retryDue`.
        case scheduleRetry(Duration)
        case cancelRetry
        /// Tell the session's streams: `chat.updated`.
        case publishState
        /// Tell the session's streams: `error`.
        case publishError(ChatError)
        /// Requests that wait for an answer throw `notConnected`.
        case failPending
        /// Callers that wait for the session to settle are resumed: nil, or why it did not get where it was to go.
        case settled(ChatError?)
    }

    public private(set) var state: ChatState = .initial
    public private(set) var mode: ChatMode = .singlethread
    /// Why the last attempt failed, or why the connection was lost. Nil once the session is where it was to go.
    public private(set) var error: ChatError?
    /// Nothing runs now. The next attempt begins with `retryDue`.
    public private(set) var isWaiting = false
    /// The session is to be connected: another attempt follows each failure that is not final.
    private(set) var connects = false
    private var backOff = BackOff()
    /// Attempts that failed since the session was told to connect, or since its connection was lost.
    private var failures = 0
    /// The next attempt must first ask whether the channel is online.
    private var asksFirst = false
    /// The service was asked whether the channel is online, and has not answered.
    private var isAsking = false

    /// Whether a request should wait for the connection. True only before the first failed attempt: after that nobody
    /// knows when the platform is back.
    public var isConnectionExpected: Bool {
        connects && failures == 0 && (state == .preparing || state == .connecting || isAsking)
    }

    public init() {}

    /// Takes an input and returns what is to be done. An input that does not fit the state, as a late answer, changes
    /// nothing.
    ///
    /// Throws `illegalChatState` for a call that the state does not allow; only `prepare` can throw.
    ///
    /// - Parameter random: a number in 0..<1, for the jitter of the delay.
    public mutating func handle(_ input: Input, random: Double = 0) throws(ChatError) -> [Effect] {
        switch input {
        case .prepare(let connects): return try prepare(connects: connects)
        case .restore(let connects):
            guard state == .initial else { return [] }
            (state, self.connects, isWaiting) = (.preparing, connects, true)
            return []
        case .connect: return try connect()
        case .connectNotStored(let error): return connectNotStored(error)
        case .disconnect: return disconnect()
        case .signOut: return signOut()
        case .retryDue: return isWaiting ? attempt() : []
        case .prepared(let mode):
            guard state == .preparing else { return [] }
            self.mode = mode
            begin()
            return enter(.prepared) + (connects ? ask() : [.settled(nil)])
        case .prepareFailed(let error):
            guard state == .preparing else { return [] }
            return retry(after: error, random: random)
        case .offline:
            guard answersAsking() else { return [] }
            return offline(random: random)
        case .online:
            guard answersAsking() else { return [] }
            asksFirst = false
            return (state == .connecting ? [] : enter(.connecting)) + [.open]
        case .availabilityFailed(let error):
            guard answersAsking() else { return [] }
            asksFirst = true
            return retry(after: error, random: random)
        case .opened:
            guard state == .connecting else { return [.close] }
            error = nil
            return enter(.connected) + [mode == .multithread ? .loadThreads : .recoverThread]
        case .openFailed(let error):
            guard state == .connecting else { return [] }
            return retry(after: error, random: random)
        case .threadCreated where state == .closed:
            // A new conversation after the contact has ended.
            return enter(.ready)
        case .loaded, .threadCreated:
            guard state == .connected else { return [] }
            return ready()
        case .nothingToRecover(let hasSurvey):
            guard state == .connected else { return [] }
            let soft = ChatError(.recoveringThreadFailed, "There is no thread yet.")
            return [.publishError(soft)] + (hasSurvey ? ready() : [.createThread])
        case .loadFailed(let error):
            guard state == .connected else { return [] }
            return [.close, .failPending] + retry(after: error, random: random)
        case .lost: return lost(random: random)
        case .contactEnded:
            guard state == .ready, mode == .liveChat else { return [] }
            return enter(.closed)
        }
    }

    // MARK: Calls

    private mutating func prepare(connects: Bool) throws(ChatError) -> [Effect] {
        if state == .preparing {
            self.connects = self.connects || connects
            return []
        }
        guard state.isPrepareable else {
            throw ChatError(.illegalChatState, "The session cannot be prepared while it is \(state.rawValue).")
        }
        let given = giveUpAsking() + giveUpWaiting()
        begin()
        (state, self.connects) = (.preparing, connects)
        return given + [.fetchConfiguration]
    }

    /// Allowed in every state. If the session waits for its next attempt, that attempt begins now.
    private mutating func connect() throws(ChatError) -> [Effect] {
        switch state {
        case .initial:
            return try prepare(connects: true)
        case .prepared:
            if isAsking { return [] }
            begin()
            connects = true
            return ask()
        case .preparing, .offline, .connecting:
            connects = true
            return isWaiting ? [.cancelRetry] + attempt() : []
        case .connected, .ready, .closed:
            return [.publishState]
        }
    }

    private mutating func connectNotStored(_ error: ChatError) -> [Effect] {
        connects = false
        switch state {
        case .preparing:
            return giveUpWaiting() + leavePreparing(isTold: self.error != nil) + [.settled(error)]
        case .prepared:
            isAsking = false
            return [.settled(error)]
        case .offline, .connecting:
            (isAsking, isWaiting) = (false, false)
            return [.cancelRetry] + enter(.prepared) + [.settled(error)]
        default:
            return [.settled(error)]
        }
    }

    private mutating func disconnect() -> [Effect] {
        let wasWaiting = giveUpWaiting()
        let wasAsking = giveUpAsking()
        let hadFailed = error != nil
        begin()
        (connects, asksFirst) = (false, false)
        switch state {
        case .initial: return []
        case .prepared: return wasAsking
        case .preparing:
            return wasWaiting + leavePreparing(isTold: hadFailed) + [.settled(Self.disconnected)]
        case .offline: return wasWaiting + enter(.prepared) + wasAsking
        case .connecting, .connected, .ready, .closed:
            return [.cancelRetry, .close, .failPending] + enter(.prepared) + [.settled(Self.disconnected)]
        }
    }

    /// Returns to `initial`. The SDK does not report this step. Here it is reported after a failed attempt, because
    /// clients were told of that attempt.
    private mutating func leavePreparing(isTold: Bool) -> [Effect] {
        state = .initial
        return isTold ? [.publishState] : []
    }

    private mutating func signOut() -> [Effect] {
        let effects = disconnect()
        return effects.filter { $0 != .publishState } + enter(.initial)
    }

    // MARK: Attempts

    /// Forgets the failures of earlier attempts.
    private mutating func begin() {
        (failures, error) = (0, nil)
        backOff.reset()
    }

    private mutating func attempt() -> [Effect] {
        isWaiting = false
        switch state {
        case .preparing: return [.fetchConfiguration]
        case .offline: return ask()
        case .connecting: return asksFirst ? ask() : [.open]
        default: return []
        }
    }

    private mutating func ask() -> [Effect] {
        isAsking = true
        return [.checkAvailability]
    }

    /// Whether an answer about availability is still expected. Only the first answer is.
    private mutating func answersAsking() -> Bool {
        defer { isAsking = false }
        return isAsking
    }

    private mutating func giveUpAsking() -> [Effect] { answersAsking() ? [.settled(Self.disconnected)] : [] }

    private mutating func giveUpWaiting() -> [Effect] {
        defer { isWaiting = false }
        return isWaiting ? [.cancelRetry] : []
    }

    /// The channel takes nobody now. That is not a failure: the session is offline, and asks again until the channel is
    /// online.
    private mutating func offline(random: Double) -> [Effect] {
        if state != .offline { begin() }
        (state, asksFirst, isWaiting) = (.offline, false, true)
        (failures, error) = (0, nil)
        return [.scheduleRetry(backOff.next(random: random)), .publishState, .settled(nil)]
    }

    private mutating func ready() -> [Effect] {
        begin()
        return enter(.ready) + [.settled(nil)]
    }

    private mutating func lost(random: Double) -> [Effect] {
        guard state.isChatAvailable else { return [] }
        let error = ChatError(.notConnected, "The connection to the service was lost.")
        // A session that was not ready yet has failed in this attempt, although the connection was open.
        if state == .connected { return [.failPending] + retry(after: error, random: random) }
        self.error = error
        return [.failPending] + wait(random: random)
    }

    /// Plans another attempt; none if the error is final.
    private mutating func retry(after error: ChatError, random: Double) -> [Effect] {
        self.error = error
        if error.isFinal {
            (connects, asksFirst) = (false, false)
            return enter(state == .preparing ? .initial : .prepared) + [.publishError(error), .settled(error)]
        }
        failures += 1
        return wait(random: random) + [.settled(error)]
    }

    /// Plans the next attempt. The state stays `preparing` or `offline`; from any other it becomes `connecting`.
    private mutating func wait(random: Double) -> [Effect] {
        if state != .preparing, state != .offline { state = .connecting }
        isWaiting = true
        return [.scheduleRetry(backOff.next(random: random)), .publishState]
    }

    private mutating func enter(_ state: ChatState) -> [Effect] {
        self.state = state
        return [.publishState]
    }

    private static let disconnected = ChatError(.notConnected, "The session was disconnected.")
}

extension ChatError {
    /// Whether no further attempt can help, because the request, the configuration or the login is wrong. The session
    /// stops trying then.
    public var isFinal: Bool {
        switch code {
        case .sdkVersionNotSupported, .transactionTokenExpired, .missingAccessToken, .customerAssociationFailure,
            .missingParameter, .invalidParameter, .unsupportedChannelConfig, .unknownChannel, .unknownService:
            true
        default: false
        }
    }
}
