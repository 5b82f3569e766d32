import Bounds
import ChatModel
import ChatStore
import Formats
import Synchronization

/// All collections of the gateway's sessions and of its desk. One reader of the log keeps their views up to date. Every
/// call may come from any task.
public final class Collections: Sendable {
    /// What the listener is told.
    public enum News: Sendable {
        case added(LiveCollection)
        /// These collections have new events.
        case changed([LiveCollection])
        /// The collection will have no further events.
        case removed(LiveCollection)
    }

    struct Directory {
        var owners: [CollectionOwner: [LiveCollection]] = [:]
        var audiences: [Audience: Followers] = [:]
        /// How many places are reserved for collections that are being made.
        var reserved: [CollectionOwner: Int] = [:]
    }

    /// The collections of one audience, by what they show. It says which of them an event concerns.
    struct Followers {
        var threadLists: [LiveCollection] = []
        var messageLists: [String: [LiveCollection]] = [:]
        /// How complete the audience's service is. It is dropped with the audience's last collection.
        var histories: Histories?

        var isEmpty: Bool { threadLists.isEmpty && messageLists.isEmpty }
    }

    let store: ChatStore
    let clock: any Clock<Duration>
    let directory = Mutex(Directory())
    let remote: RemoteAccounts
    /// What the collections of each owner hold in memory.
    let memory: ByteShares
    private let remoteServices: Set<String>
    private let listener = Callback<News, Void>()
    private let readerSlot = Mutex<LogReader?>(nil)

    struct Histories: Sendable {
        var messages: any MessageHistory
        var threads: any ThreadHistory
        /// The store has everything, so the service is never asked.
        var isComplete: Bool
    }

    /// - Parameters:
    ///   - clock: the clock for pauses.
    ///   - memory: what the process holds in memory for its clients.
    init(
        store: ChatStore, services: [any ChatService], remote: RemoteAccounts, clock: any Clock<Duration>,
        memory: ByteCounter
    ) {
        self.memory = ByteShares(of: ByteCounter(limit: ByteBound.collections.bytes, within: memory))
        self.store = store
        self.clock = clock
        self.remote = remote
        remoteServices = Set(services.filter(\.isRemote).map(\.id))
        // Nobody ends the subscription: both live as long as the gateway runs.
        _ = remote.notices.subscribe { [weak self] notice in self?.handle(notice) }
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

    /// Sets who is told of news. It is called on any thread, in order for each collection. There is one listener: the
    /// gateway's streams.
    public func setListener(_ listener: @escaping @Sendable (News) -> Void) { self.listener.set(listener) }

    func notifyListener(_ news: News) { listener(news) }

    /// Returns when all changes that are committed now are in the views, or after 10 s.
    public func settle() async {
        await reader?.reach(store.feed.head)
    }

    // MARK: Finding

    /// Finds a collection, and counts this as a use of it. Throws `unknownCollection`, also for another owner's.
    public func collection(_ id: String, of owner: CollectionOwner) throws(ChatError) -> LiveCollection {
        guard let found = directory.withLock({ $0.owners[owner]?.first { $0.id == id } }) else {
            throw ChatError(.unknownCollection, "\(owner.name) has no collection \(id).")
        }
        found.use()
        return found
    }

    /// The owner's collections, oldest first.
    public func all(of owner: CollectionOwner) -> [LiveCollection] { directory.withLock { $0.owners[owner] ?? [] } }

    /// - Parameter isReserved: whether a place was reserved for it.
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
        notifyListener(.added(collection))
    }

    /// Removes a collection from memory and tells the listener. The store is not changed.
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
            (state.waiting, state.waitingBytes) = ([], 0)
        }
        notifyListener(.removed(collection))
    }

    /// The histories of the service behind an audience, kept while the audience has collections. The desk's is
    /// complete.
    func histories(of audience: Audience) async throws -> Histories {
        guard case .account(let account) = audience else {
            return Histories(messages: CompleteHistory(), threads: CompleteHistory(), isComplete: true)
        }
        if let known = directory.withLock({ $0.audiences[audience]?.histories }) { return known }
        let service = try await store.read { try $0.account(account).key.service }
        let isRemote = remoteServices.contains(service)
        let history: any MessageHistory & ThreadHistory =
            isRemote
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
        if !changed.isEmpty { notifyListener(.changed(Array(changed.values))) }
    }

    private func handle(_ event: LogEvent, _ report: (LiveCollection) -> Void) async {
        switch event.type {
        case .messageCreated, .messageUpdated, .messageRemoved, .threadInfo:
            guard let thread = event.threadIDOfMessageEvent else { return }
            let isRemoval = event.type == .messageRemoved
            let lists = followers(of: event) { $0.messageLists[thread] ?? [] }
            // An event that cannot be decoded is skipped: no view could show it.
            guard !lists.isEmpty || isRemoval, let change = try? event.messageChange() else { return }
            for (audience, collections) in lists {
                let completeness = await completeness(audience, thread)
                for collection in collections where collection.applyChange(change, completeness) { report(collection) }
            }
            if case .messageRemoved(let id, _) = change.kind { redact(id, of: thread, event) }
        case .threadCreated, .threadUpdated:
            handleThread(event, report)
        case .threadRemoved:
            guard let thread = event.threadIDOfMessageEvent, let offset = event.offset else { return }
            for (audience, collections) in followers(of: event, { $0.threadLists + ($0.messageLists[thread] ?? []) }) {
                let name = CollectionItem.Name(id: thread, owner: audience == .desk ? event.owner : nil)
                let change = LogChange(offset: offset, kind: .threadRemoved(name))
                for collection in collections where collection.applyChange(change, .whole) { report(collection) }
            }
        default: return
        }
    }

    /// Removes the text of a removed message from the events that are kept for followers; here from those of thread
    /// lists, which show the last message.
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
        let concerned = followers(of: event) {
            $0.threadLists + (mayReset ? Array($0.messageLists.values.joined()) : [])
        }
        guard !concerned.isEmpty, let thread = try? event.decodedThread() else { return }
        for (audience, collections) in concerned {
            let (change, reset) = (
                try? event.threadChange(thread, for: audience), event.historyChange(thread, for: audience)
            )
            for collection in collections {
                let own = collection.thread
                guard let change = own == nil ? change : own == thread.id ? reset : nil else { continue }
                if collection.applyChange(change, .whole) { report(collection) }
            }
        }
    }

    private func followers(
        of event: LogEvent, _ choose: (Followers) -> [LiveCollection]
    ) -> [(Audience, [LiveCollection])] {
        directory.withLock { directory in
            event.members.compactMap { member in
                guard let followers = directory.audiences[member.audience] else { return nil }
                var chosen = choose(followers)
                // At the desk, one id may name the threads of two customers.
                if member.audience == .desk {
                    chosen.removeAll { $0.threadOwner != nil && $0.threadOwner != event.owner }
                }
                return chosen.isEmpty ? nil : (member.audience, chosen)
            }
        }
    }

    /// How complete the thread's rows are. Read before a view is locked. When it cannot be read, nothing counts as
    /// complete.
    func completeness(_ audience: Audience, _ thread: String) async -> HistoryCompleteness {
        do {
            return try await histories(of: audience).messages.completeness(of: thread)
        } catch {
            return HistoryCompleteness(offset: .max) { HistoryExtent(low: $0, high: $0) }
        }
    }

    // MARK: From outside the log

    private func handle(_ notice: SynchronizationNotice) {
        switch notice {
        case .cleared(let account): clear(account: account)
        case .hugeGap(let account, let thread, let time):
            reportHugeGap(account: account, thread: thread, after: Timestamp(milliseconds: time))
        }
    }

    /// The account's cache was cleared (3.14). Its views are emptied, and begin anew with the next fetch.
    public func clear(account: Int64) {
        let concerned = directory.withLock { directory in
            directory.audiences[.account(account)].map { $0.threadLists + $0.messageLists.values.joined() } ?? []
        }
        clear(concerned)
    }

    /// Too many messages of a thread were missed (3.16). Its collections get the event `hugeGap`, and end at the gap.
    ///
    /// - Parameter time: when the newest message before the gap was created.
    public func reportHugeGap(account: Int64, thread: String, after time: Timestamp) {
        let concerned = directory.withLock { $0.audiences[.account(account)]?.messageLists[thread] ?? [] }
        tellChanged(
            concerned.filter {
                $0.change { state, changes in
                    guard state.isOpen else { return }
                    state.messages?.end(at: MessagePosition(createdAt: time.milliseconds, number: .max), into: &changes)
                    changes.append(.hugeGap)
                }
            })
    }

    private func clearAll() {
        clear(directory.withLock { $0.owners.values.flatMap { $0 } })
    }

    private func clear(_ collections: [LiveCollection]) {
        tellChanged(collections.filter { $0.change { $0.clear(&$1) } })
    }

    func tellChanged(_ collections: [LiveCollection]) {
        if !collections.isEmpty { notifyListener(.changed(collections)) }
    }
}
