import Bounds
import ChatModel
import Formats

/// A row of `outgoing`: a message of an account that its remote service has not confirmed. The embedded service has
/// none.
public struct OutgoingRecord: Sendable {
    /// The arrival number. The message keeps it when it is confirmed.
    public let number: Int64
    /// The message with status `pending` or `failed`. Its id is also the request id of every attempt, so that the
    /// service recognizes a repeated one.
    public var message: Message
    public var failedAt: Timestamp?
    public var policy: ResendPolicy
    /// How many resends have failed; the first attempt does not count.
    public var attempts: Int
    /// The offset of its last event.
    public internal(set) var version: Int64
    /// Of its JSON, as it is stored.
    var byteCount: Int

    public var isFailed: Bool { failedAt != nil }

    /// When a thread has this many unsent messages, it takes no more.
    public static let maximumCount = 200
    /// When the unsent messages of an account have this many bytes, it takes no more.
    public static let maximumBytes = Int64(ByteBound.unsentMessages.bytes)
    /// The most failed messages that a thread keeps until their author acts. Those that are resent automatically do
    /// not count.
    public static let maximumFailedCount = 20
    /// How long a failed message is kept: 7 days.
    public static let lifetimeInMilliseconds: Int64 = 7 * 86_400_000

    /// Whether the message failed, and its policy allows another automatic resend.
    fileprivate var isResentByItself: Bool { isFailed && policy.goesOn(after: attempts) }

    static let columns = "number, failedAt, policy, attempts, version, json"

    init(row: SQLRow) throws {
        number = row.integer(0)
        failedAt = row.isNull(1) ? nil : Timestamp(milliseconds: row.integer(1))
        policy = ResendPolicy(text: row.text(2)) ?? .manual
        attempts = Int(row.integer(3))
        version = row.integer(4)
        let json = row.blob(5)
        message = try Message(canonicalJSON: json)
        byteCount = json.count
    }

    init(number: Int64, encoded: Encoded<Message>, policy: ResendPolicy) {
        self.number = number
        message = encoded.value
        byteCount = encoded.bytes.count
        self.policy = policy
        attempts = 0
        version = number
    }
}

extension ResendPolicy {
    /// Whether it allows another automatic resend after so many.
    fileprivate func goesOn(after attempts: Int) -> Bool {
        if case .automatic(let limit) = self { attempts < limit } else { false }
    }
}

extension ReadTransaction {
    /// The unsent messages of an account, or of one of its threads, oldest first.
    public func outgoingMessages(of account: Int64, thread: String? = nil) throws -> [OutgoingRecord] {
        guard let thread else {
            return try db.all(
                "SELECT \(OutgoingRecord.columns) FROM outgoing WHERE account = ? ORDER BY number", [.integer(account)],
                OutgoingRecord.init)
        }
        return try db.all(
            "SELECT \(OutgoingRecord.columns) FROM outgoing WHERE account = ? AND thread = ? ORDER BY number",
            [.integer(account), .text(thread)], OutgoingRecord.init)
    }

    /// The unsent message of this id; nil if there is none.
    public func outgoing(_ id: String, in thread: ThreadRecord) throws -> OutgoingRecord? {
        // The writer knows that there is none.
        if hot != nil, try remoteFacts(of: thread).unsentCount == 0 { return nil }
        return try db.first(
            "SELECT \(OutgoingRecord.columns) FROM outgoing WHERE account = ? AND thread = ? AND id = ?",
            [.integer(thread.owner.number), .text(thread.thread.id), .text(id)], OutgoingRecord.init)
    }

    /// The unsent messages of an account of which nobody knows whether they have arrived, oldest first.
    public func pendingMessages(of account: Int64) throws -> [OutgoingRecord] {
        try db.all(
            "SELECT \(OutgoingRecord.columns) FROM outgoing WHERE account = ? AND isFailed = 0 ORDER BY number",
            [.integer(account)], OutgoingRecord.init)
    }

    /// When the account's oldest failed message failed; nil if there is none.
    public func oldestFailure(of account: Int64) throws -> Timestamp? {
        try db.first("SELECT min(failedAt) FROM outgoing WHERE account = ? AND isFailed = 1", [.integer(account)]) {
            $0.isNull(0) ? nil : Timestamp(milliseconds: $0.integer(0))
        } ?? nil
    }

    /// Whether a thread of the account has unsent messages.
    public func hasUnsent(of account: Int64, thread: String) throws -> Bool {
        try db.first(
            "SELECT 1 FROM outgoing WHERE account = ? AND thread = ? LIMIT 1", [.integer(account), .text(thread)]
        ) { _ in true } == true
    }

    /// The oldest messages of an account that are to be resent automatically, at most `limit`.
    public func messagesToResend(of account: Int64, limit: Int) throws -> [OutgoingRecord] {
        // The policy's text says after how many attempts it ends.
        try db.all(
            """
            SELECT \(OutgoingRecord.columns) FROM outgoing WHERE account = ? AND isFailed = 1
                AND CASE WHEN policy LIKE 'automatic:%' THEN CAST(substr(policy, 11) AS bigint) ELSE 0 END > attempts
            ORDER BY number LIMIT ?
            """, [.integer(account), .integer(Int64(limit))], OutgoingRecord.init)
    }

    /// The numbers of a thread's failed messages that wait for their author, newest first. No message is read.
    fileprivate func waitingForAuthor(in thread: ThreadRecord) throws -> [Int64] {
        try db.all(
            """
            SELECT number, policy, attempts FROM outgoing WHERE account = ? AND thread = ? AND isFailed = 1
            ORDER BY number DESC
            """, [.integer(thread.owner.number), .text(thread.thread.id)]
        ) { row -> Int64? in
            let policy = ResendPolicy(text: row.text(1)) ?? .manual
            return policy.goesOn(after: Int(row.integer(2))) ? nil : row.integer(0)
        }.compactMap { $0 }
    }

    /// The bytes of an account's unsent messages.
    func unsentBytes(of account: Int64) throws -> Int64 {
        if let known = hot?.unsentBytes(of: account) {
            #if DEBUG
                try checkHot(known, is: readUnsentBytes(of: account))
            #endif
            return known
        }
        let bytes = try readUnsentBytes(of: account)
        hot?.cache(unsentBytes: bytes, of: account)
        return bytes
    }

    private func readUnsentBytes(of account: Int64) throws -> Int64 {
        try db.first(
            "SELECT CAST(coalesce(sum(length(json)), 0) AS bigint) FROM outgoing WHERE account = ?",
            [.integer(account)]
        ) { $0.integer(0) } ?? 0
    }

    /// How many unsent messages the thread has.
    func outgoingCount(of thread: ThreadRecord) throws -> Int64 {
        try db.first(
            "SELECT COUNT(*) FROM outgoing WHERE account = ? AND thread = ?",
            [.integer(thread.owner.number), .text(thread.thread.id)]
        ) { $0.integer(0) } ?? 0
    }
}

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
        changeRemoteFacts(in: thread.number) { $0.unsentCount += 1 }
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
        changeRemoteFacts(in: thread.number) { $0.unsentCount -= Int64(changes) }
        if changes > 0 { hot?.change(unsentBytes: -Int64(record.byteCount), of: thread.owner.number) }
    }

    /// Discards the account's messages that failed 7 days ago or earlier, and those as old of which nobody can learn
    /// whether they have arrived, because the account does not have their threads.
    public func discardExpired(of account: Int64) throws {
        let oldest = now.advanced(byMilliseconds: -OutgoingRecord.lifetimeInMilliseconds)
        for record in try pendingMessages(of: account)
        where try record.message.createdAt <= oldest && thread(record.message.threadID, of: account) == nil {
            try forget(record, of: account)
        }
        let expired = try db.all(
            """
            SELECT \(OutgoingRecord.columns) FROM outgoing WHERE account = ? AND isFailed = 1 AND failedAt <= ?
            ORDER BY number
            """, [.integer(account), .integer(oldest.milliseconds)], OutgoingRecord.init)
        for record in expired {
            guard var thread = try thread(record.message.threadID, of: account) else {
                try forget(record, of: account)
                continue
            }
            try discard(record, in: &thread, reason: .retentionExpired)
        }
    }

    /// Removes an unsent message whose thread the account does not have.
    private func forget(_ record: OutgoingRecord, of account: Int64) throws {
        try db.run("DELETE FROM outgoing WHERE number = ?", [.integer(record.number)])
        try discardAttachments(of: record.number)
        hot?.change(unsentBytes: nil, of: account)
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
            changeRemoteFacts(in: thread.number) { $0.hasAliases = true }
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
