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

    public var isFailed: Bool { failedAt != nil }

    /// When a thread has this many unsent messages, it takes no more.
    public static let maximumCount = 200
    /// The most failed messages that a thread keeps until their author acts. Those that are resent automatically do
    /// not count.
    public static let maximumFailedCount = 20
    /// How long a failed message is kept: 7 days.
    public static let lifetimeInMilliseconds: Int64 = 7 * 86_400_000

    /// Whether the message failed, and its policy allows another automatic resend.
    var isResentByItself: Bool {
        if case .automatic(let limit) = policy { isFailed && attempts < limit } else { false }
    }

    static let columns = "number, failedAt, policy, attempts, version, json"

    init(row: SQLRow) throws {
        number = row.integer(0)
        failedAt = row.isNull(1) ? nil : Timestamp(milliseconds: row.integer(1))
        policy = ResendPolicy(text: row.text(2)) ?? .manual
        attempts = Int(row.integer(3))
        version = row.integer(4)
        message = try Message(canonicalJSON: row.blob(5))
    }

    init(number: Int64, message: Message, policy: ResendPolicy) {
        self.number = number
        self.message = message
        self.policy = policy
        attempts = 0
        version = number
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

    /// The oldest messages of an account that are to be resent automatically, at most `limit`.
    public func messagesToResend(of account: Int64, limit: Int) throws -> [OutgoingRecord] {
        var wanted: [OutgoingRecord] = []
        try db.query(
            """
            SELECT \(OutgoingRecord.columns) FROM outgoing WHERE account = ? AND isFailed = 1
                AND policy LIKE 'automatic:%' ORDER BY number
            """, [.integer(account)]
        ) { row in
            let record = try OutgoingRecord(row: row)
            if record.isResentByItself { wanted.append(record) }
            return wanted.count < limit
        }
        return wanted
    }

    /// How many unsent messages the thread has.
    func outgoingCount(of thread: ThreadRecord) throws -> Int64 {
        try db.first(
            "SELECT COUNT(*) FROM outgoing WHERE account = ? AND thread = ?",
            [.integer(thread.owner.number), .text(thread.thread.id)]
        ) { $0.integer(0) } ?? 0
    }
}
