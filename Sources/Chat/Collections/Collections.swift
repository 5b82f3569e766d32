import ChatModel
import ChatStore
import Formats
import Synchronization

/// All collections of the gateway's sessions and of its desk: they are found here, and one reader of the log keeps them true.
public final class Collections: Sendable {
    /// What followers hear of.
    public enum News: Sendable {
        case added(LiveCollection)
        /// These have new events.
        case changed([LiveCollection])
        /// Its events have ended for good.
        case removed(LiveCollection)
    }

    struct Directory {
        var owners: [CollectionOwner: [LiveCollection]] = [:]
        var audiences: [Audience: Followers] = [:]
        /// Collections being made: they count before they are there.
        var reserved: [CollectionOwner: Int] = [:]
    }

    /// Which collections an audience's events concern.
    struct Followers {
        var threadLists: [LiveCollection] = []
        var messageLists: [String: [LiveCollection]] = [:]
        /// What is known of the service behind the audience; it goes with the last of its collections.
        var histories: Histories?

        var isEmpty: Bool { threadLists.isEmpty && messageLists.isEmpty }
    }

    let store: ChatStore
    let clock: any Clock<Duration>
    let directory = Mutex(Directory())
    let remote: RemoteAccounts
    private let remoteServices: Set<String>
    private let listener = Callback<News, Void>()
    private let readerSlot = Mutex<LogReader?>(nil)

    struct Histories: Sendable {
        var messages: any MessageHistory
        var threads: any ThreadHistory
        /// The store has everything: nothing need be asked.
        var isComplete: Bool
    }

    /// - Parameter clock: by which it waits.
    init(store: ChatStore, services: [any ChatService], remote: RemoteAccounts, clock: any Clock<Duration>) {
        self.store = store
        self.clock = clock
        self.remote = remote
        remoteServices = Set(services.filter(\.isRemote).map(\.id))
        // For as long as the gateway runs: both belong to its sessions.
        _ = remote.notices.subscribe { [weak self] notice in self?.take(notice) }
        let made = LogReader(
            store.feed,
            isWanted: { [weak self] event in
                self?.directory.withLock { directory in
                    event.members.contains { directory.audiences[$0.audience] != nil }
                } ?? false
            },
            handler: { [weak self] events in await self?.handle(events) })
        readerSlot.withLock { $0 = made }
    }

    var reader: LogReader? { readerSlot.withLock { $0 } }

    /// Who is told of news; on any thread, in order for each collection. One listener: the gateway's streams.
    public func setListener(_ listener: @escaping @Sendable (News) -> Void) { self.listener.set(listener) }

    func tell(_ news: News) { listener(news) }

    /// Returns when everything that is committed now is in the views.
    public func settle() async {
        await reader?.reach(store.feed.head)
    }

    // MARK: Finding

    /// Counts as a use of the collection. Throws `unknownCollection`.
    public func collection(_ id: String, of owner: CollectionOwner) throws(ChatError) -> LiveCollection {
        guard let found = directory.withLock({ $0.owners[owner]?.first { $0.id == id } }) else {
            throw ChatError(.unknownCollection, "\(owner.name) has no collection \(id).")
        }
        found.use()
        return found
    }

    /// The owner's collections, oldest first.
    public func all(of owner: CollectionOwner) -> [LiveCollection] { directory.withLock { $0.owners[owner] ?? [] } }

    /// - Parameter isReserved: whether it comes to a place that was taken for it.
    func add(_ collection: LiveCollection, isReserved: Bool = false) {
        directory.withLock { directory in
            if isReserved { directory.unreserve(collection.owner) }
            directory.owners[collection.owner, default: []].append(collection)
            var followers = directory.audiences[collection.audience] ?? Followers()
            if let thread = collection.thread {
                followers.messageLists[thread, default: []].append(collection)
            } else {
                followers.threadLists.append(collection)
            }
            directory.audiences[collection.audience] = followers
        }
        tell(.added(collection))
    }

    func forget(_ collection: LiveCollection) {
        directory.withLock { directory in
            directory.owners[collection.owner]?.removeAll { $0 === collection }
            if directory.owners[collection.owner]?.isEmpty == true { directory.owners[collection.owner] = nil }
            guard var followers = directory.audiences[collection.audience] else { return }
            if let thread = collection.thread {
                followers.messageLists[thread]?.removeAll { $0 === collection }
                if followers.messageLists[thread]?.isEmpty == true { followers.messageLists[thread] = nil }
            } else {
                followers.threadLists.removeAll { $0 === collection }
            }
            directory.audiences[collection.audience] = followers.isEmpty ? nil : followers
        }
        collection.state.withLock { state in
            state.isRemoved = true
            state.waiting = []
        }
        tell(.removed(collection))
    }

    /// The histories of the service behind an account; the desk's own is complete.
    func histories(of audience: Audience) async throws -> Histories {
        guard case .account(let account) = audience else {
            return Histories(messages: CompleteHistory(), threads: CompleteHistory(), isComplete: true)
        }
        if let known = directory.withLock({ $0.audiences[audience]?.histories }) { return known }
        let service = try await store.read { try $0.account(account).key.service }
        let isRemote = remoteServices.contains(service)
        let history: any MessageHistory & ThreadHistory = isRemote
            ? ChunkedHistory(store: store, account: remote.account(account)) : CompleteHistory()
        let made = Histories(messages: history, threads: history, isComplete: !isRemote)
        directory.withLock { $0.audiences[audience]?.histories = made }
        return made
    }

    // MARK: The log

    private func handle(_ events: [LogEvent]?) async {
        guard let events else { return clearAll() }
        var changed: [ObjectIdentifier: LiveCollection] = [:]
        for event in events { await handle(event) { changed[ObjectIdentifier($0)] = $0 } }
        if !changed.isEmpty { tell(.changed(Array(changed.values))) }
    }

    private func handle(_ event: LogEvent, _ report: (LiveCollection) -> Void) async {
        switch event.type {
        case .messageCreated, .messageUpdated, .messageRemoved, .threadInfo:
            guard let thread = event.threadIDOfMessageEvent else { return }
            let isRemoval = event.type == .messageRemoved
            let lists = followers(of: event) { $0.messageLists[thread] ?? [] }
            // What cannot be read is nothing that a view could show.
            guard !lists.isEmpty || isRemoval, let change = try? event.messageChange() else { return }
            for (audience, collections) in lists {
                let completeness = await completeness(audience, thread)
                for collection in collections where collection.take(change, completeness) { report(collection) }
            }
            if case .messageRemoved(let id, _) = change.kind { redact(id, of: thread, event) }
        case .threadCreated, .threadUpdated:
            handleThread(event, report)
        case .threadRemoved:
            guard let thread = event.threadIDOfMessageEvent, let offset = event.offset else { return }
            let change = LogChange(offset: offset, kind: .threadRemoved(thread))
            for (_, collections) in followers(of: event, { $0.threadLists + ($0.messageLists[thread] ?? []) }) {
                for collection in collections where collection.take(change, .whole) { report(collection) }
            }
        default: return
        }
    }

    /// A removed message's text leaves the events that are kept for followers, those of thread lists too.
    private func redact(_ message: String, of thread: String, _ event: LogEvent) {
        for (audience, collections) in followers(of: event, { $0.threadLists }) {
            let name = CollectionItem.Name(id: thread, owner: audience == .desk ? event.owner : nil)
            for collection in collections {
                collection.state.withLock { $0.redact { $0.name == name && $0.showsLast(message) } }
            }
        }
    }

    private func handleThread(_ event: LogEvent, _ report: (LiveCollection) -> Void) {
        let mayReset = event.mayTellHistoryReset
        let concerned = followers(of: event) { $0.threadLists + (mayReset ? Array($0.messageLists.values.joined()) : []) }
        guard !concerned.isEmpty, let thread = try? event.decodedThread() else { return }
        for (audience, collections) in concerned {
            let (change, reset) = (event.threadChange(thread, for: audience), event.historyChange(thread, for: audience))
            for collection in collections {
                let own = collection.thread
                guard let change = own == nil ? change : own == thread.id ? reset : nil else { continue }
                if collection.take(change, .whole) { report(collection) }
            }
        }
    }

    private func followers(of event: LogEvent, _ choose: (Followers) -> [LiveCollection]) -> [(Audience, [LiveCollection])] {
        directory.withLock { directory in
            event.members.compactMap { member in
                guard let followers = directory.audiences[member.audience] else { return nil }
                var chosen = choose(followers)
                // One id may name threads of two customers there.
                if member.audience == .desk { chosen.removeAll { $0.threadOwner != nil && $0.threadOwner != event.owner } }
                return chosen.isEmpty ? nil : (member.audience, chosen)
            }
        }
    }

    /// How complete the thread's rows are, read before a view is locked. What cannot be read is not known to be complete.
    func completeness(_ audience: Audience, _ thread: String) async -> HistoryCompleteness {
        do {
            return try await histories(of: audience).messages.completeness(of: thread)
        } catch {
            return HistoryCompleteness(offset: .max) { HistoryExtent(low: $0, high: $0) }
        }
    }

    // MARK: From outside the log

    private func take(_ notice: SynchronizationNotice) {
        switch notice {
        case .cleared(let account): clear(account: account)
        case .hugeGap(let account, let thread, let time):
            reportHugeGap(account: account, thread: thread, after: Timestamp(milliseconds: time))
        }
    }

    /// The account's cache was cleared (3.14): every view of it is cleared, and begins anew with the next fetch.
    public func clear(account: Int64) {
        let concerned = directory.withLock { directory in
            directory.audiences[.account(account)].map { $0.threadLists + $0.messageLists.values.joined() } ?? []
        }
        clear(concerned)
    }

    /// Too much of a thread was missed to be followed (3.16): its collections say so, and end where it begins.
    ///
    /// - Parameter time: when the newest message before the gap was created.
    public func reportHugeGap(account: Int64, thread: String, after time: Timestamp) {
        let concerned = directory.withLock { $0.audiences[.account(account)]?.messageLists[thread] ?? [] }
        tellChanged(concerned.filter { $0.change { state, changes in
            guard state.isOpen else { return }
            state.messages?.end(at: ReadPosition(createdAt: time.milliseconds, number: .max), into: &changes)
            changes.append(.hugeGap)
        } })
    }

    private func clearAll() {
        clear(directory.withLock { $0.owners.values.flatMap { $0 } })
    }

    private func clear(_ collections: [LiveCollection]) {
        tellChanged(collections.filter { $0.change { $0.clear(&$1) } })
    }

    func tellChanged(_ collections: [LiveCollection]) {
        if !collections.isEmpty { tell(.changed(collections)) }
    }
}
