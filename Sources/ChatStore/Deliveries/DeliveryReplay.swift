import ChatModel

extension WriteTransaction {
    /// Sends a delivery again: at once, and with all its tries. One that waits is left as it is, but for its time.
    ///
    /// Throws `unknownWebhook`, `unknownDelivery`, `deliveryExpired` where the log does not have its event any more.
    public func redeliver(_ number: Int64, ofTarget id: String) throws -> DeliveryRecord {
        guard let target = try target(id) else { throw ChatError.unknownWebhook(id) }
        guard let known = try delivery(number, of: target.number)?.delivery else { throw ChatError.unknownDelivery(number) }
        let isLogged = try db.first("SELECT 1 FROM log WHERE offset = ?", [.integer(known.offset)]) { _ in true } == true
        guard isLogged else { throw ChatError(.deliveryExpired, "The log does not have the event of the delivery \(number) any more.") }
        try db.run(
            """
            UPDATE delivery SET state = 'pending', reason = NULL, refusals = 0, nextAt = NULL, doneAt = NULL
            WHERE number = ?
            """, [.integer(number)])
        return try delivery(number, of: target.number)?.delivery ?? known
    }

    /// The same with all that are dead and whose events the log still has. Returns how many they are.
    ///
    /// Throws `unknownWebhook`.
    public func redeliverDead(ofTarget id: String) throws -> Int {
        guard let target = try target(id) else { throw ChatError.unknownWebhook(id) }
        try db.run(
            """
            UPDATE delivery SET state = 'pending', reason = NULL, refusals = 0, nextAt = NULL, doneAt = NULL
            WHERE target = ? AND state = 'dead' AND EXISTS (SELECT 1 FROM log WHERE log.offset = delivery.offset)
            """, [.integer(target.number)])
        return db.changesCount
    }

    /// Sends again what the log has after an offset, in the order of the log. Deliveries that wait beyond it are taken
    /// anew.
    ///
    /// Throws `unknownWebhook`.
    public func replay(target id: String, after offset: Int64) throws -> TargetRecord {
        try change(id) { target in
            let range: [SQLValue] = [.integer(target.number), .integer(offset)]
            try db.run(
                """
                DELETE FROM attempt WHERE delivery IN
                    (SELECT number FROM delivery WHERE target = ? AND state = 'pending' AND offset > ?)
                """, range)
            try db.run("DELETE FROM delivery WHERE target = ? AND state = 'pending' AND offset > ?", range)
            try db.run("UPDATE target SET position = ? WHERE number = ?", [.integer(offset), .integer(target.number)])
        }
    }
}

extension ChatError {
    public static func unknownDelivery(_ number: Int64) -> ChatError {
        ChatError(.unknownDelivery, "The webhook has no delivery \(number).")
    }
}
