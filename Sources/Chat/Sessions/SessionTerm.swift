import ChatModel
import ChatStore
import Formats
import Synchronization

/// Who has begun a session, and how long it lives. Any thread may use it.
public final class SessionTerm: Sendable {
    public let kind: SessionKind
    /// The id of the link that has made the session.
    public let link: String?
    /// How long the session lives without use, in milliseconds; nil for ever.
    public let life: Int64?
    private let verified: Mutex<Timestamp?>

    init(_ record: SessionRecord) {
        (kind, link, life) = (record.kind, record.link, record.life)
        verified = Mutex(record.verifiedUntil)
    }

    /// Until when somebody has vouched for the session's customer; nil for one that nobody has vouched for.
    public internal(set) var verifiedUntil: Timestamp? {
        get { verified.withLock { $0 } }
        set { verified.withLock { $0 = newValue } }
    }

    /// Whether the customer has to be vouched for again before the session goes on.
    public func isUnverified(at now: Timestamp) -> Bool { verifiedUntil.map { $0 <= now } ?? false }
}

/// How a session begins that a customer begins by themselves.
public struct SessionOrigin: Sendable {
    public var kind = SessionKind.plain
    /// In milliseconds; nil for ever.
    public var life: Int64?
    public var verifiedUntil: Timestamp?
    /// JSON
    public var visit: [UInt8]?
    /// The anonymous session of the same person, whose conversations come along.
    public var former: FormerSession?
    /// Runs in the transaction that makes the session, before its account is saved. Returns the id of the link that has led
    /// here. What it throws makes no session.
    public var begin: @Sendable (WriteTransaction, inout AccountRecord) throws -> String? = { _, _ in nil }

    public init() {}
}
