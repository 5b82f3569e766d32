import ChatModel
import Foundation
import GRDB

/// A new database in a data folder, which a copy fills. It gets its name when it is complete.
package final class SQLiteImport: StoreImport {
    private let path: String
    private let draft: String
    private let pool: DatabasePool
    private var isOpen = true

    /// Throws ``StoreError`` when the folder has a database.
    package init(folder: String) throws {
        path = folder + "/parley.sqlite"
        draft = folder + "/copying.sqlite"
        guard !FileManager.default.fileExists(atPath: path) else {
            throw StoreError.unusable(path: path, reason: "it is there, and a copy needs a folder without one")
        }
        // An earlier copy was cut off.
        Self.remove(draft)
        var configuration = Configuration()
        // The transaction lasts as long as the copy.
        configuration.allowsUnsafeTransactions = true
        pool = try DatabasePool(path: draft, configuration: configuration)
        try Schema.prepare(pool)
        try begin()
    }

    private func begin() throws { try pool.writeWithoutTransaction { try $0.run("BEGIN IMMEDIATE") } }

    package func insert(_ row: [SQLValue], into table: CopiedTable) throws {
        try pool.unsafeReentrantWrite { try $0.run(table.insertion, row) }
    }

    package func finish(_ image: StoreImage) throws {
        try pool.unsafeReentrantWrite { db in
            var meta: [(String, SQLValue)] = [
                ("epoch", .text(image.epoch)), ("instance", .text(image.instance)), ("head", .integer(image.head)),
            ]
            for (name, value) in image.meta { meta.append((name, .integer(value))) }
            for (name, value) in meta {
                try db.run("INSERT INTO meta (name, value) VALUES (?, ?)", [.text(name), value])
            }
            for (table, number) in image.lastNumbers where number > 0 {
                try db.run("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table)])
                try db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), .integer(number)])
            }
            try db.run("COMMIT")
            _ = try db.checkpoint(.truncate)
        }
        try pool.close()
        isOpen = false
        try FileManager.default.moveItem(atPath: draft, toPath: path)
        Self.remove(draft)
    }

    package func close() {
        guard isOpen else { return }
        isOpen = false
        try? pool.close()
        Self.remove(draft)
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}
