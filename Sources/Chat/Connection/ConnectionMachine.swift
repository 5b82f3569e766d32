import ChatModel

/// The states of a session's connection and what follows from each input: a pure function, tested without a service.
///
/// The transitions are those of the SDK's `ConnectionProvider`; two of its known defects
/// are left out: a failure before the connection is open leads back to `prepared` instead
/// of leaving `connecting` for ever, and waiting requests fail instead of hanging.
public struct ConnectionMachine: Sendable, Equatable {
    public enum Input: Sendable, Equatable {
        case prepare
        /// Prepare a session that was there before the gateway began, and connect it if it was connected: a service that
        /// cannot be reached is tried again, as after a loss.
        case restore(connecting: Bool)
        case prepared(ChatMode)
        case prepareFailed(ChatError)
        case connect
        case offline
        case online
        case availabilityFailed(ChatError)
        case opened
        case openFailed(ChatError)
        /// The single thread was recovered, or the list and its metadata loaded.
        case loaded
        /// `recoveringThreadFailed`: there is no thread yet.
        case nothingToRecover(hasSurvey: Bool)
        case loadFailed(ChatError)
        case threadCreated
        case lost
        case retryDue
        case disconnect
        case signOut
        case contactEnded
    }

    public enum Effect: Sendable, Equatable {
        /// Ask the service for its configuration; answer with `prepared` or `prepareFailed`.
        case fetchConfiguration
        /// The same once more, for a session that is restored.
        case fetchConfigurationAgain
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
        /// Whoever waits for an answer gets `notConnected`.
        case failPending
        /// Whoever waits for `connect` to settle is told.
        case settled(ChatError?)
    }

    public private(set) var state: ChatState = .initial
    public private(set) var mode: ChatMode = .singlethread
    private var backOff = BackOff()
    /// The connection was up since the session was asked to connect: a loss is followed by attempts.
    private var isReconnecting = false
    /// A stored session is being prepared: a failure is followed by attempts. Tells whether it is to be connected then.
    private var restoring: Bool?
    /// Nobody waits for more than the first attempt of a session that is restored.
    private var isFirstAttempt = false
    /// Whether the service is online has to be asked before the next attempt.
    private var asksFirst = false
    /// `connect` was called, and the service is being asked whether it is online.
    public private(set) var isAsking = false

    /// Whether a connection may be there soon, so that a request waits for it.
    public var isConnecting: Bool { state == .connecting || state == .preparing || isAsking }

    public init() {}

    /// Throws `illegalChatState` where the input is a call that the state does not allow.
    ///
    /// - Parameter random: a number in 0..<1, for the back-off's jitter.
    public mutating func handle(_ input: Input, random: Double = 0) throws(ChatError) -> [Effect] {
        switch input {
        case .prepare: return try prepare()
        case .restore(let connecting):
            let effects = try prepare()
            if !effects.isEmpty {
                (restoring, isFirstAttempt) = (connecting, connecting)
                backOff.reset()
            }
            return effects
        case .connect: return try connect()
        case .disconnect: return disconnect()
        case .signOut: return signOut()
        case .prepared(let mode):
            guard state == .preparing else { return [] }
            self.mode = mode
            isReconnecting = restoring == true
            restoring = nil
            return enter(.prepared)
        case .prepareFailed(let error):
            guard state == .preparing else { return [] }
            return prepareFailed(error, random: random)
        case .offline:
            guard answersAsking() else { return [] }
            (isReconnecting, asksFirst) = (false, false)
            return enter(.offline) + [.settled(nil)]
        case .online:
            guard answersAsking() else { return [] }
            asksFirst = false
            return (state == .connecting ? [] : enter(.connecting)) + [.open]
        case .availabilityFailed(let error):
            guard answersAsking() else { return [] }
            guard isReconnecting else { return [.settled(error)] }
            asksFirst = true
            return retry(after: error, random: random)
        case .opened:
            guard state == .connecting else { return [.close] }
            return enter(.connected) + [mode == .multithread ? .loadThreads : .recoverThread]
        case .openFailed(let error):
            guard state == .connecting else { return [] }
            return isReconnecting ? retry(after: error, random: random) : enter(.prepared) + [.settled(error)]
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
            if isReconnecting { return [.close, .failPending] + retry(after: error, random: random) }
            return [.close, .failPending] + enter(.prepared) + [.publishError(error), .settled(error)]
        case .lost:
            guard state.isChatAvailable else { return [] }
            isReconnecting = true
            let error = ChatError(.notConnected, "The connection to the service was lost.")
            return [.failPending] + retry(after: error, random: random)
        case .retryDue: return retryDue()
        case .contactEnded:
            guard state == .ready, mode == .liveChat else { return [] }
            return enter(.closed)
        }
    }

    private mutating func prepare() throws(ChatError) -> [Effect] {
        if state == .preparing { return [] }
        guard state.isPrepareable else {
            throw ChatError(.illegalChatState, "The session cannot be prepared while it is \(state.rawValue).")
        }
        let wasAsking = answersAsking()
        state = .preparing
        restoring = nil
        return [.fetchConfiguration] + (wasAsking ? [.settled(Self.disconnected)] : [])
    }

    private mutating func connect() throws(ChatError) -> [Effect] {
        switch state {
        case .prepared:
            if isAsking { return [] }
            isAsking = true
            backOff.reset()
            return [.checkAvailability]
        case .connecting:
            return []
        case .connected, .ready, .closed:
            return [.publishState]
        case .initial, .preparing, .offline:
            throw ChatError(.illegalChatState, "The session cannot connect while it is \(state.rawValue).")
        }
    }

    /// Back to initial; a session that is restored is tried again, and stays preparing meanwhile.
    private mutating func prepareFailed(_ error: ChatError, random: Double) -> [Effect] {
        if restoring != nil, !error.isFinal, let delay = backOff.next(random: random) {
            return (backOff.attempts == 1 ? [.publishState] : []) + [.publishError(error), .scheduleRetry(delay)]
        }
        let wasRestoring = restoring != nil
        restoring = nil
        state = .initial
        return (wasRestoring ? [.publishState, .publishError(error)] : []) + [.settled(nil)]
    }

    private mutating func retryDue() -> [Effect] {
        switch state {
        case .preparing where restoring != nil: return [.fetchConfigurationAgain]
        case .connecting where asksFirst:
            isAsking = true
            return [.checkAvailability]
        case .connecting: return [.open]
        default: return []
        }
    }

    private mutating func disconnect() -> [Effect] {
        (isReconnecting, asksFirst, isFirstAttempt) = (false, false, false)
        switch state {
        case .initial: return []
        case .prepared:
            return answersAsking() ? [.settled(Self.disconnected)] : []
        case .preparing:
            let wasRestoring = restoring != nil
            restoring = nil
            state = .initial
            return (wasRestoring ? [.cancelRetry] : []) + [.settled(nil)]
        case .offline:
            state = .prepared
            return []
        case .connecting, .connected, .ready, .closed:
            isAsking = false
            return [.cancelRetry, .close, .failPending] + enter(.prepared) + [.settled(Self.disconnected)]
        }
    }

    private mutating func signOut() -> [Effect] {
        let effects = disconnect()
        return effects.filter { $0 != .publishState } + enter(.initial)
    }

    private static let disconnected = ChatError(.notConnected, "The session was disconnected.")

    /// Whether an answer about availability is still waited for; it is taken once.
    private mutating func answersAsking() -> Bool {
        defer { isAsking = false }
        return isAsking && (state == .prepared || state == .connecting)
    }

    private mutating func ready() -> [Effect] {
        (isReconnecting, isFirstAttempt) = (false, false)
        backOff.reset()
        return enter(.ready) + [.settled(nil)]
    }

    /// Back to connecting, and another attempt later; when there were enough, or none would help, prepared and an error.
    private mutating func retry(after error: ChatError, random: Double) -> [Effect] {
        guard !error.isFinal, let delay = backOff.next(random: random) else {
            (isReconnecting, asksFirst, isFirstAttempt) = (false, false, false)
            return enter(.prepared) + [.publishError(error), .settled(error)]
        }
        defer { isFirstAttempt = false }
        let settled: [Effect] = isFirstAttempt ? [.settled(error)] : []
        return (state == .connecting ? [] : enter(.connecting)) + [.scheduleRetry(delay)] + settled
    }

    private mutating func enter(_ state: ChatState) -> [Effect] {
        self.state = state
        return [.publishState]
    }
}

extension ChatError {
    /// Trying again changes nothing: somebody has to do something else first.
    var isFinal: Bool {
        switch code {
        case .sdkVersionNotSupported, .transactionTokenExpired, .missingParameter, .unknownChannel, .unknownService: true
        default: false
        }
    }
}
