import ChatModel

extension ReadTransaction {
    /// Whether a piece of work was marked as done in this database.
    public func isDone(_ name: String) throws -> Bool { try meta("done." + name) != 0 }
}

extension WriteTransaction {
    /// Marks a piece of work as done, for as long as the database lives. The mark commits with the unit, so work and
    /// mark are stored together or not at all.
    ///
    /// - Parameter name: names the work in this database, such as `demo.channels`.
    public func markDone(_ name: String) throws {
        try setMeta("done." + name, 1)
    }
}
