import ChatModel

/// A table that both engines have, as it is copied: all but what there is once (``StoreImage``).
package struct CopiedTable: Sendable, Equatable {
    package enum Kind: Sendable { case integer, text, blob }

    package struct Column: Sendable, Equatable {
        package let name: String
        package let kind: Kind
    }

    package let name: String
    package let columns: [Column]

    package var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    /// Adds a row whose values are in the order of the columns.
    package var insertion: String {
        "INSERT INTO \(name) (\(columnNames)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }
}

/// What there is once in a store. The copy keeps it, so that all cursors stay valid.
package struct StoreImage: Sendable, Equatable {
    package var epoch: String
    package var instance: String
    package var head: Int64
    /// The numbers of `meta`, without the head.
    package var meta: [String: Int64]
    /// The last number that was drawn for a table. It may be higher than that of its last row: none is used again.
    package var lastNumbers: [String: Int64]

    package init(epoch: String, instance: String, head: Int64, meta: [String: Int64], lastNumbers: [String: Int64]) {
        (self.epoch, self.instance, self.head) = (epoch, instance, head)
        (self.meta, self.lastNumbers) = (meta, lastNumbers)
    }

    /// Tables whose numbers are never used again.
    package static let numberedTables = ["thread", "contact", "target", "delivery"]
}

/// A store that is copied. Nobody writes it meanwhile.
package protocol StoreExport: AnyObject {
    func image() throws -> StoreImage
    /// Calls the closure with each row, in any order. Few rows are in memory at a time.
    func rows(of table: CopiedTable, _ body: ([SQLValue]) throws -> Void) throws
    func close()
}

/// An empty store that is filled in one transaction: it has all or nothing.
package protocol StoreImport: AnyObject {
    func insert(_ row: [SQLValue], into table: CopiedTable) throws
    /// Commits.
    func finish(_ image: StoreImage) throws
    /// Undoes everything, unless it was committed.
    func close()
}

/// Copies a store to one of another engine.
package enum StoreCopy {
    /// Copies all tables, and what there is once. Returns how many rows were copied.
    ///
    /// - Parameter progress: told each table after it was copied, with the number of its rows.
    package static func run(
        from source: any StoreExport, to target: any StoreImport, progress: (String, Int) -> Void
    ) throws -> Int {
        var total = 0
        for table in try CopiedTable.all() {
            var count = 0
            try source.rows(of: table) { row in
                try target.insert(row, into: table)
                count += 1
            }
            progress(table.name, count)
            total += count
        }
        try target.finish(try source.image())
        return total
    }
}
