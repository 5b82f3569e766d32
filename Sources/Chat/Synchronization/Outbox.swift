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
    /// Messages for which an attempt, a removal or a question runs now. Nobody else may begin one.
    var inFlight = AttemptMarks<InFlight>()
    /// Failed messages of which no attempt has reached a platform, because there was no connection. They are sent
    /// without asking first: to look for a message may read minutes of history. What was stored by an earlier process
    /// is not among them.
    var neverSent: Set<InFlight> = []
    var platform: (any RemotePlatform)?
    var resender: Task<Void, Never>?
    /// A message may have failed since the resender last read the store.
    var looksAgain = false
    /// The resender has skipped messages because an attempt for them was running. It must look again when one ends.
    var hasSkipped = false
    /// Waits, and then asks the platform for messages whose outcome is unknown.
    var question: Task<Void, Never>?
    /// Waits until the oldest failed message has reached the end of its time.
    var expiry: Task<Void, Never>?

    /// How long to wait before the next try, when an outcome is unknown or could not be stored.
    static let patience = Duration.seconds(30)

    /// How a session's message reaches the platform.
    struct Connection: Sendable {
        /// The platform, if the session is connected at this moment.
        var now: @Sendable () -> (any RemotePlatform)?
        /// The platform, once the session is connected; throws why it is not.
        var soon: @Sendable () async throws(ChatError) -> any RemotePlatform
    }

    struct InFlight: Hashable {
        var thread: String
        var message: String

        init(thread: String, message: String) { (self.thread, self.message) = (thread, message) }
        init(_ own: OutgoingRecord) { self.init(thread: own.message.threadID, message: own.message.id) }
    }

    init(account: Int64, store: ChatStore, clock: any Clock<Duration>) {
        self.account = account
        self.store = store
        self.clock = clock
    }

    // MARK: Sending

    /// Stores a message as pending and sends it. Waits for the platform for 10 s at most.
    ///
    /// The outcome's message is confirmed, or failed if the policy keeps it. It is pending if the platform has not
    /// answered in time; then events tell how it ends.
    ///
    /// Throws `messageIdConflict`, `illegalThreadState`, `unknownAttachment`, `attachmentInUse`, `tooManyUnsent`. If
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
        let attempt = InFlight(thread: thread, message: id)
        inFlight.join(attempt)
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
            end(attempt)
            throw error
        }
        guard let own = begun.1 else {
            end(attempt)
            return begun.0
        }
        let answer = SendAnswer()
        let settled = try await Deadline(clock: clock).first { [self] () throws(ChatError) -> Outcome in
            try await deliver(own, begun.2, over: platform, connection, receipt, answer)
        }
        if let settled { return settled }
        guard policy != .none else {
            throw Self.isUnanswered(id)
        }
        if let refusal = answer.give() { throw refusal }
        return begun.0
    }

    private func deliver(
        _ own: OutgoingRecord, _ outgoing: OutgoingMessage?, over platform: (any RemotePlatform)?,
        _ connection: Connection, _ receipt: Receipt?, _ answer: SendAnswer
    ) async throws(ChatError) -> Outcome {
        defer { end(InFlight(own)) }
        var result: SendAttempt
        if let platform, let outgoing {
            result = await SendAttempt.run(outgoing, over: platform)
        } else {
            neverSent.insert(InFlight(own))
            do throws(ChatError) {
                result = try await makeAttempt(own, over: try await connection.soon())
            } catch {
                result = .failed(error)
            }
        }
        if case .refused(let error) = result, !answer.refuse(error) { result = .failed(error) }
        do throws(ChatError) {
            return try await settle(own, result, receipt)
        } catch {
            // It may be stored as pending still.
            if error.isStorageFailure { askLater() }
            throw error
        }
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
    func resend(_ id: String, in thread: String, over platform: any RemotePlatform) async throws(ChatError) -> Outcome {
        let attempt = InFlight(thread: thread, message: id)
        let isFree = inFlight.take(attempt)
        defer { if isFree { end(attempt) } }
        let own = try await find(id, in: thread)
        guard own.isFailed, isFree else { throw Self.isBeingSent(id) }
        let result = try await makeAttempt(own, over: platform)
        switch result {
        case .sent, .confirmed:
            var outcome = try await settle(own, result, nil)
            outcome.kind = .ok
            return outcome
        case .refused(let error):
            _ = try await settle(own, .failed(error), nil)
            throw error
        case .failed(let error), .unknown(let error):
            _ = try await settle(own, result, nil)
            throw error
        }
    }

    /// Removes a failed message. Returns false if the thread has no unsent message of this id: then it may be one that
    /// was sent.
    ///
    /// Throws `unknownThread`, `messageNotFailed` while an attempt runs.
    func remove(_ id: String, in thread: String) async throws(ChatError) -> Bool {
        let account = account
        let attempt = InFlight(thread: thread, message: id)
        // No attempt can begin while it is removed.
        let isFree = inFlight.take(attempt)
        defer { if isFree { end(attempt) } }
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
