import ChatModel
import ChatStore
import Synchronization

/// An account of a remote service: the open connections of its sessions, and the ``Synchronizer`` and ``Outbox`` that
/// work over them.
///
/// All sessions of an account share one cache. It is synchronized over the first of their connections that is not
/// paused. The object lives as long as a session or a collection holds it.
public final class RemoteAccount: Sendable {
    let number: Int64
    let store: ChatStore
    let synchronizer: Synchronizer
    let outbox: Outbox

    /// One session's open connection. Each new connection has a new id.
    struct Source: Sendable {
        let id: Int
        let session: String
        let platform: BoundPlatform
    }

    private struct State {
        var sources: [Source] = []
        var paused: Set<String> = []
        var lastID = 0
        /// No session has connected, or tried to, since the account's chunks were closed.
        var areChunksClosed = false
        /// Counts the sessions that connected, or tried to.
        var attempts = 0

        mutating func mayOpenChunks() {
            attempts += 1
            areChunksClosed = false
        }
    }
    private let state = Mutex(State())
    private let onEnd: @Sendable () -> Void

    init(
        number: Int64, store: ChatStore, clock: any Clock<Duration>, pace: Duration, notices: SynchronizationNotices,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.number = number
        self.store = store
        self.onEnd = onEnd
        outbox = Outbox(account: number, store: store, clock: clock)
        synchronizer = Synchronizer(
            account: number, store: store, clock: clock, pace: pace, notices: notices, outbox: outbox)
    }

    deinit { onEnd() }

    /// The connection over which the background works; nil while no session is connected, or all that are have paused.
    var source: Source? { state.withLock { state in state.sources.first { !state.paused.contains($0.session) } } }

    var isConnected: Bool { state.withLock { !$0.sources.isEmpty } }

    /// The account was made just now, and has no rows yet.
    func beginsEmpty() {
        state.withLock { state in if state.attempts == 0 { state.areChunksClosed = true } }
    }

    /// To be called before a session connects. If no other session is connected, messages were perhaps missed since:
    /// chunks are closed, so that none is taken for the newest.
    func willConnect() async throws(ChatError) {
        if !isConnected {
            // What the last connection still writes must not open one afterwards.
            await synchronizer.follow(resumes: false) { self.source }
            try await closeChunks()
        }
        // What it reads before it is attached may open chunks.
        state.withLock { $0.mayOpenChunks() }
    }

    /// A session's connection is ready. It replaces an earlier one of the same session.
    func attach(_ platform: BoundPlatform, session: String) {
        state.withLock { state in
            // Another call may have closed the chunks since it began to connect.
            state.mayOpenChunks()
            state.lastID += 1
            state.sources.removeAll { $0.session == session }
            state.sources.append(Source(id: state.lastID, session: session, platform: platform))
        }
        changed()
    }

    /// The session's connection is gone. The background goes on over another session's, if there is one.
    func detach(session: String) {
        let had = state.withLock { state in
            defer { state.sources.removeAll { $0.session == session } }
            return state.sources.contains { $0.session == session }
        }
        if had { changed() }
    }

    /// Stops or resumes the background's work over this session's connection (SyncManager's `pauseSynchronize`,
    /// `resumeSynchronize`). To resume also starts the work again after a failure.
    func setPaused(_ isPaused: Bool, session: String) {
        state.withLock { state in
            if isPaused { state.paused.insert(session) } else { state.paused.remove(session) }
        }
        changed(resumes: !isPaused)
    }

    func isPaused(session: String) -> Bool { state.withLock { $0.paused.contains(session) } }

    /// The session is deleted: its connection and its pause are dropped.
    func forget(session: String) {
        state.withLock { _ = $0.paused.remove(session) }
        detach(session: session)
    }

    /// Removes the account's cached rows, in units of 500, and writes the events that tell of removed threads. Others
    /// may write in between.
    ///
    /// Stops the background's work. ``beginAnew()`` starts it again, and must be called also when this throws.
    func clear() async throws(ChatError) {
        let number = number
        await synchronizer.follow(resumes: false) { nil }
        while try await store.write({ try $0.clearCache(of: number, limit: 500, isTold: true) }) {}
        let store = store
        // The messages of the removed threads follow later: nobody can see them any more.
        Task.detached { while try await store.write(inBackground: true, { try $0.collectOrphans(limit: 500) }) {} }
    }

    /// Starts the synchronization again after ``clear()``, if a connection is open.
    func beginAnew() { changed(resumes: true) }

    private func changed(resumes: Bool = false) {
        Task {
            // It is read when its turn has come: of two changes the later one must be the last one followed.
            await synchronizer.follow(resumes: resumes) { self.source }
            if !isConnected { try? await closeChunks() }
        }
    }

    private func closeChunks() async throws(ChatError) {
        let number = number
        let (areClosed, attempts) = state.withLock { ($0.areChunksClosed, $0.attempts) }
        if areClosed { return }
        if try await store.read({ try $0.hasOpenChunks(of: number) }) {
            try await store.write { try $0.closeChunks(of: number) }
        }
        // A session may have tried to connect meanwhile.
        state.withLock { state in if state.attempts == attempts { state.areChunksClosed = true } }
    }
}

/// The accounts of remote services that are in use, one object for each. It holds them weakly. Every call may come from
/// any thread.
public final class RemoteAccounts: Sendable {
    public let notices = SynchronizationNotices()
    /// The platforms' files that are being fetched.
    let files: FileFetches
    private let store: ChatStore
    private let services: [any ChatService]
    private let clock: any Clock<Duration>
    private let pace: Duration
    /// Whether no session may connect now: see ``Sessions/suspend()``.
    let isSuspended = Atomic<Bool>(false)

    private struct Weak {
        weak var account: RemoteAccount?
    }
    /// By the account's number. An account removes itself when its last holder is gone.
    private let accounts = Mutex<[Int64: Weak]>([:])

    /// - Parameters:
    ///   - services: told of each account that is no longer in use.
    ///   - pace: the pause between two requests of the background.
    init(store: ChatStore, services: [any ChatService], clock: any Clock<Duration>, pace: Duration) {
        self.store = store
        self.services = services.filter(\.isRemote)
        self.clock = clock
        self.pace = pace
        files = FileFetches(clock: clock)
    }

    /// How many accounts are in use.
    var count: Int { accounts.withLock { $0.count } }

    /// The account of this number, made if nobody uses it yet. The caller must hold the result for as long as it needs
    /// it.
    public func account(_ number: Int64) -> RemoteAccount {
        accounts.withLock { accounts in
            if let known = accounts[number]?.account { return known }
            let made = RemoteAccount(
                number: number, store: store, clock: clock, pace: pace, notices: notices
            ) { [weak self] in self?.ended(number) }
            accounts[number] = Weak(account: made)
            return made
        }
    }

    private func ended(_ number: Int64) {
        // A new object for the account may exist already. It must not be released under the lock: its deinit would call
        // this function again.
        let other = accounts.withLock { accounts -> RemoteAccount? in
            let other = accounts[number]?.account
            if other == nil { accounts[number] = nil }
            return other
        }
        guard other == nil else { return }
        for service in services { service.forget(account: number) }
    }

    /// The account, if it is in use; does not make it.
    func known(_ number: Int64) -> RemoteAccount? { accounts.withLock { $0[number]?.account } }
}
