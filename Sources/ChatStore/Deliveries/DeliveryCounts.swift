import ChatModel
import Formats

/// How many targets and waiting deliveries there are, for metrics.
public struct DeliveryCounts: Sendable, Hashable {
    /// Targets by kind and state. A disabled device is counted under its reason, `gone` or `refused`.
    public var targets: [TargetKind: [String: Int]] = [:]
    /// Deliveries that wait.
    public var pending: [TargetKind: Int64] = [:]
    /// The offset up to which the slowest active webhook has got all events; nil if there is none. Devices are left
    /// out, because a push may be held back on purpose.
    public var lowestPosition: Int64?
}

extension ReadTransaction {
    /// Counts everything in one reading. The cost is bounded by the number of targets and by
    /// ``WriteTransaction/pendingLimit``.
    public func deliveryCounts() throws -> DeliveryCounts {
        var counts = DeliveryCounts()
        for kind in TargetKind.allCases {
            let rows = try db.all(
                """
                SELECT state, reason, position, (SELECT min(place) FROM delivery WHERE target = target.number AND state = 'pending'),
                    (SELECT count(*) FROM delivery WHERE target = target.number AND state = 'pending')
                FROM target WHERE kind = ?
                """, [.text(kind.rawValue)]
            ) { row in
                (
                    state: row.text(0), reason: row.isNull(1) ? nil : row.text(1), position: row.integer(2),
                    first: row.isNull(3) ? nil : row.integer(3), pending: row.integer(4)
                )
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
