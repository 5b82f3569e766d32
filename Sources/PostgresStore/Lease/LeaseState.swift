/// What a gateway knows of its right to write: the lease's rules, without a clock and a database of its own.
///
/// A gateway begins as a standby, becomes active once, and never again after it has lost the lease: then it ends, because
/// what it keeps in memory is not true any more.
///
/// Two clocks count. Whether another gateway's lease has run out is asked of the database's clock alone. How long ago the
/// own lease was renewed is told by this machine's monotonic clock, which the caller passes in.
struct LeaseState: Equatable {
    enum Phase: Equatable {
        case standby
        case active(PostgresFence)
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
    }

    /// How long a renewal holds, by the database's clock. ``LeaseTable`` says the same in SQL.
    static let term = Duration.seconds(8)
    /// How often the holder renews.
    static let renewal = Duration.seconds(2)
    /// How often a standby looks.
    static let look = Duration.milliseconds(500)
    /// A holder that could not renew for so long steps down: before the term is over for everybody else.
    static let patience = Duration.seconds(6)

    private(set) var phase = Phase.standby
    /// When the renewal was asked for that has succeeded last. Not when it was answered: the answer may have waited.
    private var renewedAt: ContinuousClock.Instant?

    /// The pause between two looks, or two renewals.
    var interval: Duration {
        if case .active = phase { Self.renewal } else { Self.look }
    }

    /// Whether a standby may become the holder. It has its own advisory lock: without it, all others would see a holder
    /// that is gone.
    static func mayTake(from holder: Holder) -> Bool {
        holder.name.isEmpty || !holder.isCurrent || !holder.isLocked
    }

    /// The writer's row names this gateway now. Changes nothing after a loss.
    mutating func took(_ fence: PostgresFence, askedAt: ContinuousClock.Instant) {
        guard phase == .standby else { return }
        phase = .active(fence)
        renewedAt = askedAt
    }

    mutating func renewed(askedAt: ContinuousClock.Instant) {
        guard case .active = phase, let last = renewedAt else { return }
        renewedAt = max(last, askedAt)
    }

    /// Another name stands in the writer's row.
    mutating func superseded() {
        guard case .active = phase else { return }
        phase = .lost(.superseded)
    }

    /// Steps down if the last renewal is too long ago. To be called often, also while a renewal is waited for.
    mutating func check(at now: ContinuousClock.Instant) {
        guard case .active = phase, let renewedAt, renewedAt.duration(to: now) >= Self.patience else { return }
        phase = .lost(.notRenewed)
    }
}

/// Why a gateway has lost the lease.
public enum LeaseLoss: String, Sendable {
    /// Another gateway has taken over.
    case superseded
    /// The database could not be reached for six seconds, so that another may take over soon.
    case notRenewed
}
