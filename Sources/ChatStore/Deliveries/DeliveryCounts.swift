import ChatModel

/// How many targets and deliveries there are, for metrics.
public struct DeliveryCounts: Sendable, Hashable {
    public var targets: [TargetState: Int] = [:]
    /// Deliveries that wait, of all targets.
    public var pending: Int64 = 0
    /// Where the slowest target stands that is to get events: it has got all up to this offset. Nil if there is none.
    public var lowestPosition: Int64?
}

extension ReadTransaction {
    /// Bounded by the number of targets and by ``WriteTransaction/pendingLimit``.
    public func deliveryCounts() throws -> DeliveryCounts {
        let rows = try TargetKind.allCases.flatMap { kind in
            try db.all(
                """
                SELECT state, position, (SELECT min(offset) FROM delivery WHERE target = target.number AND state = 'pending'),
                    (SELECT count(*) FROM delivery WHERE target = target.number AND state = 'pending')
                FROM target WHERE kind = ?
                """, [.text(kind.rawValue)]
            ) { (state: $0.text(0), position: $0.integer(1), first: $0.isNull(2) ? nil : $0.integer(2), pending: $0.integer(3)) }
        }
        var counts = DeliveryCounts()
        for row in rows {
            guard let state = TargetState(rawValue: row.state) else { throw ModelError(member: "state") }
            counts.targets[state, default: 0] += 1
            counts.pending += row.pending
            guard state.isSending else { continue }
            let position = row.first.map { min($0 - 1, row.position) } ?? row.position
            counts.lowestPosition = min(position, counts.lowestPosition ?? position)
        }
        return counts
    }
}
