import ChatModel
import ChatStore

/// What becomes of messages that were not sent at once: unknown outcomes are asked for, failed messages are sent again
/// or removed when their time is over.
extension Outbox {
    /// Asks the platform for all messages that are pending without a running attempt: their answers were lost with an
    /// earlier connection, or with the gateway. Also removes failed messages whose time is over. Returns whether there
    /// were unsent messages. Throws `notConnected` when this connection is lost too.
    @discardableResult
    func resolve(over platform: BoundPlatform) async throws -> Bool {
        let account = account
        let (pending, hasFailed) = try await store.read {
            (try $0.pendingMessages(of: account), try $0.oldestFailure(of: account) != nil)
        }
        guard !pending.isEmpty || hasFailed else { return false }
        let oldest = store.environment.now().advanced(byMilliseconds: -OutgoingRecord.lifetimeInMilliseconds)
        if hasFailed || pending.contains(where: { $0.message.createdAt <= oldest }) {
            try await store.write { try $0.discardExpired(of: account) }
            await scheduleExpiry()
        }
        for own in pending {
            guard inFlight.claim(Key(own)) else {
                // Its attempt runs; or a client sends it once more at this moment, and then nobody else would ask.
                askLater()
                continue
            }
            defer { end(Key(own)) }
            do throws(ChatError) {
                let sent = try await platform.message(sentAs: own.message.id, in: own.message.threadID)
                let lost = ChatError(.eventTimeout, "The answer was lost, and the platform does not have the message.")
                _ = try await settle(own, sent.map(SendResult.sent) ?? .failed(lost), nil)
            } catch {
                // A message that cannot be asked for now does not hold up the others.
                guard error.code != .notConnected else { throw error }
                if error.code == .unknownThread { hasUnasked = true } else { askLater() }
            }
        }
        return true
    }

    /// Plans one more ``resolve(over:)`` for all unknown outcomes, over the connection that exists then.
    func askLater() {
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
    /// - Parameter resends: false if the caller has just found no unsent message in the store. Then nothing is sent now.
    func follow(_ platform: BoundPlatform?, resends: Bool = true) {
        resender?.cancel()
        resender = nil
        self.platform = platform
        orphans = []
        if platform != nil, hasUnasked {
            hasUnasked = false
            askLater()
        }
        if resends || looksAgain || hasSkipped { startResending() }
    }

    func startResending() {
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
            let limit = inFlight.count + orphans.count + 1
            let failed = try? await store.read { try $0.messagesToResend(of: account, limit: limit) }
            guard inFlight.count + orphans.count < limit else { continue }
            let free = failed?.filter { !orphans.contains(Key($0)) }
            let next = free?.first { !inFlight.contains(Key($0)) }
            if next == nil, free?.isEmpty == false { hasSkipped = true }
            // Those that were removed without an attempt are forgotten, too.
            if failed?.isEmpty == true { inFlight.forgetFailures() }
            return next
        }
    }

    /// Waits 2 s for each attempt so far, 10 s at most, and sends the message. Returns false when that failed because
    /// the connection was lost or this resender was stopped: then it does not count as an attempt.
    private func resendLater(_ own: OutgoingRecord, over platform: BoundPlatform) async -> Bool {
        let delay = min(2 * own.attempts, 10)
        if delay > 0 { try? await clock.sleep(for: .seconds(delay)) }
        // It may have been removed or resent by hand while this slept.
        guard !Task.isCancelled, await nextToResend()?.number == own.number, inFlight.claim(Key(own))
        else { return true }
        defer { end(Key(own)) }
        let result = await sendAgain(own, over: platform)
        if case .failed(let error) = result, Task.isCancelled || error.code == .notConnected {
            looksAgain = true
            return false
        }
        do throws(ChatError) {
            _ = try await settle(own, result, nil)
        } catch {
            if error.code == .unknownThread {
                orphans.insert(Key(own))
            } else {
                // A disk that is full, perhaps: the message is still the next one.
                try? await clock.sleep(for: Self.patience)
            }
        }
        return true
    }

    /// Plans the removal of the oldest failed message at the end of its time. Without this it would wait for the next
    /// attempt or connection.
    func scheduleExpiry() async {
        expiry?.cancel()
        expiry = nil
        let account = account
        guard let failed = try? await store.read({ try $0.oldestFailure(of: account) }) else { return }
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
