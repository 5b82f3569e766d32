import ChatModel
import ChatStore

/// One attempt to send a message, and what is written of its result.
extension Outbox {
    /// Makes an attempt with the thread as it is now. If an earlier attempt may have arrived, the message is sent only
    /// if the platform does not have it.
    func makeAttempt(
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

    /// The caller's attempt for this message is over. Once nobody else has one, the resender may take the message, if
    /// it has failed.
    func end(_ attempt: InFlight) {
        inFlight.leave(attempt)
        if looksAgain || hasSkipped { startResending() }
    }

    /// Writes the result of an attempt in one unit of work. Returns the outcome for the client; throws why the message
    /// failed if it is not kept.
    ///
    /// - Parameter receipt: nil for an attempt that no request waits for.
    func settle(
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
}
