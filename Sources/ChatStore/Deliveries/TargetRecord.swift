import ChatModel
import Formats

/// How a target is reached.
public enum TargetKind: String, Sendable, CaseIterable {
    case webhook, webPush, apns
    /// An app's device to which the session's platform pushes, and not the gateway.
    case platform
}

/// Where events go that leave the gateway.
public struct TargetRecord: Sendable, Hashable {
    /// Names the target within this database; never used again.
    public let number: Int64
    public let id: String
    public let kind: TargetKind
    /// Whose events go there: the desk's or an account's.
    public let audience: Audience
    /// The session that the audience was named by, if it was.
    public let session: String?
    /// What its owner has chosen, as JSON. It may hold passwords.
    public let settings: [UInt8]
    /// Of its secret; grows with each rotation.
    public let generation: Int64
    /// Until when the secret of the generation before is valid.
    public let previousUntil: Timestamp?
    public var health: TargetHealth
    /// The last offset of the log that was taken for it.
    public let position: Int64
    /// What the log lost before it could be delivered; the target has to be told before anything else.
    public var gap: LogGap?
    public let createdAt: Timestamp
    /// Grows with each change of settings, secret or state.
    public let version: Int64

    static let columns = """
        number, id, kind, account, session, json, generation, previousUntil, state, reason, position, gapFrom, gapTo, \
        failingSince, failures, lastAttemptAt, nextAt, createdAt, version
        """

    init(row: SQLRow) throws {
        func number(_ column: Int32) -> Int64? { row.isNull(column) ? nil : row.integer(column) }
        func time(_ column: Int32) -> Timestamp? { number(column).map { Timestamp(milliseconds: $0) } }
        guard let kind = TargetKind(rawValue: row.text(2)) else { throw ModelError(member: "kind") }
        guard let state = TargetState(rawValue: row.text(8)) else { throw ModelError(member: "state") }
        self.number = row.integer(0)
        id = row.text(1)
        self.kind = kind
        audience = number(3).map { .account($0) } ?? .desk
        session = row.isNull(4) ? nil : row.text(4)
        settings = row.blob(5)
        generation = row.integer(6)
        previousUntil = time(7)
        health = TargetHealth(
            state: state, reason: row.isNull(9) ? nil : row.text(9), failingSince: time(13),
            failures: Int(clamping: row.integer(14)), lastAttemptAt: time(15), nextAt: time(16))
        position = row.integer(10)
        if let from = number(11), let to = number(12) { gap = LogGap(from: from, to: to) } else { gap = nil }
        createdAt = Timestamp(milliseconds: row.integer(17))
        version = row.integer(18)
    }
}

/// Offsets of the log after `from` and up to `to` whose events are gone.
public struct LogGap: Sendable, Hashable {
    public var from: Int64
    public var to: Int64

    public init(from: Int64, to: Int64) {
        self.from = from
        self.to = to
    }
}

/// How a target does.
public struct TargetHealth: Sendable, Hashable {
    public var state: TargetState
    /// The reason for the state, as a code of one word.
    public var reason: String?
    /// Since when nothing was taken.
    public var failingSince: Timestamp?
    /// Attempts in a row that failed for the target's sake.
    public var failures: Int
    public var lastAttemptAt: Timestamp?
    /// When one delivery is tried next, while it fails.
    public var nextAt: Timestamp?

    public init(
        state: TargetState, reason: String? = nil, failingSince: Timestamp? = nil, failures: Int = 0,
        lastAttemptAt: Timestamp? = nil, nextAt: Timestamp? = nil
    ) {
        self.state = state
        self.reason = reason
        self.failingSince = failingSince
        self.failures = failures
        self.lastAttemptAt = lastAttemptAt
        self.nextAt = nextAt
    }
}
