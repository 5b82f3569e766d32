/// What a gateway knows of its right to write: the lease's rules, without a clock and a database of its own.
///
/// A gateway begins as a standby, and becomes active once. While it cannot renew it is suspended: it writes and answers
/// nothing. If the writer's row still names it when the database is back, nobody else has written, so what it keeps in
/// memory is still true, and it is active again. After a loss it never is: then it ends.
///
/// Two clocks count. Whether another gateway's lease has run out is asked of the database's clock alone. How long ago the
/// own lease was renewed is told by this machine's monotonic clock, which the caller passes in.
struct LeaseState: Equatable {
    enum Phase: Equatable {
        case standby
        case active(PostgresFence)
        case suspended(PostgresFence)
        case lost(LeaseLoss)
    }

    /// The writer's row, and what is known of the gateway that it names.
    struct Holder: Equatable {
        /// Empty when the last holder has given the lease back.
        var name: String
        var fence: Int64
        /// Its lease has not run out, by the database's clock.
        var isCurrent: Bool
        /// Another connection than the asking one has its advisory lock: its process lives, or did a moment ago.
        var isLocked: Bool
        /// It is about to give the lease back, and waits until a standby is prepared.
        var isLeaving = false
        /// Where the other gateways reach it.
        var url = ""
        /// It has renewed since the server was started or promoted. A server that starts has no advisory locks, so until
        /// then a missing lock says nothing.
        var isLockKnown: Bool
    }

    /// How long a renewal holds, by the database's clock. ``LeaseTable`` says the same in SQL.
    static let term = Duration.seconds(8)
    /// How often the holder renews.
    static let renewal = Duration.seconds(2)
    /// How often a standby looks.
    static let look = Duration.milliseconds(500)
    /// How often it looks while the holder is leaving.
    static let closeLook = Duration.milliseconds(50)
    /// A holder that could not renew for so long is suspended: before the term is over for everybody else.
    static let patience = Duration.seconds(6)
    /// One that could not renew for so long has lost the lease. Perhaps it is cut off, and another one serves. Its streams
    /// end then, so that their clients connect to that one.
    static let longestSuspension = Duration.seconds(60)
    /// A standby whose own connection is younger than this leaves the lease to its holder: after an outage of the database
    /// both come back, and the holder can go on without a break. Longer than the pause between two attempts.
    static let courtesy = Duration.seconds(4)

    private(set) var phase = Phase.standby
    /// When the renewal was asked for that has succeeded last. Not when it was answered: the answer may have waited.
    private var renewedAt: ContinuousClock.Instant?

    /// The pause between two looks, or two renewals.
    var interval: Duration {
        if case .active = phase { Self.renewal } else { Self.look }
    }

    /// What the writer's row must name so that this gateway may write, or may write again; nil for a standby, and after a
    /// loss.
    var fence: PostgresFence? {
        switch phase {
        case .active(let fence), .suspended(let fence): fence
        case .standby, .lost: nil
        }
    }

    /// What a standby's own connection has seen, by which it tells a holder that died from a database that was away.
    struct Sight: Equatable {
        /// The connection is older than ``courtesy``.
        var isLong = true
        /// The holder's advisory lock was seen over this connection.
        var hasSeenLock = false
        /// The writer's row names this gateway, from an earlier process.
        var isOwn = false
    }

    /// Whether a standby may become the holder. It has its own advisory lock: without it, all others would see a holder
    /// that is gone.
    static func mayTake(from holder: Holder, _ sight: Sight = Sight()) -> Bool {
        if holder.name.isEmpty || sight.isOwn { return true }
        if holder.isLockKnown, !holder.isLocked { return sight.isLong || sight.hasSeenLock }
        return !holder.isCurrent && sight.isLong
    }

    /// The writer's row names this gateway now. Changes nothing after a loss.
    mutating func took(_ fence: PostgresFence, askedAt: ContinuousClock.Instant) {
        guard phase == .standby else { return }
        phase = .active(fence)
        renewedAt = askedAt
    }

    /// The writer's row still names this gateway. A suspended one is active again.
    mutating func renewed(askedAt: ContinuousClock.Instant) {
        guard let fence, let last = renewedAt else { return }
        phase = .active(fence)
        renewedAt = max(last, askedAt)
    }

    /// Another name stands in the writer's row.
    mutating func superseded() {
        guard fence != nil else { return }
        phase = .lost(.superseded)
    }

    /// Suspends or steps down if the last renewal is too long ago. Call it often, also while a renewal is running.
    mutating func check(at now: ContinuousClock.Instant) {
        guard let fence, let age = renewedAt?.duration(to: now), age >= Self.patience else { return }
        phase = age < Self.longestSuspension ? .suspended(fence) : .lost(.notRenewed)
    }
}

/// Why a gateway has lost the lease.
public enum LeaseLoss: String, Sendable {
    /// Another gateway has taken over.
    case superseded
    /// The database could not be reached for a minute, and another gateway may have taken over.
    case notRenewed
}
