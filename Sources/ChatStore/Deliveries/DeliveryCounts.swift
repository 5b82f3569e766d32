import ChatModel
import Formats

/// How many targets and deliveries there are, for metrics.
public struct DeliveryCounts: Sendable, Hashable {
    /// By ``TargetState``; a device that is disabled counts by its reason, `gone` or `refused`.
    public var targets: [TargetKind: [String: Int]] = [:]
    /// Deliveries that wait.
    public var pending: [TargetKind: Int64] = [:]
    /// Where the slowest webhook stands that is to get events: it has got all up to this offset. Nil if there is none.
    /// Devices do not count: their pushes wait for a reason.
    public var lowestPosition: Int64?
}

extension ReadTransaction {
    /// Bounded by the number of targets and by ``WriteTransaction/pendingLimit``.
    public func deliveryCounts() throws -> DeliveryCounts {
        var counts = DeliveryCounts()
        for kind in TargetKind.allCases {
            let rows = try db.all(
                """
                SELECT state, reason, position, (SELECT min(offset) FROM delivery WHERE target = target.number AND state = 'pending'),
                    (SELECT count(*) FROM delivery WHERE target = target.number AND state = 'pending')
                FROM target WHERE kind = ?
                """, [.text(kind.rawValue)]
            ) { row in
                (state: row.text(0), reason: row.isNull(1) ? nil : row.text(1), position: row.integer(2),
                 first: row.isNull(3) ? nil : row.integer(3), pending: row.integer(4))
            }
            for row in rows {
                guard let state = TargetState(rawValue: row.state) else { throw ModelError(member: "state") }
                let word = kind != .webhook && state == .disabled ? row.reason ?? "refused" : row.state
                counts.targets[kind, default: [:]][word, default: 0] += 1
                counts.pending[kind, default: 0] += row.pending
                guard state.isSending, kind == .webhook else { continue }
                let position = row.first.map { min($0 - 1, row.position) } ?? row.position
                counts.lowestPosition = min(position, counts.lowestPosition ?? position)
            }
        }
        return counts
    }
}
