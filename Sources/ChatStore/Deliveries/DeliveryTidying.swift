import ChatModel
import Formats

extension WriteTransaction {
    /// Deliveries of a target that are done and kept, at most.
    static var doneLimit: Int64 { 1000 }
    static var doneLifetimeInMilliseconds: Int64 { 7 * 86_400_000 }

    /// Deletes deliveries of a target that are done: those beyond the newest 1,000, and those done more than 7 days
    /// ago.
    ///
    /// - Parameter limit: how many at most.
    /// - Returns: whether there may be more.
    public func tidyDeliveries(of target: Int64, limit: Int64 = 256) throws -> Bool {
        let oldest = now.milliseconds - Self.doneLifetimeInMilliseconds
        let old = try db.all(
            "SELECT number FROM delivery WHERE target = ? AND doneAt < ? ORDER BY doneAt LIMIT ?",
            [.integer(target), .integer(oldest), .integer(limit)]) { $0.integer(0) }
        let surplus = try db.all(
            "SELECT number FROM delivery WHERE target = ? AND doneAt IS NOT NULL ORDER BY doneAt DESC, number DESC LIMIT ? OFFSET ?",
            [.integer(target), .integer(limit), .integer(Self.doneLimit)]) { $0.integer(0) }
        let numbers = Set(old).union(surplus).sorted().prefix(Int(limit))
        for number in numbers {
            try db.run("DELETE FROM attempt WHERE delivery = ?", [.integer(number)])
            try db.run("DELETE FROM delivery WHERE number = ?", [.integer(number)])
        }
        return Int64(numbers.count) == limit
    }
}

/// Some devices, by number, of which old pushes are to be deleted.
public struct DeviceRound: Sendable {
    public var devices: [Int64]
    /// Where the next round begins: 0 after the last device.
    public var next: Int64
}

extension ReadTransaction {
    /// Looks at some devices, and names those with pushes that ``WriteTransaction/tidyDeliveries(of:limit:)`` deletes.
    ///
    /// - Parameters:
    ///   - number: of the last device that was looked at; 0 at first.
    ///   - limit: devices that are looked at.
    public func devicesToTidy(after number: Int64, limit: Int64 = 256, at now: Timestamp) throws -> DeviceRound {
        let all = try (TargetKind.devices + [.platform]).flatMap { kind in
            try db.all(
                "SELECT number FROM target WHERE kind = ? AND number > ? ORDER BY number LIMIT ?",
                [.text(kind.rawValue), .integer(number), .integer(limit)]) { $0.integer(0) }
        }.sorted().prefix(Int(limit))
        let oldest = now.milliseconds - WriteTransaction.doneLifetimeInMilliseconds
        let untidy = try all.filter { device in
            try db.first(
                """
                SELECT 1 WHERE EXISTS (SELECT 1 FROM delivery WHERE target = ?1 AND doneAt < ?2)
                    OR EXISTS (SELECT 1 FROM delivery WHERE target = ?1 AND doneAt IS NOT NULL LIMIT 1 OFFSET ?3)
                """, [.integer(device), .integer(oldest), .integer(WriteTransaction.doneLimit)]) { _ in true } == true
        }
        return DeviceRound(devices: untidy, next: all.count == limit ? all.last ?? 0 : 0)
    }
}
