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

extension WriteTransaction {
    /// Makes a delivery pending again, to be sent at once and with all its attempts ahead. One that is pending
    /// already loses its waiting time.
    ///
    /// Throws `unknownWebhook`, `unknownDelivery`, and `deliveryExpired` when the log has no longer the event.
    public func redeliver(_ number: Int64, ofTarget id: String) throws -> DeliveryRecord {
        guard let target = try target(id) else { throw ChatError.unknownWebhook(id) }
        guard let known = try delivery(number, of: target.number)?.delivery else {
            throw ChatError.unknownDelivery(number)
        }
        let isLogged =
            try db.first("SELECT 1 FROM log WHERE place = ?", [.integer(known.offset)]) { _ in true } == true
        guard isLogged else {
            throw ChatError(.deliveryExpired, "The log does not have the event of the delivery \(number) any more.")
        }
        try db.run(
            """
            UPDATE delivery SET state = 'pending', reason = NULL, refusals = 0, nextAt = NULL, doneAt = NULL
            WHERE number = ?
            """, [.integer(number)])
        return try delivery(number, of: target.number)?.delivery ?? known
    }

    /// Makes all dead deliveries of a target pending again, if the log still has their events. Returns how many they
    /// are. Throws `unknownWebhook`.
    public func redeliverDead(ofTarget id: String) throws -> Int {
        guard let target = try target(id) else { throw ChatError.unknownWebhook(id) }
        return try db.change(
            """
            UPDATE delivery SET state = 'pending', reason = NULL, refusals = 0, nextAt = NULL, doneAt = NULL
            WHERE target = ? AND state = 'dead' AND EXISTS (SELECT 1 FROM log WHERE log.place = delivery.place)
            """, [.integer(target.number)])
    }

    /// Sets the target back, or forward, to an offset: the events after it are delivered in the order of the log,
    /// also those that were delivered before.
    ///
    /// Pending deliveries beyond the offset are deleted and made anew from the log. Throws `unknownWebhook`.
    public func replay(target id: String, after offset: Int64) throws -> TargetRecord {
        try change(id) { target in
            let range: [SQLValue] = [.integer(target.number), .integer(offset)]
            try db.run(
                """
                DELETE FROM attempt WHERE delivery IN
                    (SELECT number FROM delivery WHERE target = ? AND state = 'pending' AND place > ?)
                """, range)
            try db.run("DELETE FROM delivery WHERE target = ? AND state = 'pending' AND place > ?", range)
            try db.run("UPDATE target SET position = ? WHERE number = ?", [.integer(offset), .integer(target.number)])
        }
    }
}

extension ChatError {
    public static func unknownDelivery(_ number: Int64) -> ChatError {
        ChatError(.unknownDelivery, "The webhook has no delivery \(number).")
    }
}
