import GRDB

/// A connection to the database that one reader has for itself.
final class SQLiteReader: StoreReader {
    private let queue: DatabaseQueue

    init(queue: DatabaseQueue) { self.queue = queue }

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
