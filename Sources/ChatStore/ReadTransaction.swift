import ChatModel

/// Reading the store at one moment. It is valid only inside the closure that gets it, on the thread that runs the
/// closure.
///
/// Accounts are read once and then remembered. The writer remembers them, and threads, from one transaction to the next.
public class ReadTransaction {
    let db: DatabaseSession
    private var accounts: [Int64: AccountRecord] = [:]
    /// What the writer keeps; nil for readers.
    let hot: HotRows?

    init(db: DatabaseSession, hot: HotRows? = nil) {
        self.db = db
        self.hot = hot
    }

    /// Reads on a connection to another engine, inside a transaction that shows one moment.
    package convenience init(reading session: any EngineSession) { self.init(db: .engine(session)) }

    /// The account of this number. Throws `storageFailed` if there is none.
    public func account(_ number: Int64) throws -> AccountRecord {
        if let known = try remembered(number) { return known }
        let found = try db.first(Self.accountQuery, [.integer(number)]) { try AccountRecord(row: $0) }
        guard let found else { throw ChatError(.storageFailed, "An account is missing in the database.") }
        remember(found)
        return found
    }

    private static let accountQuery = "SELECT \(AccountRecord.columns) FROM account WHERE number = ?"

    /// Tells that the account is going to be read; see ``DatabaseSession/expect(_:_:)``.
    func expectAccount(_ number: Int64) throws {
        if hot == nil, accounts[number] == nil { try db.expect(Self.accountQuery, [.integer(number)]) }
    }

    /// Tells that ``headOffset()`` is going to be asked for; see ``DatabaseSession/expect(_:_:)``.
    func expectHead() throws { try db.expect(db.headQuery) }

    private func remembered(_ number: Int64) throws -> AccountRecord? {
        guard let hot else { return accounts[number] }
        guard let known = hot.account(number) else { return nil }
        #if DEBUG
            try checkHot(
                known, is: db.first(Self.accountQuery, [.integer(number)]) { try AccountRecord(row: $0) })
        #endif
        return known
    }

    private func remember(_ account: AccountRecord) {
        if let hot { hot.cache(account) } else { accounts[account.number] = account }
    }

    /// The account in the columns of a joined row, so that a list needs no further statement for each row.
    ///
    /// - Parameter column: where ``AccountRecord/columns`` begin.
    func account(row: SQLRow, from column: Int32) throws -> AccountRecord {
        let number = row.integer(column)
        if let known = try remembered(number) { return known }
        let found = try AccountRecord(row: row, from: column)
        remember(found)
        return found
    }

    /// The log's head at the moment of this transaction. A stream that follows from it gets each later event exactly
    /// once.
    public func headOffset() throws -> Int64 { try db.first(db.headQuery, []) { $0.integer(0) } ?? 0 }
}

#if DEBUG
    extension ReadTransaction {
        /// Throws when what the writer has kept is not what is stored.
        func checkHot<T: Equatable>(_ kept: T, is read: @autoclosure () throws -> T?) throws {
            guard hot?.isChecked == true else { return }
            let stored = try read()
            guard kept != stored else { return }
            let difference = "kept \(kept), stored \(String(describing: stored))"
            throw ChatError(.storageFailed, "A row was kept and is another: \(difference)")
        }
    }
#endif

/// Versions of what has no number that grows: a hash of what is there. What has changed and changed back has its first
/// version again, which does no harm to one who saw that.
public enum ContentVersion {
    public static func of(_ customer: Customer) -> Int64 {
        version { $0.add(String(decoding: customer.canonicalJSON, as: UTF8.self)) }
    }

    public static func of(_ fields: [String: String]) -> Int64 {
        version { hash in
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                hash.add(name)
                hash.add(value)
            }
        }
    }

    /// Of a thread whose members have this version, with what the desk alone sees of it.
    static func of(_ version: Int64, _ team: ThreadTeam) -> Int64 {
        self.version {
            $0.add(String(version))
            $0.add(String(decoding: team.members, as: UTF8.self))
        }
    }

    /// Not negative, as entity tags want it.
    private static func version(_ add: (inout StableHash) -> Void) -> Int64 {
        var hash = StableHash()
        add(&hash)
        return Int64(hash.value >> 1)
    }
}

/// Reading committed data.
extension ChatStore {
    /// Reads one row, or one bounded page of a list, from one consistent snapshot.
    ///
    /// On an engine that never waits for a network it reads on the calling thread, without a suspension. It does what
    /// ``read(_:)`` does if another task is reading on its own thread at this moment, and on all other engines.
    ///
    /// Errors that are no ``ChatError`` become `storageFailed`, `storageUnavailable` or `storageFull`.
    public func readNow<T: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> T
    ) async throws(ChatError) -> T {
        do {
            var result: T?
            try backend.readHere { result = try body($0) }
            if let result { return result }
        } catch {
            errors.countError(error, of: .read)
            throw ChatError(storage: error)
        }
        return try await read(body)
    }

    /// Runs a closure on one consistent snapshot of committed data, off the calling thread. Several reads run side by
    /// side, and none uses the connection of ``readNow(_:)``.
    ///
    /// It is not abandoned when its task is cancelled, except within ``endingReads(_:)``. Errors that are no
    /// ``ChatError`` become `storageFailed`, `storageUnavailable` or `storageFull`.
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
        if case .failure(let error) = result { errors.countError(error, of: .read) }
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

    /// The same as the desk sees it, whoever the members are.
    public func deskMessagePage(
        of thread: Int64, replies: ReplyFilter = .alsoInThread, _ request: PageRequest
    ) async throws(ChatError) -> PageBytes {
        try await messagePage(MessagePageReading(store: self, deskThread: thread, replies: replies, request))
    }

    private func messagePage(_ reading: MessagePageReading) async throws(ChatError) -> PageBytes {
        if let page = reading.cached() { return page }
        let generation = pages.generation
        let body = { @Sendable (transaction: ReadTransaction) throws in try reading.run(transaction, generation) }
        return reading.isBounded ? try await readNow(body) : try await read(body)
    }

    /// A page of messages if it is in memory and nothing has changed; nil otherwise.
    public func keptMessagePage(
        of account: Int64, thread id: String, replies: ReplyFilter = .alsoInThread, _ request: PageRequest
    ) -> PageBytes? {
        MessagePageReading(store: self, account: account, thread: id, replies: replies, request).cached()
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

    /// False if the page leaves out all replies: to fill it, any number of them may have to be passed over.
    var isBounded: Bool { key.replies != .none }

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
