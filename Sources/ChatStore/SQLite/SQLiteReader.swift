import Foundation

/// A connection to the database that one reader has for itself.
final class SQLiteReader: StoreReader {
    let connection: SharedConnection

    init(_ connection: SQLiteConnection) { self.connection = SharedConnection(connection) }

    /// Opens a database to read it only. Throws ``StoreError`` when there is none, and for one of another version.
    static func open(path: String) throws -> SQLiteReader {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.unusable(path: path, reason: "there is none")
        }
        do {
            let db = try SQLiteConnection(path: path, .reading, busyTimeout: .seconds(5))
            try FolderIdentity.checkProgram(of: db, path: path)
            if try Schema.migrations.isSuperseded(in: db) { throw StoreError.newerVersion(path: path) }
            guard try Schema.migrations.isComplete(in: db) else {
                throw StoreError.unusable(
                    path: path,
                    reason: """
                        it is empty, or an older version of Parley has written it; start a gateway once, which renews it
                        """)
            }
            return SQLiteReader(db)
        } catch let error as SQLiteError {
            throw StoreError.unusable(path: path, reason: error.message)
        }
    }

    func read(_ body: (ReadTransaction) throws -> Void) throws {
        try connection.use { try $0.snapshot { try body(ReadTransaction(db: .lite($0))) } }
    }

    /// The same, if no other thread uses the connection just now; otherwise the closure is not called.
    func readIfFree(_ body: (ReadTransaction) throws -> Void) throws {
        try connection.useIfFree { try $0.snapshot { try body(ReadTransaction(db: .lite($0))) } }
    }

    func close() { connection.close() }
}
