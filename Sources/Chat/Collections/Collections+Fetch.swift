import ChatModel
import ChatStore

/// How a fetch ended.
public struct FetchResult: Sendable, Equatable {
    /// Whether there is more in this direction.
    public var hasMore: Bool
    /// Why nothing of it came now, and nothing will before something changes; nil if a further fetch may bring it.
    public var standstill: Standstill?

    /// What keeps a remote service's rows away. The cached ones are shown.
    public enum Standstill: Sendable {
        /// The account's sessions have paused the synchronization.
        case paused
        /// None of them is connected.
        case offline
    }
}

/// Fetching: a page is read from one moment of the store, and joins the view exactly at that moment of the log.
extension Collections {
    /// Who asks again and again for what cannot come waits so long each time.
    private static let standstillPause = Duration.seconds(1)

    /// Fetches a page into the view; the events alone tell what came.
    ///
    /// Throws `unknownCollection`, `fetchInProgress` while one in this direction runs, `invalidParameter` for `previous`
    /// of a thread collection, `unknownThread` when the thread is gone.
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

    /// Returns how many rows came.
    private func fetchRows(_ collection: LiveCollection, _ direction: FetchDirection) async throws(ChatError) -> Int {
        if collection.thread == nil { return try await fetchThreads(collection) }
        do {
            return try await fetchMessages(collection, direction)
        } catch {
            guard error.code == .unknownThread, case .account(let account) = collection.audience,
                  let histories = try? await histories(of: collection.audience), !histories.isComplete else { throw error }
            // The cache was cleared: the thread is gone only if the service does not know it either.
            if await standstill(of: collection) != nil { return 0 }
            _ = await histories.threads.extend(account: account)
            await settle()
            return try await fetchMessages(collection, direction)
        }
    }

    /// Why no row of a remote service can come now.
    private func standstill(of collection: LiveCollection) async -> FetchResult.Standstill? {
        guard case .account(let number) = collection.audience,
              let histories = try? await histories(of: collection.audience), !histories.isComplete else { return nil }
        let account = remote.account(number)
        guard account.source == nil else { return nil }
        return account.isConnected ? .paused : .offline
    }

    private func begin(_ collection: LiveCollection, _ direction: FetchDirection) throws(ChatError) {
        if collection.thread == nil, direction == .previous {
            throw ChatError(.invalidParameter, "A thread collection is fetched in the direction next only.", pointer: "/direction")
        }
        guard collection.state.withLock({ $0.fetching.insert(direction).inserted }) else {
            throw ChatError(.fetchInProgress, "A fetch of this collection in the direction \(direction.rawValue) is running.")
        }
    }

    // MARK: Messages

    private func fetchMessages(_ collection: LiveCollection, _ direction: FetchDirection) async throws(ChatError) -> Int {
        var mayWait = true
        var count = 0
        let generation = collection.state.withLock { $0.generation }
        while true {
            if await noteMissingEnd(collection, direction) == false { return 0 }
            let joined = try await read(collection, generation) { (state) -> MessageReading? in
                guard let view = state.messages else { return nil }
                return MessageReading(collection: collection, definition: state.definition, view: view, direction: direction)
            } merge: { (state, reading: MessageReading, page, changes) in
                guard let view = state.messages, reading.isStillTrue(for: view) else { return .again }
                if page.isShort, mayWait { return .wait(page.waitDirection, beyond: page.edge, thread: page.thread) }
                count = page.slice.messages.count
                state.messages?.merge(page.slice, page.direction, beyond: page.beyond, extent: page.extent, into: &changes)
                state.parent = page.parent
                if reading.isFirst { state.messages?.merge(unsent: page.unsent, into: &changes) }
                return .done
            }
            switch joined {
            case .again: continue
            case .wait(let direction, let edge, let thread):
                mayWait = false
                let history: any MessageHistory
                do { history = try await histories(of: collection.audience).messages } catch { throw ChatError.unreadable(error) }
                await history.extend(thread: thread, direction, beyond: edge)
            case .done, .stale: return count
            }
        }
    }

    /// A complete end gives nothing, unless the service has got ahead of it meanwhile. Returns false when there is nothing to read.
    private func noteMissingEnd(_ collection: LiveCollection, _ direction: FetchDirection) async -> Bool {
        guard let view = collection.state.withLock({ $0.messages }), view.isOpen else { return true }
        switch direction {
        case .previous: return view.hasPrevious
        case .next:
            if view.hasNext { return true }
            guard let thread = collection.thread else { return false }
            let end = ReadPosition(createdAt: .max, number: .max)
            if await completeness(collection.audience, thread).joins(view.rows.last?.position ?? .start, end) { return false }
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
                return view.isOpen && (!view.hasNext || view.rows.count >= view.capacity)
            }
            if isEnd { break }
            joined = try await read(collection, generation) { (state) -> ThreadReading? in
                state.threads.map { ThreadReading(audience: collection.audience, limit: state.definition.limit, view: $0) }
            } merge: { (state, reading: ThreadReading, page, changes) in
                guard state.threads?.edge == reading.edge else { return .again }
                state.threads?.merge(page, into: &changes)
                return .done
            }
        }
        // The rows are at their end: the service may have more, which come as threads that are new (2.2a).
        let isAtEnd = collection.state.withLock { !$0.isRemoved && $0.threads?.hasNext == false }
        if isAtEnd, case .account(let account) = collection.audience, let history = try? await histories(of: collection.audience),
            !history.isComplete {
            let more = await history.threads.extend(account: account)
            collection.state.withLock { $0.serviceHasMore = more }
            await settle()
        }
        return max(0, collection.state.withLock { $0.threads?.rows.count ?? 0 } - before)
    }

    // MARK: Opening

    /// Sees whether the list is truly empty: only then does it take live inserts before its first fetch (1.2).
    func open(_ collection: LiveCollection) async {
        let generation = collection.state.withLock { $0.generation }
        // A list that cannot be read is not known to be empty.
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
        /// The view has changed since: read again.
        case again
        case wait(FetchDirection, beyond: ReadPosition, thread: Int64)
        /// The view has begun anew, or is gone.
        case stale
    }

    /// Reads the store, and merges what was read when the view has come to the same moment of the log: what happened
    /// before is in the page, what happens after comes as an event, nothing twice. Meanwhile the view's changes wait.
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
                throw ChatError(.eventTimeout, "The collection did not come up to the newest event in time.")
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
                // It says nothing of a change that came after it was read.
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
