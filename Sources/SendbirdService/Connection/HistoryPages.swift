import ChatModel
import ChatStore
import Chat
import Formats
import SendbirdWire

/// Reads the platform's history of threads in pages, and what has changed in it.
struct HistoryPages: Sendable {
    let account: ConnectedUser
    let progress: ReadProgress

    /// The most messages on one side of a time in an answer.
    static let limit = 200
    /// The most missing messages that are looked for one by one.
    static let lookups = 20

    // MARK: Pages

    /// One page; an empty one of a thread that the platform does not have before its first message.
    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        guard try await !isPending(thread) else { return HistoryPage(messages: [], hasPrevious: false, hasNext: false) }
        return try await page(of: thread, query)
    }

    /// One page of a thread that the platform has. Where all of its messages are removed, the next one with others: an
    /// empty page would say that there is nothing.
    func page(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        var (query, answer) = (query, try await self.answer(of: thread, query))
        let first = answer.page
        search: for _ in 0..<Self.lookups where answer.page.messages.isEmpty {
            switch (query, answer.edges) {
            case (.newest(let limit), let edges?) where answer.page.hasPrevious,
                (.before(_, let limit), let edges?) where answer.page.hasPrevious:
                query = .before(Timestamp(milliseconds: edges.lowerBound), limit: limit)
            case (.after(_, let limit), let edges?) where answer.page.hasNext:
                query = .after(Timestamp(milliseconds: edges.upperBound), limit: limit)
            default: break search
            }
            answer = try await self.answer(of: thread, query)
        }
        var page = answer.page
        let hasMore: Bool
        if case .after = query {
            (page.hasPrevious, hasMore) = (first.hasPrevious, page.hasNext)
        } else {
            (page.hasNext, hasMore) = (first.hasNext, page.hasPrevious)
        }
        guard !page.messages.isEmpty || !hasMore else {
            throw ChatError(.serverError, "The platform's history has too many removed messages in a row.")
        }
        return page
    }

    /// One answer of the platform, and from when to when it reaches; nil for an empty one. One message more than was
    /// asked for says that there are more.
    private func answer(
        of thread: String, _ query: HistoryQuery
    ) async throws(ChatError) -> (page: HistoryPage, edges: ClosedRange<Int64>?) {
        let place: (time: Int64, previous: Int, next: Int)
        switch query {
        case .newest(let limit): place = (NewestMessages.future(account), Self.beyond(limit), 0)
        case .before(let time, let limit): place = (time.milliseconds, Self.beyond(limit), 0)
        case .after(let time, let limit): place = (time.milliseconds, 0, Self.beyond(limit))
        case .around(let time, let limit): place = (time.milliseconds, Self.beyond(limit), Self.beyond(limit))
        }
        var found: RawPage
        if case .newest = query {
            progress.set(thread, for: account.number, isUnderWay: true)
            found = RawPage(try await newest(thread, place.previous))
        } else {
            found = RawPage(try await raw(thread, at: place.time, previous: place.previous, next: place.next))
        }
        var (hasPrevious, hasNext) = (false, false)
        if place.previous > 0 {
            let edge = found.cutOlder(than: place.time, beyond: place.previous - 1)
            hasPrevious = edge != nil
            if let edge, found.oldest ?? .max >= place.time {
                // All were of one time, and others of it may be missing.
                found.add(try await raw(thread, at: edge, previous: 0, next: 0))
            }
            if !hasPrevious {
                let older = try await older(thread, than: found.oldest ?? place.time)
                hasPrevious = !older.isEmpty
                if found.messages.isEmpty { found.add(older) }
            }
        } else {
            hasPrevious = true
        }
        if place.next > 0 {
            let edge = found.cutNewer(than: place.time, beyond: place.next - 1)
            hasNext = edge != nil
            if let edge, found.newest ?? .min <= place.time {
                found.add(try await raw(thread, at: edge, previous: 0, next: 0))
            }
            if !hasNext {
                let newer = try await newer(thread, than: found.newest ?? place.time)
                hasNext = !newer.isEmpty
                if found.messages.isEmpty { found.add(newer) }
            }
        } else if case .newest = query {
            hasNext = false
        } else {
            hasNext = true
        }
        if case .newest = query, let newest = found.newest {
            progress.read(thread, for: account.number, upTo: newest)
        }
        let reader = try await reader(of: thread)
        // What was reset is no history any more.
        if let line = reader.line, found.oldest ?? .max <= line.milliseconds { hasPrevious = false }
        let page = HistoryPage(
            messages: found.messages.compactMap { reader.read($0, in: thread) }, hasPrevious: hasPrevious,
            hasNext: hasNext)
        return (page, found.oldest.flatMap { oldest in found.newest.map { oldest...$0 } })
    }

    /// Whether the platform does not have the thread before its first message.
    private func isPending(_ thread: String) async throws(ChatError) -> Bool {
        try await account.store.read { [number = account.number] in
            try $0.thread(thread, of: number)?.thread.state == .pending
        }
    }

    /// Removed messages may have shortened an answer, so that it does not say that there are no more. Nor may they be
    /// listed: so many are asked for that others are among them.
    func older(_ thread: String, than time: Int64) async throws(ChatError) -> [SendbirdMessage] {
        let isFuture = time > account.store.environment.now().milliseconds
        let found =
            isFuture
            ? try await newest(thread, Self.limit) : try await raw(thread, at: time, previous: Self.limit, next: 0)
        return found.filter { $0.createdAt.value < time }
    }

    private func newer(_ thread: String, than time: Int64) async throws(ChatError) -> [SendbirdMessage] {
        try await raw(thread, at: time, previous: 0, next: Self.limit).filter { $0.createdAt.value > time }
    }

    private static func beyond(_ limit: Int) -> Int { max(1, min(limit, Self.limit - 1)) + 1 }

    /// What somebody waits for.
    private func raw(
        _ thread: String, at time: Int64, previous: Int, next: Int
    ) async throws(ChatError) -> [SendbirdMessage] {
        try await MessageReads(account: account).messages(of: thread, at: time, previous: previous, next: next, .page)
    }

    private func newest(_ thread: String, _ count: Int) async throws(ChatError) -> [SendbirdMessage] {
        try await NewestMessages(account: account).messages(of: thread, count, .page)
    }

    func reader(of thread: String) async throws(ChatError) -> MessageReader {
        var reader = await account.reader
        reader.line = try await account.store.read { [number = account.number] transaction in
            guard let record = try transaction.thread(thread, of: number) else { return nil }
            return record.members.first { $0.account == number }?.historyResetAt
        }
        return reader
    }

    // MARK: Changes

    /// Compares the newest messages with those that are here: the platform keeps no list of changes. Older ones stay as
    /// they are until their page is read.
    func changes(of thread: String, since position: ChangePosition) async throws(ChatError) -> MessageChanges {
        guard try await !isPending(thread) else {
            return MessageChanges(updated: [], removed: [], position: position, hasMore: false)
        }
        let since: Int64 = if case .time(let time) = position { time.milliseconds } else { 0 }
        let here = try await newestHere(in: thread)
        let newest = try await newest(thread, Self.limit)
        let reader = try await reader(of: thread)
        let changed = newest.filter { $0.changedAt >= since }
        let updated = changed.compactMap { reader.read($0, in: thread) }.ascending
        let removed = try await removed(from: here, since: newest, whole: newest.count < Self.limit, of: thread)
        guard let removed else { return .forgotten }
        let time = Timestamp(milliseconds: max(since, newest.map(\.changedAt).max() ?? 0))
        return MessageChanges(updated: updated, removed: removed, position: .time(time), hasMore: false)
    }

    /// A message that is here, by the platform's id.
    struct Known: Sendable {
        var id: String
        var createdAt: Int64
    }

    /// The newest messages that are here. They are read before the platform is asked: what comes after its answer is not
    /// missing there.
    func newestHere(in thread: String) async throws(ChatError) -> [Known] {
        try await account.store.read { [number = account.number] transaction in
            guard let record = try transaction.thread(thread, of: number) else { return [] }
            return try transaction.messages(
                in: record, around: .latest, previous: Self.limit, next: 0, simultaneous: 0, replies: .all
            ).map { message in
                Known(
                    id: try transaction.remoteID(message.message.id, in: record) ?? message.message.id,
                    createdAt: message.message.createdAt.milliseconds)
            }
        }
    }

    /// The platform's ids of the messages that were here, and are not among the newest there any more; nil for too many.
    ///
    /// - Parameters:
    ///   - here: the newest messages that were here before the platform was asked.
    ///   - newest: the newest messages there.
    ///   - whole: whether these are all.
    func removed(
        from here: [Known], since newest: [SendbirdMessage], whole: Bool, of thread: String
    ) async throws(ChatError) -> [String]? {
        var removed = newest.filter(\.isRemoved).map { String($0.id) }
        // Others of the oldest one's time may have had no room in the answer.
        var edge = whole ? nil : newest.map(\.createdAt.value).min()
        var missing = Self.missing(from: here, among: newest, after: edge)
        if whole, !missing.isEmpty {
            let oldest = newest.map(\.createdAt.value).min() ?? NewestMessages.future(account)
            let older = try await older(thread, than: oldest)
            edge = older.map(\.createdAt.value).min()
            if edge != nil { missing = Self.missing(from: here, among: newest + older, after: edge) }
        }
        guard missing.count <= Self.lookups else { return nil }
        for id in missing where try await isGone(id, from: thread) { removed.append(id) }
        return removed
    }

    private static func missing(
        from here: [Known], among listed: [SendbirdMessage], after edge: Int64?
    ) -> [String] {
        let listed = Set(listed.map { String($0.id) })
        return here.filter { $0.createdAt > edge ?? .min && !listed.contains($0.id) }.map(\.id)
    }

    /// Reads messages one by one; those that are not here are left out.
    func look(
        at ids: Set<Int64>, in thread: String
    ) async throws(ChatError) -> (changed: [SendbirdMessage], removed: [String]) {
        guard !ids.isEmpty else { return ([], []) }
        let here = try await account.store.read { [number = account.number] transaction -> [Int64] in
            guard let record = try transaction.thread(thread, of: number) else { return [] }
            return try ids.sorted().filter { try transaction.hasRemote(String($0), in: record) }
        }
        var (changed, removed): ([SendbirdMessage], [String]) = ([], [])
        for id in here {
            do throws(SendbirdFailure) {
                let message = try await account.client.ask(
                    .message(String(id), in: thread), .focus, as: SendbirdMessage.self)
                if message.isRemoved { removed.append(String(id)) } else { changed.append(message) }
            } catch {
                guard error.isNotFound else { throw ChatError(error, about: .message(String(id))) }
                removed.append(String(id))
            }
        }
        return (changed, removed)
    }

    /// Whether the platform says that it has no such message.
    func isGone(_ id: String, from thread: String) async throws(ChatError) -> Bool {
        do throws(SendbirdFailure) {
            return try await account.client.ask(.message(id, in: thread), .focus, as: SendbirdMessage.self).isRemoved
        } catch {
            if error.isNotFound { return true }
            throw ChatError(error, about: .message(id))
        }
    }

    // MARK: Own messages

    /// Looks for a message by the id that Parley has given it, among those that the user has sent since a time; nil:
    /// the platform does not have it there.
    ///
    /// - Parameter place: the time, in milliseconds. Where the error is `serverError`, there may be more messages than were
    ///   looked at: those up to this time were.
    func message(
        sentAs id: String, in thread: String, since place: inout Int64
    ) async throws(ChatError) -> RemoteMessage? {
        var reader = try await reader(of: thread)
        // It must be found also behind the line.
        reader.line = nil
        for _ in 0..<Self.lookups {
            let page = try await MessageReads(account: account).messages(
                of: thread, at: place, next: Self.limit, sender: account.user, .deed)
            // Also one that was removed since: it was sent, and must not be sent again.
            if var found = page.first(where: { reader.requestID(of: $0) == id }) {
                found.isRemoved = false
                return reader.read(found, in: thread)
            }
            guard let last = page.map(\.createdAt.value).max(), last > place else { return nil }
            place = last
        }
        throw ChatError(.serverError, "The platform has too many newer messages to look for one of them.")
    }
}

extension SendbirdMessage {
    /// When it, or what it tells of its replies, was changed last.
    fileprivate var changedAt: Int64 {
        max(createdAt.value, updatedAt.value, thread?.updatedAt.value ?? 0)
    }
}
