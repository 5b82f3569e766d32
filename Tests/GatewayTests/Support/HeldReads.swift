import ChatModel
import Dispatch
import Synchronization
import TestSupport

@testable import ChatStore

/// Says how long the reads of a store wait that is otherwise in SQLite: at first not at all.
final class HeldReads: Sendable {
    private struct State {
        var isHolding = false
        var waiting: [@Sendable () -> Void] = []
    }
    private let state = Mutex(State())
    private let threads = DispatchQueue(label: "held reads", attributes: .concurrent)

    /// A store on the same database, whose reads may wait as if a network were between.
    func store(over store: ChatStore) -> ChatStore {
        ChatStore(
            backend: HeldBackend(backend: store.backend, reads: self),
            folder: String(store.files.folder.dropLast("/files".count)), options: StoreOptions(),
            environment: store.environment)
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// From now on every read waits.
    func hold() { state.withLock { $0.isHolding = true } }

    /// All that wait go on, and no read waits any more.
    func release() {
        let waiting = state.withLock { state in
            state.isHolding = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for read in waiting { threads.async(execute: read) }
    }

    fileprivate func begin(_ read: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.isHolding { state.waiting.append(read) }
            return state.isHolding
        }
        if !isHeld { read() }
    }
}

/// A database whose reads may wait.
private final class HeldBackend: StoreBackend {
    private let backend: any StoreBackend
    private let reads: HeldReads

    init(backend: any StoreBackend, reads: HeldReads) {
        self.backend = backend
        self.reads = reads
    }

    var feed: EventFeed { backend.feed }
    var instance: String { backend.instance }
    func makeReader() throws -> any StoreReader { try backend.makeReader() }
    var groupLimit: Int { backend.groupLimit }
    var trimmer: LogTrimmer { backend.trimmer }
    var walByteCount: Int64 { backend.walByteCount }
    func run(_ body: @escaping @Sendable (any StoreWriter) -> Void) { backend.run(body) }
    func readAside(_ body: @escaping @Sendable (Result<ReadTransaction, any Error>) -> Void) {
        reads.begin { [backend] in backend.readAside(body) }
    }
    func noteHead() { backend.noteHead() }
    func close() async { await backend.close() }
}
