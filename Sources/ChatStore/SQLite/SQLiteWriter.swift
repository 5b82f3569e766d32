import ChatModel
import Dispatch
import Synchronization

/// SQLite's writer: a group is one transaction and one fsync.
///
/// A savepoint for each unit would copy every page that the unit changes, and units seldom fail after a change. So a
/// group of units that may be run twice runs without. If one of them does fail after a change, all is rolled back, and
/// the group runs again with savepoints.
struct SQLiteWriter: StoreWriter {
    let db: SQLiteConnection
    let backend: SQLiteBackend

    private typealias Unit = GroupCommit.Unit
    private var hot: HotRows { backend.hot }

    package func commit(_ group: [GroupCommit.Unit]) throws -> CommittedGroup {
        do {
            return try commitGroup(group)
        } catch {
            db.rollBack()
            hot.removeAll()
            throw error
        }
    }

    private func commitGroup(_ group: [Unit]) throws -> CommittedGroup {
        var transaction = try begin()
        var failures: [ChatError?] = []
        if !backend.rehearses, group.allSatisfy(\.isRepeatable),
            let outcomes = try runTogether(group, in: transaction)
        {
            failures = outcomes
        } else {
            if !db.isInTransaction { transaction = try begin() }
            for unit in group {
                if backend.rehearses { try rehearse(unit, in: transaction) }
                failures.append(try run(unit, in: transaction))
            }
        }
        try transaction.writeHead()
        try backend.place.check()
        let written = ContinuousClock.now
        try db.run("COMMIT")
        backend.trimmer.weigh(transaction)
        return CommittedGroup(
            transaction: transaction, failures: failures, commitTime: written.duration(to: .now))
    }

    private func begin() throws -> WriteTransaction {
        let transaction = WriteTransaction(
            db: .lite(db), hot: hot, cursor: backend.feed.headCursor, environment: backend.environment)
        try db.run("BEGIN IMMEDIATE")
        return transaction
    }

    /// Runs the units without savepoints. Returns the failure of each; nil when one has failed after a change, and all
    /// is rolled back. Throws when the whole transaction is lost.
    private func runTogether(_ group: [Unit], in transaction: WriteTransaction) throws -> [ChatError?]? {
        var failures: [ChatError?] = []
        failures.reserveCapacity(group.count)
        for unit in group {
            transaction.begin()
            do {
                try unit.run(transaction)
                failures.append(nil)
            } catch {
                if error.endsTransaction { throw error }
                guard !transaction.hasChanges else {
                    try db.run("ROLLBACK")
                    hot.removeAll()
                    return nil
                }
                hot.undo()
                failures.append(ChatError(storage: error))
            }
        }
        return failures
    }

    /// Runs one unit in a savepoint. Returns its own failure; throws when the whole transaction is lost.
    private func run(_ unit: Unit, in transaction: WriteTransaction) throws -> ChatError? {
        try transaction.savepoint()
        do {
            try unit.run(transaction)
            try transaction.release()
            return nil
        } catch {
            if error.endsTransaction { throw error }
            try transaction.rollBack()
            return ChatError(storage: error)
        }
    }

    /// Runs one unit and undoes it, as an engine may that runs a group twice.
    private func rehearse(_ unit: Unit, in transaction: WriteTransaction) throws {
        try transaction.savepoint()
        do {
            try unit.run(transaction)
        } catch {
            if error.endsTransaction { throw error }
        }
        try transaction.rollBack()
    }

    private func trim(isAsked: Bool) throws -> Bool {
        try backend.trimmer.trim(.lite(db), isAsked: isAsked) { try db.transaction($0) }
    }

    package func maintain(isAsked: Bool, isIdle: () -> Bool) {
        // A failure is no loss: the rows stay, and the next group tries again.
        if (try? trim(isAsked: isAsked)) == true {
            while isIdle(), (try? trim(isAsked: false)) == true {}
        }
        backend.checkpoints.moveRest(db, isIdle: isIdle())
    }
}

extension Error {
    fileprivate var endsTransaction: Bool { (self as? any EngineError)?.isStorageFailure == true }
}

/// The connection that writes, and its own thread, on which all groups of units are committed.
///
/// `@unchecked Sendable`: jobs of one thread use the connection, or ``pausing(_:)`` while that thread waits.
final class WriterThread: @unchecked Sendable {
    private let connection: SQLiteConnection
    private let thread = WorkThread("writer")
    private let isOpen = Mutex(true)

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Runs a job on the thread, after those that were given before.
    func run(_ job: @escaping @Sendable (SQLiteConnection) -> Void) {
        thread.run { [self] in
            connection.takeOver()
            job(connection)
        }
    }

    /// Closes the connection after a last job, and ends the thread. Only the first call does something.
    func close(_ last: @escaping @Sendable (SQLiteConnection) -> Void) async {
        let isFirst = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard isFirst else { return }
        await withCheckedContinuation { continuation in
            run { db in
                last(db)
                db.close()
                continuation.resume()
            }
        }
        thread.end()
    }

    /// Runs a closure on the calling thread, between two jobs. For tests.
    func pausing<T>(_ body: (SQLiteConnection) throws -> T) rethrows -> T {
        let (hasPaused, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        thread.run {
            hasPaused.signal()
            mayGoOn.wait()
        }
        hasPaused.wait()
        defer { mayGoOn.signal() }
        connection.takeOver()
        return try body(connection)
    }
}
