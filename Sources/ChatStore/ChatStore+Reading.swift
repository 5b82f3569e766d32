import ChatModel
import Glibc

/// Reading committed data: the asynchronous functions are for any task, those on the calling thread for the server's
/// loop only.
extension ChatStore {
    /// Runs a closure on one consistent snapshot of committed data, off the calling thread. Several reads run side by
    /// side, and none uses the connection of ``readNow(_:)``.
    ///
    /// It is not abandoned when its task is cancelled, except within ``endingReads(_:)``. Errors that are no ``ChatError`` become `storageFailed`,
    /// `storageUnavailable` or `storageFull`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> T
    ) async throws(ChatError) -> T {
        try await aside(body).mapError(ChatError.init(storage:)).get()
    }

    /// The same with the error as it was thrown.
    func aside<T: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> T) async -> Result<T, any Error> {
        let result: Result<T, any Error> = await ReadStop.reading { stop in
            await withCheckedContinuation { continuation in
                backend.readAside { transaction in
                    continuation.resume(returning: Result { try stop.watching { try body(transaction.get()) } })
                }
            }
        }
        if case .failure(let error) = result { errors.note(error, of: .read) }
        return result
    }

    /// Whether a read may wait for a network. Then ``readNow(_:)`` does not read on a thread that must not wait.
    public var isBlocking: Bool { backend.isBlocking }

    /// Runs code that must not wait: in it ``readNow(_:)`` throws `storageFailed` on a store that ``isBlocking``,
    /// instead of holding up all connections.
    public static func withoutWaiting<T>(_ body: () -> T) -> T {
        pthread_setspecific(waitlessKey, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(waitlessKey, nil) }
        return body()
    }

    /// Not nil on a thread that must not wait now.
    private static let waitlessKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Runs code that reads with ``readNow(_:)`` on a thread that may wait, off the calling thread. All that it reads
    /// is of one snapshot.
    ///
    /// Throws what the closure throws, and `storageFailed` when there is no connection to the database.
    public func readingAside<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        let generation = pages.generation
        return try await aside { [backend] transaction in
            let snapshot = HeldSnapshot(of: backend, transaction, generation)
            return Result { try HeldSnapshot.$current.withValue(snapshot, operation: body) }
        }.mapError(ChatError.init(storage:)).get().get()
    }

    /// Reads on the calling thread, from one consistent snapshot: one row, or one bounded page of a list.
    ///
    /// Only the server's loop may call it, because a route that answers at once is faster than one that changes
    /// threads; and, on a store that ``isBlocking``, code within ``readingAside(_:)``. All other code uses
    /// ``read(_:)``; a test lists who may call this.
    @available(*, noasync, message: "Only the server's loop reads on its own thread. Use the asynchronous function.")
    public func readNow<T>(_ body: (ReadTransaction) throws -> T) throws(ChatError) -> T {
        var result: T?
        do {
            if let snapshot = heldSnapshot {
                result = try body(snapshot.transaction)
            } else {
                guard !backend.isBlocking || pthread_getspecific(Self.waitlessKey) == nil else {
                    throw ChatError(.storageFailed, "A thread that must not wait reads a database that may.")
                }
                try backend.read { result = try body($0) }
            }
        } catch {
            errors.note(error, of: .read)
            throw ChatError(storage: error)
        }
        guard let result else { throw ChatError(.storageFailed, "A read of the database ended without a result.") }
        return result
    }

    // MARK: Pages of messages

    /// A page of messages, from memory when nothing has changed.
    ///
    /// Throws `unknownThread`, `invalidParameter` for a cursor that is none.
    public func messagePage(
        of account: Int64, thread id: String, replies: ReplyFilter = .alsoInThread, _ request: PageRequest
    ) async throws(ChatError) -> PageBytes {
        try await messagePage(MessagePageReading(store: self, account: account, thread: id, replies: replies, request))
    }

    /// The same on the calling thread, for the server's loop.
    @available(*, noasync, message: "Only the server's loop reads on its own thread. Use the asynchronous function.")
    public func messagePage(
        of account: Int64, thread id: String, replies: ReplyFilter = .alsoInThread, _ request: PageRequest
    ) throws(ChatError) -> PageBytes {
        try messagePage(MessagePageReading(store: self, account: account, thread: id, replies: replies, request))
    }

    /// The same as the desk sees it, whoever the members are.
    public func deskMessagePage(
        of thread: Int64, replies: ReplyFilter = .alsoInThread, _ request: PageRequest
    ) async throws(ChatError) -> PageBytes {
        try await messagePage(MessagePageReading(store: self, deskThread: thread, replies: replies, request))
    }

    /// The same on the calling thread, for the server's loop.
    @available(*, noasync, message: "Only the server's loop reads on its own thread. Use the asynchronous function.")
    public func deskMessagePage(
        of thread: Int64, replies: ReplyFilter = .alsoInThread, _ request: PageRequest
    ) throws(ChatError) -> PageBytes {
        try messagePage(MessagePageReading(store: self, deskThread: thread, replies: replies, request))
    }

    private func messagePage(_ reading: MessagePageReading) async throws(ChatError) -> PageBytes {
        if let page = reading.cached() { return page }
        let generation = pages.generation
        return try await read { try reading.run($0, generation) }
    }

    @available(*, noasync)
    private func messagePage(_ reading: MessagePageReading) throws(ChatError) -> PageBytes {
        if let page = reading.cached() { return page }
        let generation = heldSnapshot?.generation ?? pages.generation
        return try readNow { try reading.run($0, generation) }
    }

    /// A page of messages if it is in memory and nothing has changed; nil otherwise.
    public func keptMessagePage(
        of account: Int64, thread id: String, replies: ReplyFilter = .alsoInThread, _ request: PageRequest
    ) -> PageBytes? {
        MessagePageReading(store: self, account: account, thread: id, replies: replies, request).cached()
    }

    /// The snapshot in which the calling thread reads; nil on a store that does not block.
    private var heldSnapshot: HeldSnapshot? {
        guard backend.isBlocking, let current = HeldSnapshot.current, current.backend === backend else { return nil }
        return current
    }
}

/// The snapshot in which a closure of ``ChatStore/readingAside(_:)`` reads.
///
/// `@unchecked Sendable`: only the thread that runs the closure finds it, and only while it runs.
private final class HeldSnapshot: @unchecked Sendable {
    @TaskLocal static var current: HeldSnapshot?

    let backend: any StoreBackend
    let transaction: ReadTransaction
    /// That of the kept pages, taken before the transaction began.
    let generation: UInt64

    init(of backend: any StoreBackend, _ transaction: ReadTransaction, _ generation: UInt64) {
        self.backend = backend
        self.transaction = transaction
        self.generation = generation
    }
}

/// One request for a page of messages: first from ``PageCache``, then from the store.
private struct MessagePageReading: Sendable {
    private let pages: PageCache
    private let key: PageCache.Key
    private let request: PageRequest
    /// The thread's number when the desk reads; nil for an account.
    private let deskThread: Int64?
    /// The log's head before the page is looked up. Every event up to it that touched the thread has already made a
    /// kept page invalid.
    private let head: Int64

    init(store: ChatStore, account: Int64, thread: String, replies: ReplyFilter, _ request: PageRequest) {
        self.init(
            store,
            PageCache.Key(
                account: account, thread: thread, replies: replies, limit: request.limit, cursor: request.cursor,
                beginsAtOldest: request.beginsAtOldest, bytes: request.bytes, times: request.times),
            nil, request)
    }

    init(store: ChatStore, deskThread: Int64, replies: ReplyFilter, _ request: PageRequest) {
        let key = PageCache.Key(
            account: -deskThread, thread: "", replies: replies, limit: request.limit, cursor: request.cursor,
            beginsAtOldest: request.beginsAtOldest, bytes: request.bytes, times: request.times)
        self.init(store, key, deskThread, request)
    }

    private init(_ store: ChatStore, _ key: PageCache.Key, _ deskThread: Int64?, _ request: PageRequest) {
        pages = store.pages
        self.key = key
        self.deskThread = deskThread
        self.request = request
        head = store.feed.head
    }

    /// The page if it is kept and its thread has not changed since.
    func cached() -> PageBytes? {
        guard var page = pages.page(key) else { return nil }
        page.offset = max(head, page.offset)
        return page
    }

    /// - Parameter generation: that of the kept pages, taken before the transaction began.
    func run(_ transaction: ReadTransaction, _ generation: UInt64) throws -> PageBytes {
        try transaction.expectHead()
        if deskThread == nil { try transaction.expectMessages(key.replies, request) }
        let found =
            try deskThread.map { try transaction.thread(number: $0) } ?? transaction.thread(key.thread, of: key.account)
        guard let thread = found else { throw ChatError.unknownThread(key.thread) }
        let page = try transaction.messagePage(of: thread, replies: key.replies, request)
        pages.keep(page, for: key, thread: thread.number, generation: generation)
        return page
    }
}
