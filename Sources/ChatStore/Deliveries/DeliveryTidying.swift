import ChatModel

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
