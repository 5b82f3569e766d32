import ChatModel
import Glibc
import Synchronization

/// What the search index follows: the rows of a database, and the news that they have changed.
package protocol SearchSource: AnyObject, Sendable {
    /// The log's ring, which begins at the head that the database had when it was opened.
    var feed: EventFeed { get }

    /// A connection of its own, for somebody who reads long or much and has a thread for that: the search index.
    func makeReader() throws -> any StoreReader
}

/// One engine's database under the store: all that ``ChatStore`` asks of it. It has made or migrated its tables before
/// it is handed to a store.
package protocol StoreBackend: SearchSource {
    /// See ``ChatStore/instance``.
    var instance: String { get }
    /// The most units in one group.
    var groupLimit: Int { get }
    /// Whether the bytes of attachments are rows of the database too (see ``FilePart``). Then the folder of files holds
    /// copies of them, which may be deleted at any time.
    var keepsFiles: Bool { get }
    /// Deletes what the log keeps no longer.
    var trimmer: LogTrimmer { get }
    /// Bytes that are committed and not yet in the database's own file.
    var walByteCount: Int64 { get }

    /// Whether the database is where it was opened. If not, no commit would be found again.
    var isInPlace: Bool { get }

    /// What the network to the database has cost; nil for a database that has none.
    var networkFigures: StoreNetworkFigures? { get }

    /// Called once, before anything else, by the store that the backend is under. A backend whose database others write
    /// too calls the closure with the threads that they have touched, nil for all, before it tells ``feed`` of it.
    func start(invalidate: @escaping @Sendable (Set<Int64>?) -> Void)

    /// Tells ``feed`` what a group has logged, unless that was done already. On the writer's thread, after the commit.
    func publish(_ group: CommittedGroup)

    /// Calls the closure on the writer's thread, after those that were given before.
    func run(_ body: @escaping @Sendable (any StoreWriter) -> Void)

    /// Reads one snapshot on the calling thread, if nothing has to be waited for; otherwise it does not call the closure.
    func readHere(_ body: (ReadTransaction) throws -> Void) throws

    /// Reads one snapshot on another thread. The closure is called exactly once.
    func readAside(_ body: @escaping @Sendable (Result<ReadTransaction, any Error>) -> Void)

    /// Writes into the data folder how far the log goes, see ``HeadFile``. On the writer's thread.
    func noteHead()

    /// Commits what waits, notes the head, and closes all connections. No unit comes any more.
    func close() async
}

extension StoreBackend {
    package var keepsFiles: Bool { false }
    package var networkFigures: StoreNetworkFigures? { nil }
    package var isInPlace: Bool { true }

    package func readHere(_ body: (ReadTransaction) throws -> Void) throws {}

    package func start(invalidate: @escaping @Sendable (Set<Int64>?) -> Void) {}

    package func publish(_ group: CommittedGroup) {
        let transaction = group.transaction
        feed.append(transaction.events, head: transaction.head, scrubbed: transaction.scrubbed)
    }
}

/// A connection for reading that one reader has for itself. One call at a time, from any thread that may wait.
package protocol StoreReader: AnyObject, Sendable {
    /// Reads one snapshot on the calling thread.
    func read(_ body: (ReadTransaction) throws -> Void) throws

    /// Closes the connection. No reading comes any more.
    func close()
}

extension StoreReader {
    /// Reads one snapshot on the calling thread, and returns what the closure returns.
    package func reading<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        var result: T?
        try read { result = try body($0) }
        guard let result else { throw ChatError(.storageFailed, "A read of the database ended without a result.") }
        return result
    }
}

/// The writer's connection. It is valid on the writer's thread only, in the closure that gets it.
package protocol StoreWriter {
    /// Runs the units in one transaction, and returns when it is committed and durable. A unit that throws is undone
    /// alone. Throws when nothing of the group was committed.
    func commit(_ group: [GroupCommit.Unit]) throws -> CommittedGroup

    /// Does what is due between two groups: deletes what retention no longer keeps, one batch at a time, and tidies
    /// files.
    ///
    /// - Parameters:
    ///   - isAsked: retention is due now.
    ///   - isIdle: no unit waits, so it may go on.
    func maintain(isAsked: Bool, isIdle: () -> Bool)
}

/// What a group has left to be told.
package struct CommittedGroup {
    /// Knows the events, and what is to be forgotten.
    package let transaction: WriteTransaction
    /// The failure of each unit; nil for one that is committed.
    package let failures: [ChatError?]
    /// How long the commit alone took, when everything was written.
    let commitTime: Duration

    package init(transaction: WriteTransaction, failures: [ChatError?], commitTime: Duration = .zero) {
        (self.transaction, self.failures, self.commitTime) = (transaction, failures, commitTime)
    }
}

/// An error of an engine.
package protocol EngineError: Error {
    /// Whether the engine may have ended the transaction by itself. Then no unit of the group is safe.
    var isStorageFailure: Bool { get }
    /// Whether the database is away, and may be back soon. What was asked for has not happened.
    var isUnavailable: Bool { get }
    /// Whether there is no room left on the disk.
    var isFull: Bool { get }
    /// What a client may read: no SQL and no values, which may contain messages, and no name of a machine or a role.
    var summary: String { get }
    /// What an operator may read, without values.
    var cause: String { get }
}

extension EngineError {
    package var isUnavailable: Bool { false }
    package var cause: String { summary }
}

/// A connection to an engine that lives in a target of its own. One thread at a time uses it.
///
/// Statements are written in the dialect of ``CommonSQL``. Errors are ``EngineError``s.
package protocol EngineSession: AnyObject {
    /// Runs a statement for its effect. It may be held back until something is read: then a later call throws its
    /// failure.
    func run(_ sql: String, _ values: [SQLValue]) throws

    /// Runs a statement, and returns how many rows it has changed. What was held back is run first.
    func change(_ sql: String, _ values: [SQLValue]) throws -> Int

    /// Adds a row. Returns false, and adds none, if there is a row with its key. See ``DatabaseSession/add(_:_:)``.
    func add(_ addition: RowAddition, _ values: [SQLValue]) throws -> Bool

    /// Adds a row to the end of a table. See ``DatabaseSession/append(_:to:)``.
    func append(_ values: [SQLValue], to table: RowTable) throws

    /// Calls `body` with each row until it returns false. What was held back is run first.
    func query(_ sql: String, _ values: [SQLValue], _ body: (any EngineRow) throws -> Bool) throws

    /// Sends a query with the next statements, whose rows a ``query(_:_:_:)`` with the same text and values is going to
    /// want in this transaction, before it has changed anything.
    func expect(_ sql: String, _ values: [SQLValue]) throws

    /// How many statements with an effect were run on the connection since it was opened.
    var totalChangesCount: Int { get }
}

/// The current row of a query on a ``EngineSession``; valid until the next row. See ``SQLRow``.
package protocol EngineRow: AnyObject {
    func integer(_ column: Int32) -> Int64
    func isNull(_ column: Int32) -> Bool
    func text(_ column: Int32) -> String
    func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T
}

/// Ends a reading for which nobody waits any more: its client has left, or it takes too long.
///
/// A database's call cannot be cancelled like a task. So the thread that reads knows its stop, and looks at it before
/// each statement, and the engine while a statement runs. Only readings within ``ChatStore/endingReads(_:)`` have
/// one: others do work that must be done whoever waits.
package final class ReadStop: Sendable {
    /// Whether the readings of a task end when it is cancelled.
    @TaskLocal static var isWanted = false

    private let wasAsked = Atomic(false)

    var isAsked: Bool { wasAsked.load(ordering: .relaxed) }

    func ask() { wasAsked.store(true, ordering: .relaxed) }

    /// Runs a reading on this thread, which ends with `CancellationError` when it is asked.
    func watching<T>(_ body: () throws -> T) throws -> T {
        let outer = pthread_getspecific(Self.key)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, outer) }
        try Self.check()
        do {
            return try withExtendedLifetime(self) { try body() }
        } catch  where isAsked {
            // The engine's own error says that a statement was interrupted.
            throw CancellationError()
        }
    }

    /// Throws `CancellationError` when the reading of this thread is to end.
    static func check() throws { if isAskedHere { throw CancellationError() } }

    /// Whether the reading of this thread is to end.
    package static var isAskedHere: Bool { here?.isAsked ?? false }

    /// Whether the reading of this thread may be asked to end.
    package static var isWatchedHere: Bool { here != nil }

    private static var here: ReadStop? {
        pthread_getspecific(key).map { Unmanaged<ReadStop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The stop of the reading that runs on a thread.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Reads with a stop that is asked when the task is cancelled, if such an end is wanted; otherwise with one that is
    /// never asked.
    static func reading<T>(_ body: (ReadStop) async throws -> T) async rethrows -> T {
        let stop = ReadStop()
        guard isWanted else { return try await body(stop) }
        return try await withTaskCancellationHandler {
            try await body(stop)
        } onCancel: {
            stop.ask()
        }
    }
}

extension ChatStore {
    /// Runs code whose readings end soon after its task was cancelled. Then they throw `eventTimeout`.
    public static func endingReads<T>(_ body: () async throws -> T) async rethrows -> T {
        try await ReadStop.$isWanted.withValue(true) { try await body() }
    }
}
