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

/// The time of the last ``tick(_:)``. Each request notes its time, and reading this clock needs no system call. Every
/// call may come from any thread.
public final class CoarseClock: Sendable {
    private let milliseconds: Atomic<Int64>

    init(_ now: Timestamp) { milliseconds = Atomic(now.milliseconds) }

    /// Sets the time. To be called about once a minute.
    public func tick(_ now: Timestamp) { milliseconds.store(now.milliseconds, ordering: .relaxed) }

    var now: Int64 { milliseconds.load(ordering: .relaxed) }
}

/// When a session was used last. Every request notes it in memory; it is stored about once an hour, so that requests
/// cause no writes.
final class SessionUse: Sendable {
    private let clock: CoarseClock
    private let last: Atomic<Int64>
    private let stored: Atomic<Int64>

    /// How old the stored time may become, in milliseconds.
    private static let lag: Int64 = 3_600_000

    init(_ record: SessionRecord, clock: CoarseClock) {
        self.clock = clock
        last = Atomic(record.lastUsedAt.milliseconds)
        stored = Atomic(record.lastUsedAt.milliseconds)
    }

    /// Notes a use at the coarse clock's time. The time never goes back: the coarse clock may be behind the time at
    /// which the session was made.
    func recordUse() {
        let now = clock.now
        if now > last.load(ordering: .relaxed) { last.store(now, ordering: .relaxed) }
    }

    var time: Timestamp { Timestamp(milliseconds: last.load(ordering: .relaxed)) }

    /// The time of the last use, if it must be stored now; otherwise nil. The caller must store it: it counts as stored
    /// from here on.
    func takeUnstored() -> Timestamp? {
        let time = last.load(ordering: .relaxed)
        guard time - stored.load(ordering: .relaxed) >= Self.lag else { return nil }
        stored.store(time, ordering: .relaxed)
        return Timestamp(milliseconds: time)
    }
}
