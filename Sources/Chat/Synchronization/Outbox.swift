import ChatModel
import ChatStore
import Formats

/// Sends an account's own messages to its remote service, and keeps those that could not be sent.
///
/// A message is stored as pending before it is sent. The result is written in one unit of work: the message is
/// confirmed, failed or discarded. Each attempt uses the same request id. After an answer that was lost, the platform
/// is asked first whether it has the message, so no message is sent twice. If the gateway stops in between, it asks
/// after its next start (``resolve(over:)``).
///
/// One outbox serves all sessions of an account.
actor Outbox {
    let account: Int64
    let store: ChatStore
    let clock: any Clock<Duration>
    /// Messages for which an attempt, a removal or a question runs now, and how far attempts have come.
    nonisolated let inFlight: MessagesInFlight
    var platform: BoundPlatform?
    var resender: Task<Void, Never>?
    /// A message may have failed since the resender last read the store.
    var looksAgain = false
    /// The resender has skipped messages because an attempt for them was running. It must look again when one ends.
    var hasSkipped = false
    /// Messages whose threads the account does not have: nothing becomes of them before the next pass of the
    /// synchronization, which may bring the threads back.
    var orphans: Set<Key> = []
    /// Nobody could ask for a message, because the account does not have its thread.
    var hasUnasked = false
    /// Waits, and then asks the platform for messages whose outcome is unknown.
    var question: Task<Void, Never>?
    /// Waits until the oldest failed message has reached the end of its time.
    var expiry: Task<Void, Never>?

    /// How long to wait before the next try, when an outcome is unknown or could not be stored.
    static let patience = Duration.seconds(30)

    /// How a session's message reaches the platform.
    struct Connection: Sendable {
        /// The platform, if the session is connected at this moment.
        var now: @Sendable () -> BoundPlatform?
        /// The platform, once the session is connected; throws why it is not.
        var soon: @Sendable () async throws(ChatError) -> BoundPlatform
    }

    typealias Key = SendMachine.Key

    init(account: Int64, store: ChatStore, clock: any Clock<Duration>) {
        self.account = account
        self.store = store
        self.clock = clock
        inFlight = MessagesInFlight(clock: clock)
    }

    // MARK: Sending

    /// Stores a message as pending and sends it. Waits for the platform for 10 s at most.
    ///
    /// The outcome's message is confirmed, or failed if the policy keeps it. It is pending if the platform has not
    /// answered in time; then events tell how it ends.
    ///
    /// Throws `messageIdConflict`, `illegalThreadState`, `unknownAttachment`, `attachmentInUse`, `tooManyUnsent`; for a
    /// reply `unknownParent`, `replyDepthExceeded`, `replyNotAllowed`. If
    /// the message is not kept, throws why it failed: with the policy `none`, and for a message that can never be sent.
    ///
    /// - Parameters:
    ///   - receipt: stored with the pending message, so a repeated request sends nothing.
    ///   - connection: where there is none, one is waited for once the message is stored. What that throws is the
    ///     reason for which the attempt failed.
    func send(
        _ draft: MessageDraft, to thread: String, policy: ResendPolicy, receipt: Receipt?, over connection: Connection
    ) async throws(ChatError) -> Outcome {
        let account = account
        let id = draft.id ?? store.environment.makeID()
        // Marked before the message is stored: whoever finds it pending must see that its attempt runs. Another call
        // may send the same id at this moment, and either of them may be the one whose unit stores it.
        let key = Key(thread: thread, message: id)
        inFlight.join(key)
        // Before the unit: if the session must be waited for, the thread may change meanwhile, and is read again.
        let platform = connection.now()
        let begun: (Outcome, OutgoingRecord?, OutgoingMessage?)
        do throws(ChatError) {
            begun = try await store.write(isRepeatable: true) {
                (transaction) throws -> (Outcome, OutgoingRecord?, OutgoingMessage?) in
                guard var record = try transaction.thread(thread, of: account) else {
                    throw ChatError.unknownThread(thread)
                }
                // An id that was made just now names no message yet.
                if draft.id != nil, let known = try transaction.ownMessage(id, in: record) {
                    guard draft.isSame(as: known), known.direction == .toAgent else {
                        throw ChatError(
                            .messageIdConflict, "The thread has a message of this id with other content.",
                            pointer: "/id")
                    }
                    let outcome = Outcome(.ok, id: known.id, body: known.canonicalJSON)
                    try transaction.record(receipt, outcome)
                    return (outcome, nil, nil)
                }
                try ThreadRules.checkSend(record.thread)
                try ThreadRules.checkJoined(record.members[0].state, record.thread)
                if let id = draft.parentID {
                    guard let parent = try transaction.message(id, in: record)?.message else {
                        throw ChatError(.unknownParent, "The thread has no message \(id).", pointer: "/parentId")
                    }
                    try ThreadRules.checkReply(to: parent)
                }
                var message = Message(
                    id: id, threadID: thread, createdAt: transaction.now, direction: .toAgent,
                    author: Author(try transaction.account(account).customer), text: draft.text, status: .pending)
                message.customType = draft.customType
                message.attachments = try transaction.uploads(draft.attachments, of: .account(account))
                if !draft.attachments.isEmpty { message.type = .file }
                message.postback = draft.postback
                message.parentID = draft.parentID
                message.alsoInThread = draft.parentID == nil ? nil : draft.alsoInThread ?? true
                let own = try transaction.enqueue(message, policy: policy, in: &record)
                // The key is tied to the message before it goes out: repeating the request sends nothing twice.
                let outcome = Outcome(.created, id: own.message.id, body: own.message.canonicalJSON)
                try transaction.record(receipt, outcome, message: own.number)
                return (outcome, own, platform == nil ? nil : try transaction.outgoingMessage(own, in: record))
            }
        } catch {
            end(key)
            throw error
        }
        guard let own = begun.1 else {
            end(key)
            return begun.0
        }
        let running = inFlight.begin(
            own, begun.2, over: platform, connection, read: reader(of: own)
        ) { [self] running, result in await finish(running, own, result, receipt) }
        if let outcome = try await inFlight.answer(to: running) { return outcome }
        guard policy != .none else { throw Self.isUnanswered(id) }
        return begun.0
    }

    /// Stores the result of an attempt for which a client may wait.
    private func finish(
        _ running: MessagesInFlight.Attempt, _ own: OutgoingRecord, _ result: SendResult, _ receipt: Receipt?
    ) async {
        let outcome: Result<Outcome, ChatError>
        do throws(ChatError) {
            outcome = .success(try await settle(own, result, receipt))
        } catch {
            // It may be stored as pending still.
            if error.isStorageFailure { askLater() }
            outcome = .failure(error)
        }
        end(Key(own))
        await inFlight.settled(running, outcome)
    }

    /// The error for a client whose policy keeps no failed message, while the outcome is unknown. The client may send
    /// the message again under its id: the platform stores it once.
    static func isUnanswered(_ id: String) -> ChatError {
        ChatError(
            .eventTimeout,
            "The platform has not said whether it took the message \(id). Under the same id it may be sent again.")
    }

    /// Sends a failed message again. The outcome's message is confirmed.
    ///
    /// Throws `unknownThread`, `unknownMessage`, `messageNotFailed` for one that was sent or is being sent,
    /// `notConnected`, and why it failed again.
    func resend(_ id: String, in thread: String, over platform: BoundPlatform) async throws(ChatError) -> Outcome {
        let key = Key(thread: thread, message: id)
        let isFree = inFlight.claim(key)
        defer { if isFree { end(key) } }
        let own = try await find(id, in: thread)
        guard own.isFailed, isFree else { throw Self.isBeingSent(id) }
        let result = await sendAgain(own, over: platform)
        var outcome = try await settle(own, result, nil)
        switch result {
        case .sent, .confirmed, .acknowledged:
            outcome.kind = .ok
            return outcome
        case .failed(let error), .refused(let error), .unknown(let error): throw error
        }
    }

    /// Removes a failed message. Returns false if the thread has no unsent message of this id: then it may be one that
    /// was sent.
    ///
    /// Throws `unknownThread`, `messageNotFailed` while an attempt runs.
    func remove(_ id: String, in thread: String) async throws(ChatError) -> Bool {
        let account = account
        let key = Key(thread: thread, message: id)
        // No attempt can begin while it is removed.
        let isFree = inFlight.claim(key)
        defer { if isFree { end(key) } }
        return try await store.write { transaction in
            guard var record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            guard let own = try transaction.outgoing(id, in: record) else { return false }
            guard own.isFailed, isFree else { throw Self.isBeingSent(id) }
            transaction.actor = own.message.author
            try transaction.discard(own, in: &record, reason: .manualAction)
            return true
        }
    }

    private static func isBeingSent(_ id: String) -> ChatError {
        ChatError(.messageNotFailed, "The message \(id) is being sent.")
    }

    private func find(_ id: String, in thread: String) async throws(ChatError) -> OutgoingRecord {
        let account = account
        return try await store.read { transaction in
            guard let record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            if let own = try transaction.outgoing(id, in: record) { return own }
            guard try transaction.message(id, in: record) == nil else {
                throw ChatError(.messageNotFailed, "The message \(id) was sent.")
            }
            throw ChatError.unknownMessage(id)
        }
    }
}

extension ReadTransaction {
    /// The message of this id, confirmed or still in the outbox.
    func ownMessage(_ id: String, in thread: ThreadRecord) throws -> Message? {
        try message(id, in: thread)?.message ?? outgoing(id, in: thread)?.message
    }
}

/// One attempt to send a message, and what is written of its result.
extension Outbox {
    /// Sends a failed message again. If an earlier attempt may have arrived, it is sent only if the platform does not
    /// have it.
    func sendAgain(_ own: OutgoingRecord, over platform: BoundPlatform) async -> SendResult {
        await inFlight.sendAgain(own, over: platform, read: reader(of: own))
    }

    /// Reads the message with its thread as it is then.
    func reader(of own: OutgoingRecord) -> MessagesInFlight.Attempt.Reader {
        let (store, account) = (store, account)
        return { () throws(ChatError) in
            try await store.read { transaction in
                try transaction.thread(own.message.threadID, of: account).map {
                    try transaction.outgoingMessage(own, in: $0)
                }
            }
        }
    }

    /// The caller's attempt for this message is over. Once nobody else has one, the resender may take the message, if
    /// it has failed.
    func end(_ message: Key) {
        inFlight.leave(message)
        if looksAgain || hasSkipped { startResending() }
    }

    /// Writes the result of an attempt in one unit of work. Returns the outcome for the client; throws why the message
    /// failed if it is not kept.
    ///
    /// - Parameter receipt: nil for an attempt that no request waits for.
    func settle(
        _ own: OutgoingRecord, _ result: SendResult, _ receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        var result = result
        if case .acknowledged = result {
            var sent = own.message
            (sent.status, sent.failure) = (.sent, nil)
            result = .sent(RemoteMessage(sent))
        }
        if let outcome = try await settled(own, result, receipt) {
            if expiry != nil { await scheduleExpiry() }
            return outcome
        }
        let account = account
        // The error is nil if the message is kept; otherwise it says why it is not.
        let settled = try await store.write { [result] (transaction) throws -> (Outcome, ChatError?) in
            guard var thread = try transaction.thread(own.message.threadID, of: account) else {
                throw ChatError.unknownThread(own.message.threadID)
            }
            if case .sent(var remote) = result {
                remote.requestID = own.message.id
                try transaction.merge([remote], by: .sent, into: &thread)
            }
            var refusal: ChatError?
            if var kept = try transaction.outgoing(own.message.id, in: thread) {
                switch result {
                case .sent, .confirmed, .acknowledged: break
                case .failed(let error):
                    if kept.policy == .none { refusal = error } else { try transaction.fail(&kept, error, in: &thread) }
                case .refused(let error): refusal = error
                case .unknown(let error):
                    // A message that had failed before stays failed. The platform is asked for it before it is sent
                    // again.
                    if kept.isFailed { try transaction.fail(&kept, error, in: &thread) }
                }
                if refusal != nil {
                    try transaction.discard(kept, in: &thread, reason: nil)
                    try transaction.withdraw(receipt)
                    return (Outcome(.none), refusal)
                }
            }
            guard let message = try transaction.ownMessage(own.message.id, in: thread) else {
                // The message was removed meanwhile, on the platform or by its author.
                return (Outcome(.created, id: own.message.id, body: own.message.canonicalJSON), nil)
            }
            let outcome = Outcome(.created, id: message.id, body: message.canonicalJSON)
            try transaction.record(receipt, outcome, message: own.number)
            return (outcome, nil)
        }
        if let error = settled.1 {
            if expiry != nil { await scheduleExpiry() }
            throw error
        }
        if case .sent = result {
            if expiry != nil { await scheduleExpiry() }
            return settled.0
        }
        looksAgain = true
        if case .failed = result { await scheduleExpiry() }
        if case .unknown = result {
            askLater()
            if own.policy == .none { throw Self.isUnanswered(own.message.id) }
        }
        return settled.0
    }

    /// The outcome of a message whose confirmation was written already, by the platform's live event. Nil when it is
    /// still to be written.
    private func settled(
        _ own: OutgoingRecord, _ result: SendResult, _ receipt: Receipt?
    ) async throws(ChatError) -> Outcome? {
        // The receipt was written with it.
        if case .confirmed(let message) = result {
            return Outcome(.created, id: message.id, body: message.canonicalJSON)
        }
        guard receipt == nil, case .sent(let remote) = result else { return nil }
        let account = account
        return try await store.read { transaction in
            guard let thread = try transaction.thread(own.message.threadID, of: account),
                try transaction.outgoing(own.message.id, in: thread) == nil,
                let known = try transaction.message(own.message.id, in: thread)?.message,
                known.merged(with: remote.message) == nil
            else { return nil }
            return Outcome(.created, id: known.id, body: known.canonicalJSON)
        }
    }
}
