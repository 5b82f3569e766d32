import ChatModel

extension CopiedTable {
    /// The tables of today, as SQLite's schema has them.
    package static func all() throws -> [CopiedTable] {
        let db = try SQLiteConnection()
        try db.execute(Schema.tables)
        let names = try db.all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'meta'"
        ) { $0.text(0) }
        return try names.map { name in
            CopiedTable(
                name: name,
                columns: try db.all("/* schema */ SELECT name, type FROM pragma_table_info(?)", [.text(name)]) {
                    Column(name: $0.text(0), kind: try Kind(sqlite: $0.text(1)))
                })
        }
    }
}

extension CopiedTable.Kind {
    fileprivate init(sqlite type: String) throws {
        switch type {
        case "INTEGER": self = .integer
        case "TEXT": self = .text
        case "BLOB": self = .blob
        default: throw ChatError(.storageFailed, "A column of the type \(type) cannot be copied.")
        }
    }
}

/// The database of a data folder, to be copied.
package final class SQLiteExport: StoreExport {
    private let reader: any StoreReader
    private let files: FilePlace

    /// Throws ``StoreError`` when there is no database, and for one of another version.
    package init(folder: String) throws {
        reader = try ChatStore.reader(folder: folder)
        files = .folder(folder + "/files")
    }

    package func image() throws -> StoreImage {
        try reader.reading { rows in
            var image = StoreImage(epoch: "", instance: "", head: try rows.headOffset(), floor: try rows.meta("floor"))
            try rows.db.query("SELECT name, value FROM meta", []) { row in
                switch row.text(0) {
                case "epoch": image.epoch = row.text(1)
                case "instance": image.instance = row.text(1)
                case let name where StoreImage.ownNames.contains(name): break
                case let name: image.meta[name] = row.integer(1)
                }
                return true
            }
            for table in StoreImage.numberedTables {
                image.lastNumbers[table] = try rows.db.first(rows.db.lastNumberQuery(table)) { $0.integer(0) } ?? 0
            }
            return image
        }
    }

    package func rows(of table: CopiedTable, above floor: Int64, _ body: ([SQLValue]) throws -> Void) throws {
        try reader.read { rows in
            try rows.db.query(table.selection(above: floor), []) { row in
                try body(row.values(of: table))
                return true
            }
        }
    }

    package func files(after last: String?) throws -> (files: [KeptFile], next: String?) {
        try reader.reading { try $0.keptFiles(after: last) }
    }

    package func pieces(of file: KeptFile) throws -> ((Int64) throws -> [UInt8]?)? {
        try reader.reading { try $0.pieces(of: file, in: files) }
    }

    package func close() { reader.close() }
}

extension SQLRow {
    /// The row's values; its columns are the table's.
    func values(of table: CopiedTable) -> [SQLValue] {
        zip(Int32(0)..., table.columns).map { index, column in
            guard !isNull(index) else { return .null }
            return switch column.kind {
            case .integer: .integer(integer(index))
            case .text: .text(text(index))
            case .blob: .blob(blob(index))
            }
        }
    }
}
