import ChatModel
import ChatStore
import Synchronization

/// An account of a remote service: the connections that its sessions have, and the two that work on them.
///
/// Two sessions of an account share one cache. It is synchronized over the first of
/// their connections that is not paused. It lives as long as somebody holds it: sessions and collections do.
public final class RemoteAccount: Sendable {
    let number: Int64
    let store: ChatStore
    let synchronizer: Synchronizer
    let outbox: Outbox

    /// One session's open connection.
    struct Source: Sendable {
        let id: Int
        let session: String
        let platform: any RemotePlatform
    }

    private struct State {
        var sources: [Source] = []
        var paused: Set<String> = []
        var lastID = 0
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

    /// Where requests of the background go; nil while nobody is connected, or all are paused.
    var source: Source? { state.withLock { state in state.sources.first { !state.paused.contains($0.session) } } }

    var isConnected: Bool { state.withLock { !$0.sources.isEmpty } }

    /// Before the first connection opens: what an earlier one knew to be the newest may not be it any more.
    func willConnect() async throws(ChatError) {
        if !isConnected { try await closeChunks() }
    }

    func attach(_ platform: any RemotePlatform, session: String) {
        state.withLock { state in
            state.lastID += 1
            state.sources.removeAll { $0.session == session }
            state.sources.append(Source(id: state.lastID, session: session, platform: platform))
        }
        changed()
    }

    func detach(session: String) {
        let had = state.withLock { state in
            defer { state.sources.removeAll { $0.session == session } }
            return state.sources.contains { $0.session == session }
        }
        if had { changed() }
    }

    /// Stops or resumes the background's work for a session (SyncManager's `pauseSynchronize`, `resumeSynchronize`).
    func setPaused(_ isPaused: Bool, session: String) {
        state.withLock { state in
            if isPaused { state.paused.insert(session) } else { state.paused.remove(session) }
        }
        changed(resumes: !isPaused)
    }

    func isPaused(session: String) -> Bool { state.withLock { $0.paused.contains(session) } }

    func forget(session: String) {
        state.withLock { _ = $0.paused.remove(session) }
        detach(session: session)
    }

    /// Forgets the account's cached rows, threads first, and tells so; others write in between.
    func clear() async throws(ChatError) {
        let number = number
        await synchronizer.follow(nil, resumes: false)
        while try await store.write({ try $0.clearCache(of: number, limit: 500, isTold: true) }) {}
        let store = store
        // Nobody waits for the messages of threads that are gone.
        Task.detached { while try await store.write(inBackground: true, { try $0.collectOrphans(limit: 500) }) {} }
    }

    /// Synchronizes what was cleared, if a connection is there.
    func beginAnew() { changed(resumes: true) }

    private func changed(resumes: Bool = false) {
        Task {
            if !isConnected { try? await closeChunks() }
            await synchronizer.follow(source, resumes: resumes)
        }
    }

    private func closeChunks() async throws(ChatError) {
        let number = number
        guard try await store.read({ try $0.hasOpenChunks(of: number) }) else { return }
        try await store.write { try $0.closeChunks(of: number) }
    }
}

/// The accounts of remote services that sessions use.
public final class RemoteAccounts: Sendable {
    public let notices = SynchronizationNotices()
    /// What is fetched of the platforms' files.
    let files: FileFetches
    private let store: ChatStore
    private let services: [any ChatService]
    private let clock: any Clock<Duration>
    private let pace: Duration

    private struct Weak {
        weak var account: RemoteAccount?
    }
    /// Those that are in use: an account takes itself out when nobody holds it any more.
    private let accounts = Mutex<[Int64: Weak]>([:])

    /// - Parameters:
    ///   - services: told of each account that nobody uses any more.
    ///   - pace: between two requests of the background.
    init(store: ChatStore, services: [any ChatService], clock: any Clock<Duration>, pace: Duration) {
        self.store = store
        self.services = services.filter(\.isRemote)
        self.clock = clock
        self.pace = pace
        files = FileFetches(clock: clock)
    }

    /// How many accounts are in use.
    var count: Int { accounts.withLock { $0.count } }

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
        // It may have begun anew meanwhile. The other one is not let go under the lock: that would end here again.
        let other = accounts.withLock { accounts -> RemoteAccount? in
            let other = accounts[number]?.account
            if other == nil { accounts[number] = nil }
            return other
        }
        guard other == nil else { return }
        for service in services { service.forget(account: number) }
    }

    /// The account, if somebody uses it.
    func known(_ number: Int64) -> RemoteAccount? { accounts.withLock { $0[number]?.account } }
}
