import ChatModel
import Formats
import Foundation
import LocalService
import TestSupport
import Testing

@testable import Chat
@testable import ChatStore

/// A history on a store of its own.
struct HistoryRun {
    struct Wrong: Error {
        var description: String
    }

    let room: CollectionRoom
    /// Another customer, who uses the same ids for threads.
    let stranger: ChatClient
    var followers: [Follower] = []
    var threads = ["t0"]
    /// Messages that were sent, by thread; some are removed since.
    var sent: [(thread: String, id: String)] = []
    var count = 0
    /// Messages that were read before, by their bytes.
    private var decoded: [[UInt8]: Message] = [:]

    init(room: CollectionRoom) async throws {
        self.room = room
        stranger = try await room.sessions.create(
            service: "local", channel: "multi", customer: CustomerDraft(id: "c2"), connect: true, receipt: nil)
    }

    static func failure(of history: [HistoryOperation]) async -> String? {
        do {
            try await CollectionRoom.run { room in
                var run = try await HistoryRun(room: room)
                try await run.begin()
                for (index, operation) in history.enumerated() {
                    do {
                        try await run.perform(operation)
                        try await run.check()
                    } catch {
                        throw Wrong(
                            description:
                                "after step \(index), \(operation): \((error as? Wrong)?.description ?? "\(error)")")
                    }
                }
                try await run.finish()
            }
            return nil
        } catch {
            return (error as? Wrong)?.description ?? "\(error)"
        }
    }

    private mutating func begin() async throws {
        try await room.thread("t0", name: "Zero")
        try await room.send("p", to: "t0")
        sent.append(("t0", "p"))
        for definition in definitions { followers.append(try await make(definition)) }
        for definition in deskDefinitions { followers.append(try await make(definition, .desk)) }
    }

    private var definitions: [CollectionDefinition] {
        let past = TestEnvironment.start.advanced(byMilliseconds: 3000)
        func messages(
            _ filter: MessageFilter = MessageFilter(), _ viewpoint: Timestamp? = nil, capacity: Int = 14
        ) -> CollectionDefinition {
            CollectionDefinition(.messages(thread: "t0", filter, viewpoint: viewpoint), limit: 4, capacity: capacity)
        }
        return [
            messages(), messages(capacity: 1000), messages(MessageFilter(), past),
            messages(MessageFilter(senderIDs: ["a1"]), past),
            messages(MessageFilter(customTypes: ["odd"])), messages(MessageFilter(parentID: "p")),
            messages(MessageFilter(parentID: "p"), past, capacity: 6),
            CollectionDefinition(.threads(ThreadQuery()), limit: 3, capacity: 1000),
            CollectionDefinition(.threads(ThreadQuery(state: .open, includesEmpty: false)), limit: 2, capacity: 5),
            CollectionDefinition(.threads(ThreadQuery(order: .nameAlphabetical)), limit: 3, capacity: 8),
            CollectionDefinition(
                .threads(ThreadQuery(order: .chronological, unreadOnly: true)), limit: 3, capacity: 1000),
            CollectionDefinition(.threads(ThreadQuery(nameContains: "NAME 1")), limit: 2, capacity: 1000),
        ]
    }

    private var deskDefinitions: [CollectionDefinition] {
        func messages(_ filter: MessageFilter = MessageFilter(), capacity: Int = 14) -> CollectionDefinition {
            CollectionDefinition(
                .messages(thread: "t0", filter, viewpoint: nil), limit: 4, capacity: capacity,
                owner: ThreadOwner(channel: "multi", customer: "c1"))
        }
        return [
            messages(), messages(MessageFilter(parentID: "p"), capacity: 1000),
            CollectionDefinition(.threads(ThreadQuery()), limit: 3, capacity: 1000),
            CollectionDefinition(.threads(ThreadQuery(state: .open, channel: "multi")), limit: 2, capacity: 5),
            CollectionDefinition(.threads(ThreadQuery(state: .closed)), limit: 1, capacity: 1000),
        ]
    }

    private func make(_ definition: CollectionDefinition, _ owner: CollectionOwner? = nil) async throws -> Follower {
        let thread = definition.owner.map { DeskThread(id: "t0", channel: $0.channel, customer: $0.customer) }
        return try await room.make(definition, owner: owner, thread: thread)
    }

    /// One of the message collections.
    private func messages(_ number: Int) -> Follower {
        let all = followers.filter { $0.collection.thread != nil }
        return all[number % all.count]
    }

    // MARK: Steps

    private mutating func perform(_ step: HistoryOperation) async throws {
        room.environment.advance(milliseconds: step.milliseconds)
        // Most of what happens happens in the thread that is looked at.
        let thread = step.second % 3 == 0 ? threads[step.first % threads.count] : "t0"
        let known = sent[step.first % sent.count]
        switch step.kind {
        case .send, .reply, .replyAside, .answer: try await write(step.kind, to: thread, step.first)
        case .edit:
            try await refusable {
                _ = try await room.client.edit(known.id, in: known.thread, text: "edit \(step.second)", ifMatch: nil)
            }
        case .remove: try await refusable { try await room.client.remove(known.id, in: known.thread, ifMatch: nil) }
        case .markRead:
            try await refusable { _ = try await room.client.ask { try await $0.markRead(thread, receipt: nil) } }
        case .deskRead:
            try await refusable {
                _ = try await room.desk.markRead(DeskThread(id: thread, customer: "c1"), receipt: nil)
            }
        case .rename:
            try await refusable {
                _ = try await room.client.ask {
                    try await $0.rename(thread, to: "Name \(step.second % 20)", ifMatch: nil)
                }
            }
        case .archive:
            guard thread != "t0" else { return }
            try await refusable { _ = try await room.client.ask { try await $0.archive(thread, receipt: nil) } }
        case .hide:
            try await refusable {
                _ = try await room.client.ask { try await $0.setHidden(step.first % 3 > 0, thread, receipt: nil) }
            }
        case .resetHistory:
            try await refusable {
                if step.first % 2 == 0 {
                    _ = try await room.client.ask { try await $0.resetHistory(thread, receipt: nil) }
                } else {
                    _ = try await room.desk.resetHistory(DeskThread(id: thread, customer: "c1"), receipt: nil)
                }
            }
        case .strangerWrites:
            let id = threads[step.first % threads.count]
            count += 1
            let draft = MessageDraft(id: "m\(count)", text: "of a stranger")
            try await refusable { _ = try await stranger.createThread(ThreadDraft(id: id), receipt: nil) }
            try await refusable { _ = try await stranger.send(draft, to: id, receipt: nil) }
        case .deskClose:
            let owner = step.first % 2 == 0 ? "c1" : "c2"
            guard thread != "t0" else { return }
            try await refusable { _ = try await room.desk.close(DeskThread(id: thread, customer: owner), receipt: nil) }
        case .createThread:
            let id = "t\(threads.count)"
            _ = try await room.client.createThread(
                ThreadDraft(id: id, name: step.second % 4 == 0 ? nil : "name \(step.first % 20)"), receipt: nil)
            threads.append(id)
        case .fetch:
            try await fetch(step.first % followers.count, step.second % 2 == 0 ? .previous : .next)
        case .fetchBoth:
            let follower = messages(step.first)
            async let one = room.fetch(follower, .previous)
            async let two = room.fetch(follower, .next)
            _ = try await (one, two)
        case .fetchWhileSending:
            let follower = followers[step.first % followers.count]
            let direction: FetchDirection =
                follower.collection.definition.thread == nil || step.second % 2 == 0 ? .next : .previous
            async let fetched = room.fetch(follower, direction)
            try await write(step.second % 4 < 2 ? .answer : .reply, to: "t0", step.first)
            _ = try await fetched
        case .viewpoint:
            let viewpoint =
                step.second % 3 == 0 ? nil : TestEnvironment.start.advanced(byMilliseconds: Int64(step.first) * 50)
            try await room.collections.resetViewpoint(
                messages(step.first).collection.id, of: messages(step.first).collection.owner, to: viewpoint)
        case .renew:
            // A refresh: the collection is removed, and made anew.
            let index = step.first % followers.count
            let old = followers[index].collection
            let definition = old.definition
            try await room.collections.remove(old.id, of: old.owner)
            do {
                followers[index] = try await make(definition, old.owner)
            } catch let error as ChatError where error.code == .unknownMessage {
                // The parent was removed, and had no replies.
                followers[index] = try await make(definitions[0])
            }
        case .settle: await room.collections.settle()
        case .clear: room.collections.clear(account: room.client.account)
        }
    }

    private mutating func write(_ kind: HistoryOperation.Kind, to thread: String, _ number: Int) async throws {
        count += 1
        let id = "m\(count)"
        var draft = MessageDraft(id: id, text: "text \(count)", customType: number % 2 == 0 ? nil : "odd")
        if kind == .reply || kind == .replyAside { (draft.parentID, draft.alsoInThread) = ("p", kind == .reply) }
        let target = draft.parentID == nil ? thread : "t0"
        try await refusable {
            if kind == .answer {
                _ = try await room.desk.send(
                    draft, as: CollectionRoom.agent, to: DeskThread(id: target, customer: "c1"), receipt: nil)
            } else {
                _ = try await room.client.send(draft, to: target, receipt: nil)
            }
        }
        sent.append((target, id))
    }

    /// What is refused changes nothing, and is no failure of collections.
    private func refusable(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as ChatError where error.code != .storageFailed {
        }
    }

    /// A fetch brings as many rows as are there, up to the limit.
    private mutating func fetch(_ index: Int, _ direction: FetchDirection) async throws {
        let collection = followers[index].collection
        if collection.definition.thread == nil, direction == .previous { return }
        try await room.fetch(followers[index], direction)
    }

    // MARK: Checks

    private mutating func check() async throws {
        await room.collections.settle()
        let truth = try truth()
        for index in followers.indices {
            do {
                try followers[index].catchUp()
                try compare(followers[index], truth.rows(followers[index].collection))
            } catch {
                throw Wrong(description: "collection \(index): \((error as? Wrong)?.description ?? "\(error)")")
            }
        }
    }

    private func compare(_ follower: Follower, _ all: [Follower.Item]) throws {
        let snapshot = Snapshot(follower.collection)
        guard snapshot.version == follower.version, snapshot.items == follower.items else {
            throw Wrong(description: "the follower has \(follower.ids), the collection \(snapshot.items.map(\.id))")
        }
        let items = follower.items
        guard Set(items.map(\.id)).count == items.count else {
            throw Wrong(description: "an id is there twice: \(follower.ids)")
        }
        guard items.count <= follower.collection.definition.capacity else {
            throw Wrong(description: "\(items.count) rows")
        }
        guard snapshot.isOpen else {
            if !items.isEmpty { throw Wrong(description: "rows before the first fetch") }
            return
        }
        let isThreads = follower.collection.definition.thread == nil
        // A stretch of the rows, without holes.
        let start: Int
        if isThreads {
            start = 0
        } else if let first = items.first {
            guard let index = all.firstIndex(where: { $0.id == first.id }) else {
                throw Wrong(description: "\(first.id) is no row")
            }
            start = index
        } else {
            start = snapshot.hasNext ? 0 : all.count
        }
        guard start + items.count <= all.count, Array(all[start..<start + items.count]) == items else {
            throw Wrong(description: "\(items.map(\.id)) is no stretch of \(all.map(\.id)), or differs in content")
        }
        if !isThreads, !snapshot.hasPrevious, start != 0, !items.isEmpty {
            throw Wrong(description: "no previous, but \(all.prefix(start).map(\.id))")
        }
        if !snapshot.hasNext, start + items.count != all.count {
            throw Wrong(description: "no next, but \(all.suffix(all.count - start - items.count).map(\.id))")
        }
        if let parent = follower.collection.definition.kind.parentID { try compareParent(parent, follower, snapshot) }
    }

    private func compareParent(_ id: String, _ follower: Follower, _ snapshot: Snapshot) throws {
        let (audience, owner) = (follower.collection.audience, follower.collection.threadOwner)
        let row = try room.store.readBlocking { transaction in
            try transaction.thread("t0", of: audience, owner: owner).flatMap { try transaction.message(id, in: $0) }?
                .message.canonicalJSON
        }
        guard snapshot.parent == row.map({ Follower.Item(id: id, $0) }) else {
            throw Wrong(description: "the parent is not \(row.map { String(decoding: $0, as: UTF8.self) } ?? "gone")")
        }
    }

    /// All rows of the thread that is looked at and all threads, as they are now.
    private struct Truth {
        var messages: [(message: Message, item: Follower.Item)] = []
        var threads: [(thread: ChatThread, isEmpty: Bool, unreadCount: Int64, item: Follower.Item)] = []

        /// The same as the desk sees it: also what the customer has hidden or reset.
        var deskMessages: [(message: Message, item: Follower.Item)] = []
        var deskThreads: [(thread: ChatThread, owner: ThreadOwner, item: Follower.Item)] = []

        /// What a collection may show, filtered and sorted here.
        func rows(_ collection: LiveCollection) -> [Follower.Item] {
            let definition = collection.definition
            let messages = collection.owner == .desk ? deskMessages : messages
            if collection.owner == .desk, case .threads(let query) = definition.kind { return deskRows(query) }
            switch definition.kind {
            case .messages(_, let filter, _):
                return messages.filter { message, _ in
                    let isThere =
                        filter.parentID == nil
                        ? message.parentID == nil || message.alsoInThread == true : message.parentID == filter.parentID
                    return isThere && filter.customTypes?.contains(message.customType ?? "") != false
                        && filter.senderIDs?.contains(message.author.id) != false
                }.map(\.item)
            case .threads(let query):
                return threads.filter { thread, isEmpty, unreadCount, _ in
                    if query.state == .open, thread.state == .closed { return false }
                    if !query.includesEmpty, isEmpty { return false }
                    if query.unreadOnly, unreadCount == 0 { return false }
                    if let part = query.nameContains, thread.name?.lowercased().contains(part) != true { return false }
                    return true
                }.sorted { left, right in
                    let (left, right) = (left.thread, right.thread)
                    switch query.order {
                    case .latestLastMessage where left.lastActivityAt != right.lastActivityAt:
                        return left.lastActivityAt > right.lastActivityAt
                    case .chronological where left.createdAt != right.createdAt: return left.createdAt > right.createdAt
                    case .nameAlphabetical where left.name?.lowercased() != right.name?.lowercased():
                        return (left.name?.lowercased() ?? "\u{10FFFF}") < (right.name?.lowercased() ?? "\u{10FFFF}")
                    default: return left.id < right.id
                    }
                }.map(\.item)
            }
        }

        private func deskRows(_ query: ThreadQuery) -> [Follower.Item] {
            deskThreads.filter { thread, owner, _ in
                (query.state == .all || (query.state == .closed) == (thread.state == .closed))
                    && query.channel.map { $0 == owner.channel } != false
            }.sorted { left, right in
                let (one, other) = (left.thread.lastActivityAt, right.thread.lastActivityAt)
                if one != other { return one > other }
                return (left.thread.id, left.owner.channel, left.owner.customer) < (
                    right.thread.id, right.owner.channel, right.owner.customer
                )
            }.map(\.item)
        }
    }

    private mutating func truth() throws -> Truth {
        let all = PageRequest(limit: 100_000, cursor: nil)
        let (messages, line, threads, deskThreads) = try room.store.readBlocking { transaction in
            let record = try transaction.thread("t0", of: room.client.account)
            let messages = try transaction.db.all(
                "/* all */ SELECT json FROM message WHERE thread = ? AND createdAt > ? ORDER BY createdAt, number",
                [.integer(record?.number ?? 0), .integer(record?.thread.historyResetAt?.milliseconds ?? -1)]
            ) { $0.blob(0) }
            return (
                messages, record?.historyBoundary ?? -1, try transaction.threadPage(of: room.client.account, .all, all),
                try transaction.deskThreadPage(ThreadQuery(state: .all, channel: nil), all)
            )
        }
        var truth = Truth()
        for bytes in messages {
            let message = try decoded[bytes] ?? Message(canonicalJSON: bytes)
            decoded[bytes] = message
            truth.deskMessages.append((message, Follower.Item(id: message.id, bytes)))
        }
        truth.messages = truth.deskMessages.filter { $0.message.createdAt.milliseconds > line }
        for value in try JSONParser.parse(deskThreads.body + Array("}".utf8))["items"]?.array ?? [] {
            let owner = ThreadOwner(
                channel: value["channel"]?.string ?? "", customer: value[path: "customer", "id"]?.string ?? "")
            let thread = try ChatThread(json: value)
            let bytes = try blocking { [desk = room.desk] in
                try await desk.thread(DeskThread(id: thread.id, channel: owner.channel, customer: owner.customer)).body
            }
            truth.deskThreads.append((thread, owner, Follower.Item(id: thread.id, owner: owner, bytes)))
        }
        for value in try JSONParser.parse(threads.body + Array("}".utf8))["items"]?.array ?? [] {
            let thread = try ChatThread(json: value)
            // No query here asks for hidden threads.
            if value["hidden"] == .bool(true) { continue }
            guard let record = try room.store.readBlocking({ try $0.thread(thread.id, of: room.client.account) }) else {
                continue
            }
            let item = Follower.Item(id: thread.id, record.json(for: room.client.account))
            // The order goes by what happened in the thread, also before the account's own line.
            truth.threads.append((record.thread, thread.lastMessage == nil, value["unreadCount"]?.integer ?? 0, item))
        }
        return truth
    }

    /// Fetching both ways to the end shows everything, each row once.
    private mutating func finish() async throws {
        let truth = try truth()
        for index in followers.indices {
            let definition = followers[index].collection.definition
            let all = truth.rows(followers[index].collection).map(\.id)
            let isThreads = definition.thread == nil
            var seen: Set<String> = []
            for direction: FetchDirection in isThreads ? [.next] : [.previous, .next] {
                var rounds = 0
                while try await room.fetch(followers[index], direction) {
                    try followers[index].catchUp()
                    seen.formUnion(followers[index].ids)
                    rounds += 1
                    guard rounds <= all.count + 1 else {
                        throw Wrong(description: "collection \(index): fetching \(direction) does not end")
                    }
                }
                try followers[index].catchUp()
                seen.formUnion(followers[index].ids)
            }
            let expected = isThreads ? Set(all.prefix(definition.capacity)) : Set(all)
            guard seen == expected else {
                throw Wrong(description: "collection \(index): of \(all) in the end were seen \(seen.sorted())")
            }
        }
        try await check()
    }
}

extension CollectionDefinition.Kind {
    fileprivate var parentID: String? {
        if case .messages(_, let filter, _) = self { filter.parentID } else { nil }
    }
}
