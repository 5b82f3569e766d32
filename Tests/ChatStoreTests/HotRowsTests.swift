import ChatModel
import TestSupport
import Testing

@testable import ChatStore

/// What the writer keeps of rows, so that it need not read them again. In debug builds the store itself compares what
/// is kept with the rows, in all tests.
@Suite struct HotRowsTests {
    private static func run(_ body: (ChatStore, Room) async throws -> Void) async throws {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            try await body(store, try await Room.make(in: store))
            await store.close()
        }
    }

    /// A unit that is undone has kept nothing of its changes.
    @Test func whatAUnitSavedIsForgottenWhenItIsUndone() async throws {
        try await Self.run { _, room in
            try await room.send("m1")
            let refused = ChatError(.invalidParameter, "no")
            await #expect(throws: refused) {
                try await room.unit { transaction, record in
                    record.thread.name = "undone"
                    _ = try Room.send("m2", to: &record, in: transaction)
                    throw refused
                }
            }
            let name = try await room.unit { _, record in record.thread.name }
            #expect(name == nil)
            try await room.send("m2")
        }
    }

    @Test func aRemovedMessageStaysRemoved() async throws {
        try await Self.run { _, room in
            try await room.send("m1")
            try await room.send("m2")
            try await room.remove("m1")
            await #expect { try await room.send("m1") } throws: { ($0 as? ChatError)?.code == .messageIdConflict }
        }
    }

    /// The unit has read the thread before it changes the customer, and saves it afterwards.
    @Test func aCustomerWhoChangesInAUnitOfTheThreadIsKeptAsChanged() async throws {
        try await Self.run { store, room in
            try await room.send("m1")
            try await room.unit { transaction, record in
                var account = try transaction.account(room.account.number)
                account.customer.firstName = "Ada"
                try transaction.save(account)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            let owner = try await room.unit { _, record in record.owner.customer.firstName }
            #expect(owner == "Ada")
            try await room.send("m2")
        }
    }

    @Test func aNewNameOfTheCustomerIsInTheNextEvent() async throws {
        try await Self.run { store, room in
            try await room.send("m1")
            try await store.write { transaction in
                var account = try transaction.account(room.account.number)
                account.customer.firstName = "Ada"
                try transaction.save(account)
            }
            try await room.send("m2")
            let record = try room.record()
            #expect(record.thread.members.map(\.firstName) == ["Ada"])
            let events = try await store.replay([.desk], after: 0, limit: 1 << 20).events
            let last = try #require(events.last)
            #expect(String(decoding: last.data(for: .desk), as: UTF8.self).contains("\"firstName\":\"Ada\""))
        }
    }

    /// A channel that changes is read anew, and one whose change is undone is as before.
    @Test func aKeptChannelFollowsItsRow() async throws {
        try await Self.run { store, _ in
            var channel = Channel(id: "shop", name: "Shop", mode: .multithread, capabilities: [])
            for name in ["Shop", "Store"] {
                channel.name = name
                try await store.write { [channel] in try $0.save(channel, of: "local") }
                #expect(try await self.name(in: store) == name)
            }
            let refused = ChatError(.invalidParameter, "no")
            channel.name = "undone"
            await #expect(throws: refused) {
                try await store.write { [channel] transaction in
                    try transaction.save(channel, of: "local")
                    _ = try transaction.channel("shop", of: "local")
                    throw refused
                }
            }
            #expect(try await self.name(in: store) == "Store")
        }
    }

    /// What the writer finds.
    private func name(in store: ChatStore) async throws -> String? {
        try await store.write { try $0.channel("shop", of: "local")?.name }
    }

    /// However many threads are busy.
    @Test func theMemoryIsBounded() async throws {
        try await Self.run { _, room in
            let owner = try room.record().owner
            let hot = HotRows(capacity: 4 << 20)
            for number in 1...5000 {
                var thread = ChatThread(id: "t\(number)", createdAt: .earliest, members: [owner.customer])
                thread.name = String(repeating: "n", count: 100)
                var record = ThreadRecord(number: Int64(number), owner: owner, thread: thread)
                record.storedSize = 500
                hot.cache(record)
                #expect(hot.thread("t\(number)", of: owner.number)?.number == Int64(number))
            }
            #expect(hot.byteCount > hot.capacity / 16 * 11 && hot.byteCount <= hot.capacity)
            // One that is too large pushes out nothing.
            var large = ThreadRecord(
                number: 5001, owner: owner, thread: ChatThread(id: "large", createdAt: .earliest, members: []))
            large.storedSize = hot.capacity / 8
            let before = hot.byteCount
            hot.cache(large)
            #expect(hot.thread(5001) == nil && hot.byteCount == before)
            hot.removeAll()
            #expect(hot.byteCount == 0 && hot.thread(5000) == nil)
        }
    }

    /// Statements are counted in Tests/Faults: a debug build reads the rows again to compare them.
    @Test func aThreadIsKeptUnderTheNamesOfItsMembers() async throws {
        try await Self.run { _, room in
            let record = try room.record()
            let hot = HotRows()
            hot.cache(record)
            #expect(hot.thread(room.thread, of: room.account.number) == record)
            #expect(hot.thread(room.thread, of: room.account.number + 1) == nil)
            hot.forget(account: room.account.number)
            #expect(hot.thread(record.number) == nil && hot.byteCount == 0)
        }
    }

    /// However many customers are busy; and their accounts push out no threads.
    @Test func accountsHaveAShareOfTheirOwn() async throws {
        try await Self.run { _, room in
            let record = try room.record()
            let hot = HotRows(capacity: 1 << 20)
            hot.cache(record)
            var account = record.owner
            for number in 1...5000 as ClosedRange<Int64> {
                account.number = number
                hot.cache(account)
                hot.cache(AccountUsage(texts: number, files: 0), of: number)
            }
            #expect(hot.account(5000)?.number == 5000 && hot.usage(of: 5000)?.texts == 5000)
            #expect(hot.account(1) == nil && hot.usage(of: 1) == nil)
            #expect(hot.thread(record.number) != nil)
            #expect(hot.byteCount <= hot.capacity / 4)
        }
    }

    @Test func aUnitThatFailsForgetsWhatItHasKeptItself() async throws {
        try await Self.run { _, room in
            var account = try room.record().owner
            let channel = Channel(id: "shop", name: "Shop", mode: .multithread, capabilities: [])
            let hot = HotRows()
            func keep(_ number: Int64) {
                hot.begin()
                account.number = number
                hot.cache(account)
                hot.cache(AccountUsage(texts: number, files: 0), of: number)
                hot.cache(channel, of: "service" + String(number), byteCount: 100)
            }
            keep(1)
            keep(2)
            hot.undo()
            #expect(hot.account(1) != nil && hot.usage(of: 1) != nil && hot.channel("shop", of: "service1") != nil)
            #expect(hot.account(2) == nil && hot.usage(of: 2) == nil && hot.channel("shop", of: "service2") == nil)
        }
    }

    @Test func whatAGroupHasChangedComesBackAsItWas() async throws {
        try await Self.run { _, room in
            let record = try room.record()
            let hot = HotRows()
            hot.cache(record.owner)
            hot.cache(record)
            let facts = HotRows.Facts(newestAside: nil, hasTombstones: false)
            hot.cache(facts, of: record.number)
            let byteCount = hot.byteCount
            hot.beginGroup()
            var changed = record
            changed.thread.name = "New"
            hot.cache(changed)
            hot.forgetFacts(of: record.number)
            let other = ThreadRecord(
                number: record.number + 1, owner: record.owner,
                thread: ChatThread(id: "other", createdAt: .earliest, members: []))
            hot.cache(other)
            hot.undoGroup()
            #expect(hot.thread(room.thread, of: room.account.number) == record)
            #expect(hot.facts(of: record.number) == facts)
            #expect(hot.thread(other.number) == nil && hot.byteCount == byteCount)
            hot.beginGroup()
            hot.cache(changed)
            hot.endGroup()
            #expect(hot.thread(record.number)?.thread.name == "New")
            // Nobody has noted what was before.
            hot.undoGroup()
            #expect(hot.thread(record.number) == nil && hot.byteCount == 0)
        }
    }
}
