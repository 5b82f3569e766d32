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
    var isResentByItself: Bool { isFailed && policy.goesOn(after: attempts) }

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
    func waitingForAuthor(in thread: ThreadRecord) throws -> [Int64] {
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
        hot?.keep(unsentBytes: bytes, of: account)
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
