import ChatModel
import Formats
import Foundation
import TestSupport
import Testing
import WireSupport

@testable import Chat
@testable import ChatStore

/// The invariant of collections by random histories, with the rows a cache of a platform behind CXone's protocol: who
/// follows the events has what the collection has, and that is a stretch of the rows; in the end all of the far side is
/// here, once.
@Suite(.serialized) struct WireHistoryTests {
    private static var stepCount: Int { ProcessInfo.processInfo.environment["PARLEY_STEPS"].flatMap(Int.init) ?? 600 }
    /// Only these: a failure that depends on who runs first may need one several times.
    private static var seeds: [UInt64]? {
        ProcessInfo.processInfo.environment["PARLEY_SEEDS"]?.split(separator: ",").compactMap { UInt64($0) }
    }

    @Test func whoFollowsTheEventsHasWhatThePlatformHas() async throws {
        let length = 60
        for seed in Self.seeds ?? Array(1...UInt64(max(1, Self.stepCount / length))) {
            let history = WireOperation.history(seed: seed, length: length)
            // Every other one over real sockets: memory alone is quicker.
            let overSockets = seed % 2 == 0
            guard let failure = await WireRun.failure(of: history, overSockets) else { continue }
            let (shortest, reason) = await shrink(history, failure) { await WireRun.failure(of: $0, overSockets) }
            let lines = shortest.map { "  \($0)" }.joined(separator: "\n")
            Issue.record("seed \(seed) fails: \(failure)\nshrunken: \(reason)\nby the history\n\(lines)")
            return
        }
    }
}

/// One step of a random history. Its numbers choose among what is there when it comes, so that any part of a history is
/// one.
struct WireOperation: Sendable, CustomStringConvertible {
    enum Kind: String, CaseIterable, Sendable {
        case send, answer, burst, markRead, deskRead, rename, archive, createThread, deskClose
        case fetch, fetchBoth, fetchWhileSending, viewpoint, renew, clear
        case drop, hold, release, disconnect, connect, wait
    }

    var kind: Kind
    var number: Int
    var first: Int
    var second: Int
    var milliseconds: Int64

    var description: String { "\(number): \(kind) \(first) \(second) +\(milliseconds)" }

    static func history(seed: UInt64, length: Int) -> [WireOperation] {
        var generator = SeededGenerator(seed: seed &* 77)
        let weights: [(Kind, Int)] = [
            (.send, 14), (.answer, 14), (.burst, 2), (.markRead, 3), (.deskRead, 3), (.rename, 3), (.archive, 1),
            (.createThread, 4),
            (.deskClose, 1), (.fetch, 16), (.fetchBoth, 5), (.fetchWhileSending, 6), (.viewpoint, 3), (.renew, 2),
            (.clear, 1),
            (.drop, 4), (.hold, 3), (.release, 5), (.disconnect, 2), (.connect, 6), (.wait, 6),
        ]
        let bag = weights.flatMap { Array(repeating: $0.0, count: $0.1) }
        return (0..<length).map { number in
            WireOperation(
                kind: bag.randomElement(using: &generator) ?? .send, number: number,
                first: Int.random(in: 0..<1000, using: &generator),
                second: Int.random(in: 0..<1000, using: &generator),
                milliseconds: [0, 1, 5, 1000].randomElement(using: &generator) ?? 0)
        }
    }
}

/// A history on two gateways of its own.
private struct WireRun {
    struct Wrong: Error, CustomStringConvertible {
        var description: String
    }

    static let agent = Agent(id: "a1", name: "Bob Bell")

    let world: WireWorld
    let client: ChatClient
    var followers: [Follower] = []
    var threads = ["t0"]
    var hadBurst = false
    /// What a client asked for and has no answer yet.
    let asked = Journal<Int>()
    let answered = Journal<Int>()

    static func failure(of history: [WireOperation], _ overSockets: Bool) async -> String? {
        do {
            try await WireWorld.run(overSockets: overSockets) { world in
                var run = WireRun(world: world, client: try await world.session(policy: .automatic(attempts: 50)))
                try await run.begin()
                for operation in history {
                    do {
                        try await run.perform(operation)
                        try await run.check()
                    } catch {
                        throw Wrong(description: "after step \(operation): \(error)")
                    }
                }
                try await run.finish()
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    private mutating func begin() async throws {
        _ = try await client.createThread(ThreadDraft(id: "t0", name: "Zero"), receipt: nil)
        _ = try await client.send(MessageDraft(id: "p", text: "p"), to: "t0", receipt: nil)
        await world.settle()
        for definition in definitions { followers.append(try await make(definition)) }
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
            messages(MessageFilter(senderIDs: ["c1"]), past),
            CollectionDefinition(.threads(ThreadQuery()), limit: 3, capacity: 1000),
            CollectionDefinition(.threads(ThreadQuery(state: .open, includesEmpty: false)), limit: 2, capacity: 5),
            CollectionDefinition(.threads(ThreadQuery(order: .nameAlphabetical)), limit: 3, capacity: 8),
        ]
    }

    private var collections: Collections { world.sessions.collections }

    private func make(_ definition: CollectionDefinition) async throws -> Follower {
        let outcome = try await collections.create(definition, owner: client.collectionOwner, receipt: nil)
        return Follower(try collections.collection(outcome.id, of: client.collectionOwner))
    }

    private func messages(_ number: Int) -> Follower {
        let all = followers.filter { $0.collection.thread != nil }
        return all[number % all.count]
    }

    // MARK: Steps

    private mutating func perform(_ step: WireOperation) async throws {
        world.environment.advance(milliseconds: step.milliseconds)
        let thread = step.second % 3 == 0 ? threads[step.first % threads.count] : "t0"
        let name = "m\(step.number)"
        let client = client, world = world
        switch step.kind {
        case .send:
            await ask {
                _ = try await client.send(MessageDraft(id: name, text: "text \(name)"), to: thread, receipt: nil)
            }
        case .answer: try await answer(name, in: thread)
        case .burst:
            // More than a page of the platform, while nobody may be there to hear it. Once: of more than 100 unread
            // messages the store tells by a watermark that they were read, beside their rows.
            guard !hadBurst else { break }
            hadBurst = true
            for index in 0..<25 + step.second % 40 {
                if index % 3 == 0 { world.environment.advance(milliseconds: 1) }
                try await answer("\(name)-\(index)", in: "t0")
            }
        case .markRead: await ask { _ = try await client.ask { try await $0.markRead(thread, receipt: nil) } }
        case .deskRead: try await refusable { _ = try await world.desk.markRead(DeskThread(id: thread), receipt: nil) }
        case .rename:
            await ask {
                _ = try await client.ask { try await $0.rename(thread, to: "Name \(step.second % 20)", ifMatch: nil) }
            }
        case .archive:
            if thread != "t0" { await ask { _ = try await client.ask { try await $0.archive(thread, receipt: nil) } } }
        case .deskClose:
            if thread != "t0" {
                try await refusable { _ = try await world.desk.close(DeskThread(id: thread), receipt: nil) }
            }
        case .createThread:
            let id = "t\(step.number + 1)"
            await ask {
                let name = step.second % 4 == 0 ? nil : "name \(step.first % 20)"
                _ = try await client.createThread(ThreadDraft(id: id, name: name), receipt: nil)
            }
            threads.append(id)
        case .fetch: await fetch(followers[step.first % followers.count], step.second % 2 == 0 ? .previous : .next)
        case .fetchBoth:
            let follower = messages(step.first)
            await fetch(follower, .previous)
            await fetch(follower, .next)
        case .fetchWhileSending:
            let follower = followers[step.first % followers.count]
            async let fetched: Void = fetch(follower, step.second % 2 == 0 ? .next : .previous)
            try await answer(name, in: "t0")
            await fetched
        case .viewpoint:
            let viewpoint =
                step.second % 3 == 0 ? nil : TestEnvironment.start.advanced(byMilliseconds: Int64(step.first) * 50)
            let collection = messages(step.first).collection
            try await collections.resetViewpoint(collection.id, of: collection.owner, to: viewpoint)
        case .renew:
            let index = step.first % followers.count
            let old = followers[index].collection
            do {
                let new = try await make(old.definition)
                try await collections.remove(old.id, of: old.owner)
                followers[index] = new
            } catch let error as ChatError where error.code == .unknownThread {
                // The cache was cleared, and the platform's answer is on its way.
            }
        case .clear: await ask { try await client.clearCache() }
        case .drop: world.wire.drop()
        case .hold: world.wire.hold(true)
        case .release: world.wire.hold(false)
        case .disconnect: await ask { try await client.disconnect() }
        case .connect: await connect()
        case .wait: world.pass(.seconds(31))
        }
        await world.settle()
    }

    private func connect() async {
        let client = client
        if client.state == .prepared { await ask { try await client.connect() } }
    }

    /// Asks, and does not wait for the answer: it may come only when time has passed.
    private func ask(_ work: @escaping @Sendable () async throws -> Void) async {
        let number = asked.entries.count
        asked.add(number)
        let answered = answered
        // It goes as far as it can before the next step.
        Task.immediate {
            try? await work()
            answered.add(number)
        }
    }

    private func fetch(_ follower: Follower, _ direction: FetchDirection) async {
        let collection = follower.collection, collections = collections
        if collection.definition.thread == nil, direction == .previous { return }
        await ask { _ = try await collections.fetch(collection.id, of: collection.owner, direction) }
    }

    private func answer(_ id: String, in thread: String) async throws {
        try await refusable {
            let draft = MessageDraft(id: id, text: "text \(id)")
            _ = try await world.desk.send(draft, as: Self.agent, to: DeskThread(id: thread), receipt: nil)
        }
    }

    /// What is refused changes nothing.
    private func refusable(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as ChatError where error.code != .storageFailed {
        }
    }

    // MARK: Checks

    /// What is compared is read one after the other, while the background may still write: what is wrong stays wrong.
    private mutating func check(isEnd: Bool = false) async throws {
        var failure: (any Error)?
        for _ in 0..<200 {
            await collections.settle()
            do {
                try compareAll(isEnd)
                return
            } catch {
                failure = error
                // What the background has asked of the store until now is done.
                try await world.store.write { _ in }
            }
        }
        if let failure { throw failure }
    }

    private mutating func compareAll(_ isEnd: Bool) throws {
        for index in followers.indices {
            try followers[index].catchUp()
            do {
                try compare(followers[index], isEnd)
            } catch {
                throw Wrong(description: "collection \(index): \(error)")
            }
        }
    }

    private func compare(_ follower: Follower, _ isEnd: Bool) throws {
        let snapshot = Snapshot(follower.collection)
        guard snapshot.version == follower.version, snapshot.items == follower.items else {
            throw Wrong(description: "the follower has \(follower.ids), the collection \(snapshot.items.map(\.id))")
        }
        let items = follower.items
        guard Set(items.map(\.id)).count == items.count else {
            throw Wrong(description: "an id is there twice: \(follower.ids)")
        }
        guard let filter = follower.collection.definition.filter else { return }
        let all = try rows(filter)
        guard let first = items.first else { return }
        guard let start = all.firstIndex(of: first) else { throw Wrong(description: "\(first) is no row of \(all)") }
        guard start + items.count <= all.count, Array(all[start..<start + items.count]) == items else {
            throw Wrong(description: "\(items.map(\.id)) is no stretch of \(all.map(\.id)), or differs in content")
        }
        guard isEnd else { return }
        if !snapshot.hasPrevious, start != 0 {
            throw Wrong(description: "no previous, but \(all.prefix(start).map(\.id))")
        }
        if !snapshot.hasNext, start + items.count != all.count {
            throw Wrong(description: "no next, but \(all.suffix(all.count - start - items.count).map(\.id))")
        }
    }

    private func rows(_ filter: MessageFilter) throws -> [Follower.Item] {
        let account = client.account
        let rows = try world.store.readBlocking { transaction in
            let record = try transaction.thread("t0", of: account)
            return try transaction.db.all(
                "/* all */ SELECT json FROM message WHERE thread = ? ORDER BY createdAt, number",
                [.integer(record?.number ?? 0)]
            ) { $0.blob(0) }
        }
        return try rows.compactMap { bytes in
            let message = try Message(canonicalJSON: bytes)
            guard filter.senderIDs?.contains(message.author.id) != false else { return nil }
            return Follower.Item(id: message.id, bytes)
        }
    }

    /// The network is well again: in the end everything is there, once, and nobody waits any more.
    private mutating func finish() async throws {
        world.wire.hold(false)
        world.wire.drop()
        let account = world.sessions.remote.account(client.account)
        var differences: [String] = []
        // On a busy machine time passes before what waits has run, and much is tried again.
        for _ in 0..<400 {
            world.pass(.seconds(31))
            await world.settle()
            await connect()
            await world.settle()
            guard client.state == .ready else { continue }
            await account.synchronizer.idle()
            await world.settle()
            let (near, far) = (
                try world.nearConversation(of: client), try world.farConversation(of: client, on: "multi")
            )
            differences = near.lasting.differences(from: far.lasting)
            let outgoing = try await world.store.read { [number = client.account] in try $0.outgoingMessages(of: number)
            }
            if differences.isEmpty, outgoing.isEmpty, answered.entries.count == asked.entries.count { break }
            if !outgoing.isEmpty { differences.append("not sent: \(outgoing.map(\.message.id))") }
        }
        guard differences.isEmpty else {
            throw Wrong(description: "in the end: \(differences.joined(separator: "\n"))")
        }
        guard answered.entries.count == asked.entries.count else {
            throw Wrong(description: "no answer came to \(Set(asked.entries).subtracting(answered.entries).sorted())")
        }
        try await check()
        for index in followers.indices { try await fetchAll(index) }
        try await check(isEnd: true)
    }

    /// Fetches, and says whether there is more. Where that takes time, time passes: a connection may have been lost
    /// just now, and a fetch that gets nowhere is answered after a pause.
    private func fetched(_ collection: LiveCollection, _ direction: FetchDirection) async throws -> Bool {
        let collections = collections
        let answers = Journal<Int>()
        let fetch = Task {
            defer { answers.add(1) }
            return try await collections.fetch(collection.id, of: collection.owner, direction)
        }
        while answers.entries.isEmpty {
            await world.settle()
            if answers.entries.isEmpty { world.pass(.seconds(1)) }
        }
        return try await fetch.value.hasMore
    }

    /// Fetching both ways to the end shows everything, each row once.
    private mutating func fetchAll(_ index: Int) async throws {
        guard let filter = followers[index].collection.definition.filter else { return }
        var seen: Set<String> = []
        var all: [String] = []
        repeat {
            all = try rows(filter).map(\.id)
            for direction in [FetchDirection.previous, .next] {
                seen.formUnion(try await fetchToTheEnd(index, direction, rowCount: all.count))
            }
            // What was written meanwhile is looked for as well.
        } while try rows(filter).map(\.id) != all
        guard seen == Set(all) else {
            throw Wrong(description: "collection \(index): of \(all) in the end were seen \(seen.sorted())")
        }
    }

    /// Returns the ids that the follower has had on the way.
    private mutating func fetchToTheEnd(
        _ index: Int, _ direction: FetchDirection, rowCount: Int
    ) async throws -> Set<String> {
        let collection = followers[index].collection
        var seen: Set<String> = []
        var rounds = 0
        while try await fetched(collection, direction) {
            await collections.settle()
            try followers[index].catchUp()
            seen.formUnion(followers[index].ids)
            rounds += 1
            guard rounds <= rowCount + 40 else {
                throw Wrong(description: "collection \(index): fetching \(direction) does not end")
            }
        }
        await collections.settle()
        try followers[index].catchUp()
        return seen.union(followers[index].ids)
    }
}

extension CollectionDefinition {
    fileprivate var filter: MessageFilter? {
        if case .messages(_, let filter, _) = kind { filter } else { nil }
    }
}
