import ChatModel
import Formats

extension WriteTransaction {
    /// The finished deliveries of a target that are kept.
    static var doneLimit: Int64 { 1000 }
    /// How long a finished delivery is kept: 7 days.
    static var doneLifetimeInMilliseconds: Int64 { 7 * 86_400_000 }

    /// Deletes finished deliveries of a target, with their attempts: those beyond the newest 1,000, and those
    /// finished more than 7 days ago.
    ///
    /// - Parameter limit: the most that one call deletes.
    /// - Returns: whether there may be more.
    public func tidyDeliveries(of target: Int64, limit: Int64 = 256) throws -> Bool {
        let oldest = now.milliseconds - Self.doneLifetimeInMilliseconds
        let old = try db.all(
            "SELECT number FROM delivery WHERE target = ? AND doneAt < ? ORDER BY doneAt LIMIT ?",
            [.integer(target), .integer(oldest), .integer(limit)]
        ) { $0.integer(0) }
        let surplus = try db.all(
            "SELECT number FROM delivery WHERE target = ? AND doneAt IS NOT NULL ORDER BY doneAt DESC, number DESC LIMIT ? OFFSET ?",
            [.integer(target), .integer(limit), .integer(Self.doneLimit)]
        ) { $0.integer(0) }
        let numbers = Set(old).union(surplus).sorted().prefix(Int(limit))
        for number in numbers {
            try db.run("DELETE FROM attempt WHERE delivery = ?", [.integer(number)])
            try db.run("DELETE FROM delivery WHERE number = ?", [.integer(number)])
        }
        return Int64(numbers.count) == limit
    }
}

/// One part of the search for devices with old pushes.
public struct DeviceRound: Sendable {
    /// The numbers of the devices with pushes to delete.
    public var devices: [Int64]
    /// Pass this to the next call; 0 after the last device, which begins anew.
    public var next: Int64
}

extension ReadTransaction {
    /// Looks at `limit` devices by number, and names those with pushes that
    /// ``WriteTransaction/tidyDeliveries(of:limit:)`` deletes.
    ///
    /// - Parameter number: the last device that was looked at; 0 at first.
    public func devicesToTidy(after number: Int64, limit: Int64 = 256, at now: Timestamp) throws -> DeviceRound {
        let all = try (TargetKind.devices + [.platform]).flatMap { kind in
            try db.all(
                "SELECT number FROM target WHERE kind = ? AND number > ? ORDER BY number LIMIT ?",
                [.text(kind.rawValue), .integer(number), .integer(limit)]
            ) { $0.integer(0) }
        }.sorted().prefix(Int(limit))
        let oldest = now.milliseconds - WriteTransaction.doneLifetimeInMilliseconds
        let untidy = try all.filter { device in
            try db.first(
                """
                SELECT 1 WHERE EXISTS (SELECT 1 FROM delivery WHERE target = ?1 AND doneAt < ?2)
                    OR EXISTS (SELECT 1 FROM delivery WHERE target = ?1 AND doneAt IS NOT NULL LIMIT 1 OFFSET ?3)
                """, [.integer(device), .integer(oldest), .integer(WriteTransaction.doneLimit)]
            ) { _ in true } == true
        }
        return DeviceRound(devices: untidy, next: all.count == limit ? all.last ?? 0 : 0)
    }
}
