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
    private let account: Int64
    private let store: ChatStore
    private let clock: any Clock<Duration>
    /// Messages for which an attempt, a removal or a question runs now. Nobody else may begin one.
    private var inFlight: Set<InFlight> = []
    /// Failed messages of which no attempt has reached a platform, because there was no connection. They are sent
    /// without asking first: to look for a message may read minutes of history. What was stored by an earlier process
    /// is not among them.
    private var neverSent: Set<InFlight> = []
    private var platform: (any RemotePlatform)?
    private var resender: Task<Void, Never>?
    /// A message may have failed since the resender last read the store.
    private var looksAgain = false
    /// The resender has skipped messages because an attempt for them was running. It must look again when one ends.
    private var hasSkipped = false
    /// Waits, and then asks the platform for messages whose outcome is unknown.
    private var question: Task<Void, Never>?
    /// Waits until the oldest failed message has reached the end of its time.
    private var expiry: Task<Void, Never>?

    /// How long to wait before the next try, when an outcome is unknown or could not be stored.
    private static let patience = Duration.seconds(30)

    /// How a session's message reaches the platform.
    struct Connection: Sendable {
        /// The platform, if the session is connected at this moment.
        var now: @Sendable () -> (any RemotePlatform)?
        /// The platform, once the session is connected; throws why it is not.
        var soon: @Sendable () async throws(ChatError) -> any RemotePlatform
    }

    private struct InFlight: Hashable {
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
        // Marked before the message is stored: whoever finds it pending must see that its attempt runs.
        let attempt = InFlight(thread: thread, message: id)
        let isFirst = inFlight.insert(attempt).inserted
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
            if isFirst { end(attempt) }
            throw error
        }
        guard let own = begun.1 else {
            if isFirst { end(attempt) }
            return begun.0
        }
        inFlight.insert(attempt)
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

    /// Makes an attempt with the thread as it is now. If an earlier attempt may have arrived, the message is sent only
    /// if the platform does not have it.
    private func makeAttempt(
        _ own: OutgoingRecord, over platform: any RemotePlatform
    ) async throws(ChatError) -> SendAttempt {
        let (account, thread) = (account, own.message.threadID)
        if !neverSent.contains(InFlight(own)) {
            do throws(ChatError) {
                if let sent = try await platform.message(sentAs: own.message.id, in: thread) { return .sent(sent) }
            } catch {
                return .failed(error)
            }
        }
        let outgoing = try await store.read { transaction in
            try transaction.thread(thread, of: account).map { try transaction.outgoingMessage(own, in: $0) }
        }
        neverSent.remove(InFlight(own))
        guard let outgoing else { return .refused(.unknownThread(thread)) }
        return await SendAttempt.run(outgoing, over: platform)
    }

    /// The error for a client whose policy keeps no failed message, while the outcome is unknown. The client may send
    /// the message again under its id: the platform stores it once.
    private static func isUnanswered(_ id: String) -> ChatError {
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
        let isFree = inFlight.insert(attempt).inserted
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
        let isFree = inFlight.insert(attempt).inserted
        defer { if isFree { end(attempt) } }
        return try await store.write { transaction in
            guard var record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            guard let own = try transaction.outgoing(id, in: record) else { return false }
            guard own.isFailed, isFree else { throw Self.isBeingSent(id) }
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

    // MARK: Attempts

    /// The attempt for this message is over. Only now may the resender take the message, if it has failed.
    private func end(_ attempt: InFlight) {
        inFlight.remove(attempt)
        if looksAgain || hasSkipped { startResending() }
    }

    /// Writes the result of an attempt in one unit of work. Returns the outcome for the client; throws why the message
    /// failed if it is not kept.
    ///
    /// - Parameter receipt: nil for an attempt that no request waits for.
    private func settle(
        _ own: OutgoingRecord, _ result: SendAttempt, _ receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        if let outcome = try await settled(own, result, receipt) {
            if expiry != nil { await scheduleExpiry() }
            return outcome
        }
        let account = account
        // The error is nil if the message is kept; otherwise it says why it is not.
        let settled = try await store.write { (transaction) throws -> (Outcome, ChatError?) in
            guard var thread = try transaction.thread(own.message.threadID, of: account) else {
                throw ChatError.unknownThread(own.message.threadID)
            }
            if case .sent(var remote) = result {
                remote.requestID = own.message.id
                try transaction.merge([remote], by: .live, into: &thread)
            }
            var refusal: ChatError?
            if var kept = try transaction.outgoing(own.message.id, in: thread) {
                switch result {
                case .sent, .confirmed: break
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
        _ own: OutgoingRecord, _ result: SendAttempt, _ receipt: Receipt?
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

    // MARK: After a connection began

    /// Asks the platform for all messages that are pending without a running attempt: their answers were lost with an
    /// earlier connection, or with the gateway. Also removes failed messages whose time is over. Returns whether there
    /// were unsent messages. Throws `notConnected` when this connection is lost too.
    @discardableResult
    func resolve(over platform: any RemotePlatform) async throws -> Bool {
        let account = account
        let unsent = try await store.read { try $0.outgoingMessages(of: account) }
        guard !unsent.isEmpty else { return false }
        if unsent.contains(where: \.isFailed) {
            try await store.write { try $0.discardExpired(of: account) }
            await scheduleExpiry()
        }
        let pending = unsent.filter { !$0.isFailed }
        for own in pending where inFlight.insert(InFlight(own)).inserted {
            defer { end(InFlight(own)) }
            do throws(ChatError) {
                let sent = try await platform.message(sentAs: own.message.id, in: own.message.threadID)
                let lost = ChatError(.eventTimeout, "The answer was lost, and the platform does not have the message.")
                _ = try await settle(own, sent.map(SendAttempt.sent) ?? .failed(lost), nil)
            } catch {
                // A message that cannot be asked for now does not hold up the others.
                guard error.code != .notConnected else { throw error }
                askLater()
            }
        }
        return true
    }

    /// Plans one more ``resolve(over:)`` for all unknown outcomes, over the connection that exists then.
    private func askLater() {
        guard question == nil else { return }
        let clock = clock
        question = Task { [weak self] in
            try? await clock.sleep(for: Self.patience)
            await self?.askAgain()
        }
    }

    private func askAgain() async {
        question = nil
        // Without a connection the next one asks.
        if let platform { _ = try? await resolve(over: platform) }
    }

    /// From now on, sends failed messages again over this platform, if their policy is automatic. Nil stops that.
    ///
    /// - Parameter resends: false if there was no unsent message a moment ago.
    func follow(_ platform: (any RemotePlatform)?, resends: Bool = true) {
        resender?.cancel()
        resender = nil
        self.platform = platform
        if resends || looksAgain || hasSkipped { startResending() }
    }

    private func startResending() {
        (looksAgain, hasSkipped) = (true, false)
        guard let platform, resender == nil else { return }
        resender = Task {
            // A message may have failed after the store was read. Then it is read again.
            while !Task.isCancelled, looksAgain {
                looksAgain = false
                while !Task.isCancelled, let own = await nextToResend() {
                    if await resendLater(own, over: platform) { continue }
                    // The connection is gone; the next one goes on.
                    if !Task.isCancelled { (self.platform, resender) = (nil, nil) }
                    return
                }
            }
            if !Task.isCancelled { resender = nil }
        }
    }

    /// The oldest failed message without a running attempt, so that messages leave in the order in which they were
    /// written.
    private func nextToResend() async -> OutgoingRecord? {
        let account = account
        while true {
            // Among this many messages at least one has no running attempt, unless others began meanwhile.
            let limit = inFlight.count + 1
            let failed = try? await store.read { try $0.messagesToResend(of: account, limit: limit) }
            guard inFlight.count < limit else { continue }
            let next = failed?.first { !inFlight.contains(InFlight($0)) }
            if next == nil, failed?.isEmpty == false { hasSkipped = true }
            // Those that were removed without an attempt are forgotten, too.
            if failed?.isEmpty == true, inFlight.isEmpty { neverSent = [] }
            return next
        }
    }

    /// Waits 2 s for each attempt so far, 10 s at most, and sends the message. Returns false when that failed because
    /// the connection was lost or this resender was stopped: then it does not count as an attempt.
    private func resendLater(_ own: OutgoingRecord, over platform: any RemotePlatform) async -> Bool {
        let delay = min(2 * own.attempts, 10)
        if delay > 0 { try? await clock.sleep(for: .seconds(delay)) }
        // It may have been removed or resent by hand while this slept.
        guard !Task.isCancelled, await nextToResend()?.number == own.number, inFlight.insert(InFlight(own)).inserted
        else { return true }
        defer { end(InFlight(own)) }
        var result: SendAttempt
        do throws(ChatError) {
            result = try await makeAttempt(own, over: platform)
        } catch {
            // A disk that fails, perhaps: the message is still the next one.
            try? await clock.sleep(for: Self.patience)
            return true
        }
        if case .failed(let error) = result, Task.isCancelled || error.code == .notConnected {
            looksAgain = true
            return false
        }
        // The author was told that the message is kept. So even a refused one stays, as failed, until the author
        // decides.
        if case .refused(let error) = result { result = .failed(error) }
        do throws(ChatError) {
            _ = try await settle(own, result, nil)
        } catch {
            // A disk that is full, perhaps: the message is still the next one.
            try? await clock.sleep(for: Self.patience)
        }
        return true
    }

    // MARK: Retention

    /// Plans the removal of the oldest failed message at the end of its time. Without this it would wait for the next
    /// attempt or connection.
    private func scheduleExpiry() async {
        expiry?.cancel()
        expiry = nil
        let account = account
        guard let failed = try? await store.read({ try $0.outgoingMessages(of: account) }).compactMap(\.failedAt).min()
        else { return }
        let age = store.environment.now().milliseconds - failed.milliseconds
        let delay = Duration.milliseconds(max(1, OutgoingRecord.lifetimeInMilliseconds - age))
        let (store, clock) = (store, clock)
        // Another call may have set one while this one read.
        expiry?.cancel()
        expiry = Task { [weak self] in
            do {
                try await clock.sleep(for: delay)
                try await store.write { try $0.discardExpired(of: account) }
                await self?.scheduleExpiry()
            } catch {}
        }
    }
}

extension ReadTransaction {
    /// The message of this id, confirmed or still in the outbox.
    fileprivate func ownMessage(_ id: String, in thread: ThreadRecord) throws -> Message? {
        try message(id, in: thread)?.message ?? outgoing(id, in: thread)?.message
    }
}
