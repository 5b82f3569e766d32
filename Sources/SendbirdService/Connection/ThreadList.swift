import Chat
import ChatModel
import ChatStore
import Formats
import SendbirdWire
import Synchronization

/// Reads which threads the account has on the platform. There is no list of changes: the whole list is read, and
/// compared with the store.
final class ThreadList: Sendable {
    private let account: ConnectedUser
    /// The list was read on connecting. The synchronization's first question for it is then answered without asking the
    /// platform twice.
    private let isFresh = Atomic<Bool>(false)

    init(_ account: ConnectedUser) { self.account = account }

    /// Instead of a place in a list of changes.
    static let position = "list"
    /// The most pages of one list: a user is in 2,000 channels at most.
    private static let pages = 40

    /// The first page, or a later one.
    func page(after token: String?) async throws(ChatError) -> ThreadPage {
        if token == nil, isFresh.exchange(false, ordering: .relaxed) {
            return ThreadPage(threads: [], next: nil, changes: Self.position)
        }
        return try await read(after: token)
    }

    /// One page, written by the caller. A token that has expired begins the list anew.
    private func read(after token: String?) async throws(ChatError) -> ThreadPage {
        let place = account.marks.now
        let page: SendbirdPage<SendbirdChannel>
        do throws(SendbirdFailure) {
            page = try await ask(token)
        } catch {
            guard error.code == .pageTokenExpired, token != nil else { throw ChatError(error, about: .user) }
            return try await read(after: nil)
        }
        return ThreadPage(
            threads: try await threads(page, askedAt: place),
            next: page.next.isEmpty || page.next == token ? nil : page.next,
            changes: Self.position)
    }

    private func ask(_ token: String?) async throws(SendbirdFailure) -> SendbirdPage<SendbirdChannel> {
        try await account.client.ask(
            .channels(of: account.user, customType: account.entry.customType, token: token), .page)
    }

    private func threads(
        _ page: SendbirdPage<SendbirdChannel>, askedAt place: Int
    ) async throws(ChatError) -> [RemoteThread] {
        let reader = await account.reader
        let (channels, number) = (page.items.filter { $0.isThread(of: account) }, account.number)
        let known = try await account.store.read { transaction in
            try channels.map { try transaction.thread($0.url, of: number)?.thread }
        }
        return zip(channels, known).compactMap { channel, known in
            // What is here alone is taken over with its messages (``ThreadRefresh/adopt(_:)``).
            if known?.state == .pending { return nil }
            var thread = channel.thread(for: reader, knowing: known)
            if account.marks.isMarked(channel.url, since: place) { thread.unreadCount = nil }
            return thread
        }
    }

    /// The whole list, and which threads of the store are not in it. Only a complete list may say that.
    func changes() async throws(ChatError) -> ThreadChanges {
        if isFresh.exchange(false, ordering: .relaxed) {
            return ThreadChanges(updated: [], removed: [], token: Self.position, hasMore: false)
        }
        return try await compare()
    }

    private func compare() async throws(ChatError) -> ThreadChanges {
        var (all, token): ([RemoteThread], String?) = ([], nil)
        let number = account.number
        let head = try await account.store.read { try $0.headOffset() }
        for _ in 0..<Self.pages {
            let page = try await read(after: token)
            all += page.threads
            token = page.next
            guard token != nil else { break }
        }
        var removed: [String] = []
        if token == nil {
            let listed = Set(all.map(\.thread.id))
            // One that has changed since is newer than the list.
            removed = try await account.store.read { transaction in
                try transaction.threadStandings(of: number, limit: 5000)
                    .filter { $0.state != .pending && $0.version <= head && !listed.contains($0.id) }.map(\.id)
            }
        }
        return ThreadChanges(updated: all, removed: removed, token: Self.position, hasMore: false)
    }

    /// Reads the whole list and writes it. Returns how many threads the account has then.
    ///
    /// - Parameter isFirst: the synchronization asks for the list next.
    func load(isFirst: Bool) async throws(ChatError) -> Int {
        let (changes, number) = (try await compare(), account.number)
        let count = try await account.store.write { transaction in
            for id in changes.removed { try transaction.removeRemoteThread(id, of: number) }
            for thread in changes.updated { try transaction.merge(thread, of: number) }
            return try transaction.threadCount(of: number)
        }
        if isFirst { isFresh.store(true, ordering: .relaxed) }
        return count
    }
}
