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
    private let sizes = AnswerSizes(most: 100, dropsMembers: true)

    init(_ account: ConnectedUser) { self.account = account }

    /// Instead of a place in a list of changes.
    static let position = "list"
    /// The most channels of one list: a user is in 2,000 at most.
    private static let channels = 4000

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
        try await sizes.ask { (size) throws(SendbirdFailure) in
            try await account.client.ask(
                .channels(of: account.user, customType: account.entry.customType, token: token, size: size), .page)
        }
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
            let stale = account.marks.stale(channel.url, since: place)
            // The customer may have left it.
            guard known != nil || !stale.contains(.standing) else { return nil }
            return channel.thread(for: reader, knowing: known, except: known == nil ? [] : stale)
        }
    }

    /// The whole list, and which threads of the account are gone.
    func changes() async throws(ChatError) -> ThreadChanges {
        if isFresh.exchange(false, ordering: .relaxed) {
            return ThreadChanges(updated: [], removed: [], token: Self.position, hasMore: false)
        }
        var all: [RemoteThread] = []
        let gone = try await compare { all += $0 }
        return ThreadChanges(updated: all, removed: gone, token: Self.position, hasMore: false)
    }

    /// Reads the whole list, page by page. Returns the ids of threads that the account does not have any more.
    private func compare(
        _ take: ([RemoteThread]) async throws(ChatError) -> Void
    ) async throws(ChatError) -> [String] {
        var (listed, token): (Set<String>, String?) = ([], nil)
        let number = account.number
        let head = try await account.store.read { try $0.headOffset() }
        // A page may have fewer channels than were asked for.
        for _ in 0..<Self.channels where listed.count < Self.channels {
            let page = try await read(after: token)
            listed.formUnion(page.threads.map(\.thread.id))
            try await take(page.threads)
            token = page.next
            guard token != nil else { break }
        }
        // Only a complete list may say what is gone.
        guard token == nil else { return [] }
        let absent = try await account.store.read { [listed] transaction in
            // One that has changed since is newer than the list.
            try transaction.threadStandings(of: number, limit: 5000)
                .filter { $0.state != .pending && $0.version <= head && !listed.contains($0.id) }.map(\.id)
        }
        // A message between two pages moves a channel from one to the other: it may have been on neither.
        var gone: [String] = []
        for thread in absent.prefix(Self.lookups) {
            do throws(ChatError) {
                if try await account.channel(thread) == nil { gone.append(thread) }
            } catch {
                // What cannot be asked for stays as it is. The others must not wait for that.
                guard error.code != .notConnected else { throw error }
            }
        }
        return gone
    }

    /// The most threads that one comparison asks for by themselves. The next one asks for the others.
    private static let lookups = 100

    /// Reads the whole list and writes it, a page at a time. Returns how many threads the account has then.
    ///
    /// - Parameter isFirst: the synchronization asks for the list next.
    func load(isFirst: Bool) async throws(ChatError) -> Int {
        let (store, number) = (account.store, account.number)
        let gone = try await compare { (threads) async throws(ChatError) in
            try await store.write { transaction in for thread in threads { try transaction.merge(thread, of: number) } }
        }
        let count = try await store.write { transaction in
            for id in gone { try transaction.removeRemoteThread(id, of: number) }
            return try transaction.threadCount(of: number)
        }
        if isFirst { isFresh.store(true, ordering: .relaxed) }
        return count
    }
}
