import ChatModel
import ChatStore
import Dispatch
import Foundation
import PostgresStore
import Synchronization

/// A store in SQLite each of whose units runs on PostgreSQL as well, right before it.
///
/// In which order units commit depends on how tasks run, so two runs of a history may differ. Here both engines get the
/// same units in the same order, with the same times and ids, whatever the tasks do. So both must have the same rows in
/// the end, and tell the same.
///
/// What is read between the units, and what a unit returns, comes from SQLite.
final class TwinStore {
    let store: ChatStore
    private let folder: String
    private let postgres: PostgresOptions
    private let backend: TwinBackend

    /// - Parameter folder: an empty one.
    init(folder: String, _ options: StoreOptions, _ environment: ModelEnvironment) throws {
        self.folder = folder
        postgres = try TestDatabases.options(for: folder, readers: options.readers)
        let draws = TwinDraws(environment)
        // Of its own: SQLite refuses a folder in which files are and no database.
        let copies = folder + "/copies"
        try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: false)
        let remote = try ChatStore.open(
            postgres: postgres, folder: copies, options: options, environment: draws.first)
        let lite = try ChatStore.open(folder: folder, options: options, environment: draws.second)
        backend = TwinBackend(lite: lite.backend, remote: remote.backend, draws: draws)
        store = ChatStore(backend: backend, folder: folder, options: options, environment: environment)
    }

    /// Throws ``EnginesDiffer`` unless both engines hold and tell the same. After the store was closed.
    func check() throws {
        let lite = try contents(SQLiteExport(folder: folder), ChatStore.reader(folder: folder))
        let remote = try contents(PostgresExport(postgres), ChatStore.reader(postgres: postgres))
        let differences = backend.differences.entries + StoreContents.differences(lite, remote)
        if !differences.isEmpty { throw EnginesDiffer(differences: differences) }
    }

    private func contents(_ export: any StoreExport, _ reader: any StoreReader) throws -> [String] {
        defer {
            export.close()
            reader.close()
        }
        return try StoreContents.lines(export, reader)
    }
}

/// What a history has left is not the same on SQLite and on PostgreSQL.
public struct EnginesDiffer: Error, CustomStringConvertible {
    let differences: [String]

    public var description: String {
        "SQLite and PostgreSQL differ in \(differences.count) places:\n"
            + differences.prefix(10).map { "  \($0)" }.joined(separator: "\n")
    }
}

private final class TwinBackend: StoreBackend {
    private let lite: any StoreBackend
    private let remote: any StoreBackend
    private let draws: TwinDraws
    /// Units that went well on one engine only.
    let differences = Journal<String>()

    init(lite: any StoreBackend, remote: any StoreBackend, draws: TwinDraws) {
        (self.lite, self.remote, self.draws) = (lite, remote, draws)
    }

    var feed: EventFeed { lite.feed }
    var instance: String { lite.instance }
    var groupLimit: Int { min(lite.groupLimit, remote.groupLimit) }
    var trimmer: LogTrimmer { lite.trimmer }
    var walByteCount: Int64 { lite.walByteCount }

    func publish(_ group: CommittedGroup) { lite.publish(group) }
    func noteHead() { lite.noteHead() }

    func run(_ body: @escaping @Sendable (any StoreWriter) -> Void) {
        remote.run { [self] writer in
            let (remote, isOver) = (HeldWriter(writer: writer), DispatchSemaphore(value: 0))
            lite.run { [self] lite in
                body(TwinWriter(lite: lite, remote: remote.writer, backend: self))
                isOver.signal()
            }
            isOver.wait()
        }
    }

    func readHere(_ body: (ReadTransaction) throws -> Void) throws { try lite.readHere(body) }
    func readAside(_ body: @escaping @Sendable (Result<ReadTransaction, any Error>) -> Void) { lite.readAside(body) }
    func makeReader() throws -> any StoreReader { try lite.makeReader() }

    func close() async {
        // What was given to both before runs first.
        await withCheckedContinuation { continuation in remote.run { _ in continuation.resume() } }
        await lite.close()
        await remote.close()
    }

    fileprivate func commit(
        _ group: [GroupCommit.Unit], _ first: any StoreWriter, _ second: any StoreWriter
    ) throws -> CommittedGroup {
        draws.stopTime()
        defer { draws.letTimeGo() }
        let outcomes = Result {
            let committed = try first.commit(group.enumerated().map { draws.recording($1, number: $0) })
            remote.publish(committed)
            return committed.failures.map(\.?.code)
        }
        // The last thing that happens, as on SQLite alone: nobody reads what caches do not know.
        let committed = try second.commit(group.enumerated().map { draws.repeating($1, number: $0) })
        let codes = committed.failures.map(\.?.code)
        switch outcomes {
        case .success(let others) where others == codes: break
        case .success(let others): differences.add("units end with \(codes) in SQLite, and \(others) in PostgreSQL")
        case .failure(let error): differences.add("PostgreSQL did not commit: \(error)")
        }
        return committed
    }
}

/// The writer of PostgreSQL, whose own thread waits while SQLite's uses it.
private struct HeldWriter: @unchecked Sendable {  // one thread at a time, as said above
    let writer: any StoreWriter
}

private struct TwinWriter: StoreWriter {
    let lite: any StoreWriter
    let remote: any StoreWriter
    let backend: TwinBackend

    func commit(_ group: [GroupCommit.Unit]) throws -> CommittedGroup { try backend.commit(group, remote, lite) }

    func maintain(isAsked: Bool, isIdle: () -> Bool) {
        remote.maintain(isAsked: isAsked, isIdle: isIdle)
        lite.maintain(isAsked: isAsked, isIdle: isIdle)
    }
}
