import ChatModel
import ChatStore

/// What a fetch has come to. The rows themselves come as events.
public struct FetchResult: Sendable, Equatable {
    /// Whether a further fetch in this direction may bring rows.
    public var hasMore: Bool
    /// Why no row came, and why none will come before something changes. Nil if a further fetch may bring rows.
    public var standstill: Standstill?

    /// Why a remote service's rows do not come. Rows of the cache are shown all the same.
    public enum Standstill: Sendable {
        /// The account's sessions have paused the synchronization.
        case paused
        /// None of them is connected.
        case offline
    }
}

/// Fetching. A page is read at one moment of the store, and is merged into the view at exactly that position of the
/// log. So no change is lost and none is applied twice.
extension Collections {
    /// How long a fetch is delayed that is repeated although nothing can come. It protects the gateway from clients
    /// that poll.
    private static let standstillPause = Duration.seconds(1)

    /// Fetches a page into the view. Only the collection's events tell which rows came. May wait for a remote service,
    /// about 10 s for a page.
    ///
    /// Throws `unknownCollection`, `tooManyCollections` for a first page when there is no room in memory for it,
    /// `fetchInProgress` while a fetch in this direction runs, `invalidParameter` for
    /// `previous` of a thread collection, `unknownThread` when the thread is gone.
    @discardableResult
    public func fetch(
        _ id: String, of owner: CollectionOwner, _ direction: FetchDirection
    ) async throws(ChatError) -> FetchResult {
        let collection = try collection(id, of: owner)
        try begin(collection, direction)
        defer { collection.state.withLock { _ = $0.fetching.remove(direction) } }
        if collection.state.withLock({ $0.standing.contains(direction) }), await standstill(of: collection) != nil {
            try? await clock.sleep(for: Self.standstillPause)
        }
        let count = try await fetchRows(collection, direction)
        let hasMore = collection.state.withLock { !$0.isRemoved && $0.hasMore(direction) }
        let standstill = hasMore && count == 0 ? await standstill(of: collection) : nil
        collection.state.withLock { state in
            if standstill == nil { state.standing.remove(direction) } else { state.standing.insert(direction) }
        }
        return FetchResult(hasMore: hasMore, standstill: standstill)
    }

    /// Reads a page and merges it. Returns how many rows came.
    private func fetchRows(_ collection: LiveCollection, _ direction: FetchDirection) async throws(ChatError) -> Int {
        if collection.thread == nil { return try await fetchThreads(collection) }
        do {
            return try await fetchMessages(collection, direction)
        } catch {
            guard error.code == .unknownThread, case .account(let account) = collection.audience,
                let histories = try? await histories(of: collection.audience), !histories.isComplete
            else { throw error }
            // The cache may have been cleared. The thread is gone only if the service does not know it either.
            if await standstill(of: collection) != nil { return 0 }
            _ = await histories.threads.extend(account: account)
            await settle()
            return try await fetchMessages(collection, direction)
        }
    }

    /// Why no row of a remote service can come now; nil if rows can come.
    private func standstill(of collection: LiveCollection) async -> FetchResult.Standstill? {
        guard case .account(let number) = collection.audience,
            let histories = try? await histories(of: collection.audience), !histories.isComplete
        else { return nil }
        let account = remote.account(number)
        guard account.source == nil else { return nil }
        return account.isConnected ? .paused : .offline
    }

    private func begin(_ collection: LiveCollection, _ direction: FetchDirection) throws(ChatError) {
        if collection.thread == nil, direction == .previous {
            throw ChatError(
                .invalidParameter, "A thread collection is fetched in the direction next only.", pointer: "/direction")
        }
        guard collection.state.withLock(\.hasRoomForPage) else {
            throw ChatError(
                .tooManyCollections,
                "The collections of \(collection.owner.name.lowercased()) hold all the memory that they may; remove one."
            )
        }
        guard collection.state.withLock({ $0.fetching.insert(direction).inserted }) else {
            throw ChatError(
                .fetchInProgress, "A fetch of this collection in the direction \(direction.rawValue) is running.")
        }
    }

    // MARK: Messages

    private func fetchMessages(_ collection: LiveCollection, _ direction: FetchDirection) async throws(ChatError) -> Int
    {
        var mayWait = true
        var count = 0
        let generation = collection.state.withLock { $0.generation }
        while true {
            if await noteMissingEnd(collection, direction) == false { return 0 }
            let joined = try await read(collection, generation) { (state) -> MessageReading? in
                guard let view = state.messages else { return nil }
                return MessageReading(
                    collection: collection, definition: state.definition, view: view, direction: direction)
            } merge: { (state, reading: MessageReading, page, changes) in
                guard let view = state.messages, reading.isStillTrue(for: view) else { return .again }
                if page.isShort, mayWait { return .wait(page.waitDirection, beyond: page.edge, thread: page.thread) }
                count = page.slice.messages.count
                state.messages?.merge(
                    page.slice, page.direction, beyond: page.beyond, extent: page.extent, into: &changes)
                state.parent = page.parent
                if reading.isFirst { state.messages?.merge(unsent: page.unsent, into: &changes) }
                return .done
            }
            switch joined {
            case .again: continue
            case .wait(let direction, let edge, let thread):
                mayWait = false
                let history: any MessageHistory
                do { history = try await histories(of: collection.audience).messages } catch {
                    throw ChatError.unreadable(error)
                }
                await history.extend(thread: thread, direction, beyond: edge)
            case .done, .stale: return count
            }
        }
    }

    /// Returns false when there is nothing to read in this direction. A view that has the newest message is complete at
    /// that end, unless the store has newer messages by now that the view has not taken: then the view loses its end,
    /// and the fetch reads on.
    private func noteMissingEnd(_ collection: LiveCollection, _ direction: FetchDirection) async -> Bool {
        guard let view = collection.state.withLock({ $0.messages }), view.isOpen else { return true }
        switch direction {
        case .previous: return view.hasPrevious
        case .next:
            if view.hasNext { return true }
            guard let thread = collection.thread else { return false }
            let end = MessagePosition(createdAt: .max, number: .max)
            if await completeness(collection.audience, thread).joins(view.rows.last?.position ?? .start, end) {
                return false
            }
            collection.state.withLock { $0.messages?.loseEnd() }
            return true
        }
    }

    // MARK: Threads

    private func fetchThreads(_ collection: LiveCollection) async throws(ChatError) -> Int {
        let (generation, before) = collection.state.withLock { ($0.generation, $0.threads?.rows.count ?? 0) }
        var joined = Joined.again
        while case .again = joined {
            let isEnd = collection.state.withLock { state in
                guard let view = state.threads else { return true }
                return view.isOpen && (!view.hasNext || view.isFull)
            }
            if isEnd { break }
            joined = try await read(collection, generation) { (state) -> ThreadReading? in
                state.threads.map {
                    ThreadReading(audience: collection.audience, limit: state.definition.limit, view: $0)
                }
            } merge: { (state, reading: ThreadReading, page, changes) in
                guard state.threads?.edge == reading.edge else { return .again }
                state.threads?.merge(page, into: &changes)
                return .done
            }
        }
        // The store has no more rows. The service may have more threads, which the log then reports as new ones (2.2a).
        let isAtEnd = collection.state.withLock { !$0.isRemoved && $0.threads?.hasNext == false }
        if isAtEnd, case .account(let account) = collection.audience,
            let history = try? await histories(of: collection.audience),
            !history.isComplete
        {
            let more = await history.threads.extend(account: account)
            collection.state.withLock { $0.serviceHasMore = more }
            await settle()
        }
        return max(0, collection.state.withLock { $0.threads?.rows.count ?? 0 } - before)
    }

    // MARK: Opening

    /// Finds out whether the list is empty. Only then a live insert may come before the first fetch (1.2), because
    /// nothing can be between the two.
    func open(_ collection: LiveCollection) async {
        let generation = collection.state.withLock { $0.generation }
        // A list that cannot be read counts as not empty.
        _ = try? await read(collection, generation) { (state) -> OpeningReading? in
            OpeningReading(collection: collection, state: state)
        } merge: { (state, _, page, changes) in
            state.parent = page.parent
            if let unsent = page.unsent { state.messages?.merge(unsent: unsent, into: &changes) }
            if page.isEmpty {
                state.messages?.openEmpty()
                state.threads?.openEmpty()
            }
            return .done
        }
    }

    // MARK: Joining

    enum Joined: Sendable {
        case done
        /// The view has changed since the page was read: read again.
        case again
        case wait(FetchDirection, beyond: MessagePosition, thread: Int64)
        /// The view was cleared or reset since, or is removed: the page is dropped.
        case stale
    }

    /// Reads the store, and merges the result when the view has come to the same position of the log. What happened
    /// before is in the page, and what happens later comes as an event. While the store is read, the view's changes
    /// wait.
    ///
    /// - Parameters:
    ///   - generation: the view's when the fetch began; with another one the page is dropped.
    ///   - prepare: decides under the view's lock what to read; nil reads nothing.
    ///   - merge: puts the page into the view, under its lock.
    private func read<R: StoreReading>(
        _ collection: LiveCollection, _ generation: Int, _ prepare: (LiveCollection.State) -> R?,
        merge: (inout LiveCollection.State, R, R.Page, inout [CollectionChange]) -> Joined
    ) async throws(ChatError) -> Joined {
        let reading = collection.state.withLock { state -> R? in
            guard !state.isRemoved, state.generation == generation, let reading = prepare(state) else { return nil }
            state.readings += 1
            return reading
        }
        guard let reading else { return .stale }
        var result: Result<(page: R.Page, offset: Int64), ChatError>
        do throws(ChatError) {
            let bound = try await reading.bound(self)
            let page = try await store.read { (try reading.read($0, within: bound), try $0.headOffset()) }
            guard await reader?.reach(page.1) != false else {
                throw ChatError(.eventTimeout, "The collection did not reach the newest event in time.")
            }
            result = .success((page.0, page.1))
        } catch {
            result = .failure(error)
        }
        var outcome: (joined: Joined, hasChanged: Bool)?
        while outcome == nil {
            var completeness = HistoryCompleteness.whole
            if let thread = collection.thread { completeness = await self.completeness(collection.audience, thread) }
            outcome = collection.state.withLock { state -> (Joined, Bool)? in
                // It was read before the newest waiting change, so it tells nothing about that change. Read it again.
                if let last = state.waiting.last, last.offset > completeness.offset { return nil }
                state.readings -= 1
                var (joined, hasChanged) = (Joined.stale, false)
                if case .success(let read) = result, !state.isRemoved, state.generation == generation {
                    if read.offset < state.applied {
                        joined = .again
                    } else {
                        hasChanged = state.applyWaiting(through: read.offset, completeness)
                        var changes: [CollectionChange] = []
                        joined = merge(&state, reading, read.page, &changes)
                        state.applied = max(state.applied, read.offset)
                        hasChanged = state.append(changes) || hasChanged
                    }
                }
                if state.readings == 0 { hasChanged = state.applyWaiting(through: nil, completeness) || hasChanged }
                return (joined, hasChanged)
            }
        }
        let (joined, hasChanged) = outcome ?? (.stale, false)
        if hasChanged { tellChanged([collection]) }
        if case .failure(let error) = result { throw error }
        return joined
    }
}

extension ChatError {
    static func unreadable(_ error: any Error) -> ChatError {
        error as? ChatError ?? ChatError(.storageFailed, "The database could not be used.")
    }
}
