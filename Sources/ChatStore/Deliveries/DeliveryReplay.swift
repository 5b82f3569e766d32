import ChatModel

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
