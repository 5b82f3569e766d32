/// What there is once in a store. A copy keeps it, so that all cursors stay valid.
package struct StoreImage: Sendable, Equatable {
    package var epoch: String
    package var instance: String
    package var head: Int64
    /// The log's floor.
    package var floor: Int64
    /// The other numbers of `meta`, without those of one engine alone.
    package var meta: [String: Int64]
    /// The last number that was drawn for a table. It may be higher than that of its last row: none is used again.
    package var lastNumbers: [String: Int64]

    package init(
        epoch: String, instance: String, head: Int64, floor: Int64, meta: [String: Int64] = [:],
        lastNumbers: [String: Int64] = [:]
    ) {
        (self.epoch, self.instance, self.head, self.floor) = (epoch, instance, head, floor)
        (self.meta, self.lastNumbers) = (meta, lastNumbers)
    }

    /// Tables whose numbers are never used again.
    package static var numberedTables: [String] { StoreCheck.numberedTables }

    /// Rows of `meta` that are no number, have a member of their own above, or belong to one engine: the probe of
    /// writing, which server PostgreSQL runs on, what tells the token of its gateways from others, and what
    /// `RestoredDatabase` needs to see a restore.
    package static let ownNames: Set<String> = [
        "epoch", "instance", "head", "floor", "probe", "timeline", "system", "settled",
        "token", "tables", "marked", "copied",
    ]
}
