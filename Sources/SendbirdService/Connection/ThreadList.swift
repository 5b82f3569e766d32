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
    /// How many threads the account had when the list was read on connecting. The synchronization's first question for it
    /// is then answered without asking the platform twice, unless the cache was cleared meanwhile.
    private let fresh = Mutex<Int?>(nil)
    private let sizes = AnswerSizes(most: 100, dropsMembers: true)

    init(_ account: ConnectedUser) { self.account = account }

    /// Instead of a place in a list of changes.
    static let position = "list"
    /// The most channels of one list: a user is in 2,000 at most.
    private static let channels = 4000

    /// The list, written as ``load(isFirst:)`` does: as one page that has nothing more to write.
    func page() async throws(ChatError) -> ThreadPage {
        try await loadUnlessFresh()
        return ThreadPage(threads: [], next: nil, changes: Self.position)
    }

    /// What has changed in the list since any time, written in the same way.
    func changes() async throws(ChatError) -> ThreadChanges {
        try await loadUnlessFresh()
        return ThreadChanges(updated: [], removed: [], token: Self.position, hasMore: false)
    }

    private func loadUnlessFresh() async throws(ChatError) {
        let count = fresh.withLock { fresh in
            defer { fresh = nil }
            return fresh
        }
        let number = account.number
        if let count, try await account.store.read({ try $0.threadCount(of: number) }) >= count { return }
        _ = try await load(isFirst: false)
    }

    /// Writes one page of the list as soon as it is here: later its counts could be older than what is known by then. A
    /// token that has expired begins the list anew.
    private func writePage(
        after token: String?
    ) async throws(ChatError) -> (threads: [String], count: Int, next: String?) {
        var place = 0
        let page: SendbirdPage<SendbirdChannel>
        do throws(SendbirdFailure) {
            page = try await ask(token, place: &place)
        } catch {
            guard error.code == .pageTokenExpired, token != nil else { throw ChatError(error, about: .user) }
            return try await writePage(after: nil)
        }
        let threads = try await account.write(page.items, askedAt: place)
        return (threads, page.items.count, page.next.isEmpty || page.next == token ? nil : page.next)
    }

    /// - Parameter place: of the question.
    private func ask(
        _ token: String?, place: inout Int
    ) async throws(SendbirdFailure) -> SendbirdPage<SendbirdChannel> {
        var asked = 0
        defer { place = asked }
        return try await sizes.ask { (size) throws(SendbirdFailure) in
            try await account.client.ask(
                .channels(of: account.user, customType: account.entry.customType, token: token, size: size), .page
            ) {
                asked = account.marks.ask()
                return true
            }
        }
    }

    /// Reads the whole list and writes it, page by page. Returns the ids of threads that the account does not have any
    /// more, with the places of the questions that have told it.
    private func compare() async throws(ChatError) -> [(id: String, place: Int)] {
        var (listed, count, token): (Set<String>, Int, String?) = ([], 0, nil)
        let number = account.number
        let head = try await account.store.read { try $0.headOffset() }
        repeat {
            let page = try await writePage(after: token)
            listed.formUnion(page.threads)
            // A page may have fewer channels than were asked for; but none at all are no reason to go on for ever.
            count += page.count == 0 ? 100 : page.count
            token = page.next
        } while token != nil && count < Self.channels
        // Only a complete list may say what is gone.
        guard token == nil else { return [] }
        let absent = try await account.store.read { [listed] transaction in
            // One that has changed since is newer than the list.
            try transaction.threadStandings(of: number, limit: 5000)
                .filter { $0.state != .pending && $0.version <= head && !listed.contains($0.id) }.map(\.id)
        }
        // A message between two pages moves a channel from one to the other: it may have been on neither.
        var gone: [(id: String, place: Int)] = []
        for thread in absent.prefix(Self.lookups) {
            var place = 0
            do throws(ChatError) {
                if try await account.channel(thread, place: &place) == nil { gone.append((thread, place)) }
            } catch {
                guard error.code != .notConnected else { throw error }
                // What cannot be asked for stays as it is. A platform that does not answer is not asked for the others,
                // either: each could take half a minute.
                if error.mayPass { break }
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
        let (number, marks) = (account.number, account.marks)
        let gone = try await compare()
        let count = try await account.store.write { transaction in
            for thread in gone { try transaction.remove(thread.id, marks, askedAt: thread.place) }
            return try transaction.threadCount(of: number)
        }
        if isFirst { fresh.withLock { $0 = count } }
        return count
    }
}
