import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Synchronization

/// Reads which threads the account has on the platform.
final class ThreadListReader: Sendable {
    private let account: ConnectedAccount
    private let recovery: ThreadRecovery
    /// The list of threads was read on connecting. The synchronization's first question for it is then answered without
    /// asking the platform twice.
    private let hasFreshList = Atomic<Bool>(false)

    init(_ account: ConnectedAccount, recovery: ThreadRecovery) {
        self.account = account
        self.recovery = recovery
    }

    /// See ``ThreadRecovery/recoverThread()``.
    func recoverThread() async throws(ChatError) -> Int {
        hasFreshList.store(true, ordering: .relaxed)
        return try await recovery.recoverThread()
    }

    /// Always an empty page: the platform's answer is written into the store when it comes, in its order among the
    /// pushes. So the caller has nothing to merge.
    func threads(after token: String?) async throws(ChatError) -> ThreadPage {
        let isFresh = hasFreshList.exchange(false, ordering: .relaxed)
        if !isFresh, token == nil {
            if account.mode == .multithread {
                _ = try await loadThreads()
            } else {
                do throws(ChatError) {
                    _ = try await recoverThread()
                } catch {
                    guard error.code == .recoveringThreadFailed else { throw error }
                }
            }
            hasFreshList.store(false, ordering: .relaxed)
        }
        return ThreadPage(threads: [], next: nil, changes: nil)
    }

    /// Reads the list of threads (`FetchThreadList`), then the metadata of each. Threads that the list lacks are
    /// removed here, except pending ones. Names that were given here and got no answer are told again. Returns
    /// how many threads the account has account.now. Throws what ``PlatformLink/ask(_:_:)`` throws.
    func loadThreads() async throws(ChatError) -> Int {
        hasFreshList.store(true, ordering: .relaxed)
        let number = account.number
        let head = try await account.store.read { try $0.headOffset() }
        let threads = try await account.link.ask(.fetchThreadList) { [self] (frame) throws(ChatError) -> [WireThread] in
            guard case .answer(.threadListFetched(let threads), _) = frame else { throw ConnectedAccount.unexpected }
            let listed = threads.filter { Identifier.isValid($0.id) }
            try await forgetThreads(besides: Set(listed.map(\.id)), unchangedSince: head)
            for start in stride(from: 0, to: listed.count, by: Self.listStep) {
                try await write(listed[start..<min(start + Self.listStep, listed.count)])
            }
            return listed
        }
        await recovery.names.sendAgain()
        try await loadMetadata(threads.map(\.id))
        return try await account.store.read { try $0.threadCount(of: number) }
    }

    /// How many threads are compared with the list, or taken from it, in one step: no unit is long, whatever an account
    /// has.
    private static let listStep = 500

    /// Removes threads that the platform does not list, except pending ones.
    ///
    /// - Parameters:
    ///   - listed: the ids of the platform's threads.
    ///   - head: the log's head before the list was asked for. A thread that has changed since, as by a push that made
    ///     it, is newer than the list, and not missing from it.
    private func forgetThreads(besides listed: Set<String>, unchangedSince head: Int64) async throws(ChatError) {
        let number = account.number
        var last = ""
        while true {
            let step = try await account.store.read { [last] in
                try $0.threadStandings(of: number, after: last, limit: Self.listStep)
            }
            let missing = step.filter { $0.state != .pending && $0.version <= head && !listed.contains($0.id) }
            if !missing.isEmpty {
                try await account.store.write { [self] transaction in
                    // One that has changed since it was read is newer than the list, too.
                    for thread in missing where try transaction.thread(thread.id, of: number)?.version == thread.version
                    {
                        _ = try recovery.forget(thread.id, in: transaction)
                    }
                }
                account.service.forget(Set(missing.map(\.id)), account: number)
            }
            guard let end = step.last, step.count == Self.listStep else { return }
            last = end.id
        }
    }

    private func write(_ listed: ArraySlice<WireThread>) async throws(ChatError) {
        try await account.store.write { [self] transaction in
            for wire in listed {
                var record = try account.open(wire.id, at: wire.createdAt, in: transaction)
                try transaction.change(&record) { thread in
                    thread.name = account.ownName(wire.name, of: wire.id)
                    if !wire.canAddMoreMessages {
                        thread.state = .closed
                    } else if thread.state == .pending || thread.state == .closed {
                        thread.state = .received
                    }
                }
            }
        }
    }

    /// Loads the metadata of all threads, 16 at a time, because the platform limits the rate of requests. After
    /// the first failure no further request begins; those under way are waited for.
    private func loadMetadata(_ threads: [String]) async throws(ChatError) {
        let result: Result<Void, ChatError> = await withTaskGroup(of: Result<Void, ChatError>.self) { group in
            var next = threads.makeIterator()
            func add() {
                guard let thread = next.next() else { return }
                group.addTask { [self] in
                    do throws(ChatError) {
                        return .success(try await loadMetadata(thread))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            for _ in 0..<16 { add() }
            while let result = await group.next() {
                if case .failure = result { return result }
                add()
            }
            return .success(())
        }
        try result.get()
    }

    /// Sends `LoadThreadMetadata`: the thread's agent and its last message. A thread that was removed meanwhile
    /// is not made again.
    private func loadMetadata(_ thread: String) async throws(ChatError) {
        let reader = await account.reader
        try await account.link.ask(.loadThreadMetadata(ThreadReference(id: thread))) {
            [self] (frame) throws(ChatError) in
            guard case .answer(.threadMetadataLoaded(let metadata), _) = frame else {
                throw ConnectedAccount.unexpected
            }
            let last = RemoteMessage(metadata.lastMessage, for: reader)
            _ = try await account.change(thread) { transaction, record in
                try transaction.change(&record) { thread in
                    if let agent = metadata.ownerAssignee.map(Agent.init) { thread.agent = agent }
                    if thread.state == .received { thread.state = .loaded }
                }
                try transaction.preview(last, in: &record)
            }
        }
    }
}
