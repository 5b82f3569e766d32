import Foundation
import GRDB

/// A connection to the database that one reader has for itself.
final class SQLiteReader: StoreReader {
    private let queue: DatabaseQueue

    init(queue: DatabaseQueue) { self.queue = queue }

    /// Opens a database to read it only. Throws ``StoreError`` when there is none, and for one of another version.
    static func open(path: String) throws -> SQLiteReader {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.unusable(path: path, reason: "there is none")
        }
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { try FolderIdentity.checkProgram(of: $0, path: path) }
            if try queue.read(Schema.migrations.hasBeenSuperseded) { throw StoreError.newerVersion(path: path) }
            guard try queue.read(Schema.migrations.hasCompletedMigrations) else {
                throw StoreError.unusable(
                    path: path,
                    reason: """
                        it is empty, or an older version of Parley has written it; start a gateway once, which renews it
                        """)
            }
            return SQLiteReader(queue: queue)
        } catch let error as DatabaseError {
            throw StoreError.unusable(path: path, reason: error.message ?? "\(error.resultCode)")
        }
    }

    func read(_ body: (ReadTransaction) throws -> Void) throws { try queue.readSnapshot(body) }

    func close() { try? queue.close() }
}

extension DatabaseQueue {
    /// Reads one snapshot on the calling thread.
    func readSnapshot(_ body: (ReadTransaction) throws -> Void) throws {
        try unsafeRead { db in
            try db.run("BEGIN")
            // Nothing was written, so there is nothing that ending could fail to do.
            defer { try? db.run("COMMIT") }
            try body(ReadTransaction(db: .lite(db)))
        }
    }
}
