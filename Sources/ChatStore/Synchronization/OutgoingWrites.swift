import ChatModel
import Formats

/// The unsent messages of an account. They are logged like all messages; their status tells them apart.
extension WriteTransaction {
    /// Adds a message that is about to be sent, binds its attachments, and logs `message.created` with status
    /// `pending`.
    ///
    /// Throws `messageIdConflict` when a message of this id was removed, `tooManyUnsent` when the thread has
    /// ``OutgoingRecord/maximumCount`` unsent messages, and when those of the account would have more than
    /// ``OutgoingRecord/maximumBytes``.
    public func enqueue(
        _ message: Message, policy: ResendPolicy, in thread: inout ThreadRecord
    ) throws -> OutgoingRecord {
        if try isRemoved(message.id, in: thread) {
            throw ChatError(.messageIdConflict, "A message of this id was removed from the thread.", pointer: "/id")
        }
        guard try remoteFacts(of: thread).unsentCount < OutgoingRecord.maximumCount else {
            throw ChatError(.tooManyUnsent, "The thread has \(OutgoingRecord.maximumCount) messages that are not sent.")
        }
        var message = message
        message.status = .pending
        let encoded = Encoded(message)
        let bytes = Int64(encoded.bytes.count)
        let waiting = try unsentBytes(of: thread.owner.number)
        guard waiting + bytes <= OutgoingRecord.maximumBytes else {
            throw ChatError(
                .tooManyUnsent,
                """
                The messages that are not sent have at most \(OutgoingRecord.maximumBytes) bytes together, as JSON; these have \
                \(waiting), and this one has \(bytes).
                """)
        }
        let event = MessageCreatedEvent(
            threadID: thread.thread.id, message: encoded, by: EventCause(actor: actor ?? message.author))
        let number = try log(event, message: nextOffset, at: message.createdAt, in: &thread, withDesk: false)
        try db.run(
            "INSERT INTO outgoing (number, account, thread, id, policy, version, json) VALUES (?1, ?2, ?3, ?4, ?5, ?1, ?6)",
            [
                .integer(number), .integer(thread.owner.number), .text(thread.thread.id), .text(message.id),
                .text(policy.text),
                .blob(encoded.bytes),
            ])
        note(in: thread.number) { $0.unsentCount += 1 }
        hot?.change(unsentBytes: bytes, of: thread.owner.number)
        try bind(message.attachments, to: number, in: thread)
        try saveListVersion(of: thread)
        return OutgoingRecord(number: number, encoded: encoded, policy: policy)
    }

    /// Notes that an attempt has failed, and logs `message.updated`. Beyond ``OutgoingRecord/maximumFailedCount``,
    /// the oldest failed messages that wait for their author are discarded.
    public func fail(_ record: inout OutgoingRecord, _ error: ChatError, in thread: inout ThreadRecord) throws {
        let (isResend, before) = (record.isFailed, record.message)
        if isResend { record.attempts += 1 }
        record.failedAt = record.failedAt ?? now
        record.message.status = .failed
        record.message.failure = Failure(error)
        record.message.updatedAt = max(now, record.message.updatedAt.advanced(byMilliseconds: 1))
        let encoded = Encoded(record.message)
        let event = MessageUpdatedEvent(
            threadID: thread.thread.id, message: encoded, by: cause(record.message.changes(since: before)),
            reason: isResend ? .resendFailed : nil)
        record.version = try log(
            event, message: record.number, at: record.message.createdAt, in: &thread, withDesk: false)
        try db.run(
            "UPDATE outgoing SET isFailed = 1, failedAt = ?, failure = ?, attempts = ?, version = ?, json = ? WHERE number = ?",
            [
                .optional(record.failedAt?.milliseconds), .text(error.code.rawValue), .integer(Int64(record.attempts)),
                .integer(record.version), .blob(encoded.bytes), .integer(record.number),
            ])
        hot?.change(unsentBytes: Int64(encoded.bytes.count - record.byteCount), of: thread.owner.number)
        record.byteCount = encoded.bytes.count
        if !record.isResentByItself { try discardSurplus(in: &thread) }
        try saveListVersion(of: thread)
    }

    /// Discards the oldest failed messages that wait for their author, beyond ``OutgoingRecord/maximumFailedCount``. To be
    /// called when one more waits.
    private func discardSurplus(in thread: inout ThreadRecord) throws {
        for number in try waitingForAuthor(in: thread).dropFirst(OutgoingRecord.maximumFailedCount) {
            let record = try db.first(
                "SELECT \(OutgoingRecord.columns) FROM outgoing WHERE number = ?", [.integer(number)],
                OutgoingRecord.init)
            if let record { try discard(record, in: &thread, reason: .exceededMaxCount) }
        }
    }

    /// Removes an unsent message with its attachments, its text in log and receipts, and logs `message.removed` with
    /// the reason.
    public func discard(_ record: OutgoingRecord, in thread: inout ThreadRecord, reason: OutgoingReason?) throws {
        try deleteOutgoing(record, in: thread)
        try discardAttachments(of: record.number)
        try scrub(message: record.number)
        let event = MessageRemovedEvent(
            threadID: thread.thread.id, messageID: record.message.id, by: cause, reason: reason)
        try scrubReceipts(message: record.number, replacement: event.data)
        thread.messagesVersion = try append(
            event, owner: thread.owner, message: nil, members: thread.audience(withDesk: false))
        touch(thread: thread.number)
        try saveListVersion(of: thread)
    }

    private func deleteOutgoing(_ record: OutgoingRecord, in thread: ThreadRecord) throws {
        let changes = try db.change("DELETE FROM outgoing WHERE number = ?", [.integer(record.number)])
        note(in: thread.number) { $0.unsentCount -= Int64(changes) }
        if changes > 0 { hot?.change(unsentBytes: -Int64(record.byteCount), of: thread.owner.number) }
    }

    /// Discards the account's messages that failed 7 days ago or earlier.
    public func discardExpired(of account: Int64) throws {
        let oldest = now.advanced(byMilliseconds: -OutgoingRecord.lifetimeInMilliseconds)
        let expired = try db.all(
            """
            SELECT \(OutgoingRecord.columns) FROM outgoing WHERE account = ? AND isFailed = 1 AND failedAt <= ?
            ORDER BY number
            """, [.integer(account), .integer(oldest.milliseconds)], OutgoingRecord.init)
        for record in expired {
            guard var thread = try thread(record.message.threadID, of: account) else {
                try db.run("DELETE FROM outgoing WHERE number = ?", [.integer(record.number)])
                hot?.change(unsentBytes: nil, of: account)
                continue
            }
            try discard(record, in: &thread, reason: .retentionExpired)
        }
    }

    /// Turns an unsent message into a row of the thread, with its old id and number, and logs `message.updated`. The
    /// receipt of the request that sent it gets the message as it is now, unless that request was told of a failure.
    func confirm(
        _ own: OutgoingRecord, as message: Message, remoteID: String, in thread: inout ThreadRecord
    ) throws -> MessageRecord {
        try deleteOutgoing(own, in: thread)
        if remoteID != message.id {
            try db.run(
                """
                INSERT INTO remoteID (thread, remote, id) VALUES (?, ?, ?)
                ON CONFLICT (thread, remote) DO UPDATE SET id = excluded.id
                """,
                [.integer(thread.number), .text(remoteID), .text(message.id)])
            note(in: thread.number) { $0.hasAliases = true }
        }
        let encoded = Encoded(message)
        let event = MessageUpdatedEvent(
            threadID: thread.thread.id, message: encoded, by: cause(message.changes(since: own.message)),
            reason: own.isFailed ? .resendSucceeded : nil)
        let version = try log(event, message: own.number, at: message.createdAt, in: &thread, withDesk: false)
        guard try insertRow(encoded, number: own.number, version: version, in: thread) else {
            throw ChatError(.storageFailed, "A message was confirmed twice.")
        }
        if !own.isFailed {
            try db.run(
                "UPDATE receipt SET body = ? WHERE message = ?", [.blob(encoded.bytes), .integer(own.number)])
        }
        return MessageRecord(number: own.number, encoded: encoded, version: version)
    }
}
