import Chat
import ChatModel
import LocalService
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// What the writer reads for all units of a group before they run. In debug builds the store itself compares what was
/// read with the rows that a unit would have read.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct ReadAheadTests {
    /// Threads of customers of their own on the embedded service.
    private struct Street {
        var store: ChatStore
        let desk: LocalDesk
        var houses: [(thread: String, connection: any ServiceConnection)] = []

        init(_ threads: [String], in store: ChatStore) async throws {
            self.store = store
            let service = try await LocalService(store: store, clock: ManualClock())
            desk = service.desk
            for (index, thread) in threads.enumerated() {
                let account = try await store.write { transaction in
                    try transaction.openAccount(
                        AccountKey(service: "local", channel: "multi", customer: "c" + String(index)))
                }
                let connection = try await service.connect(account, channel: service.channel("multi")) {}
                _ = try await connection.createThread(ThreadDraft(id: thread), receipt: nil)
                houses.append((thread, connection))
            }
        }

        /// Sends a message to each thread, in one group.
        func send(_ id: String) async throws -> [ChatError?] {
            try await store.together(
                houses.map { thread, connection in
                    {
                        _ = try await connection.send(MessageDraft(id: id, text: "text"), to: thread, receipt: nil)
                    }
                })
        }

        /// Sends a message of an agent to the first thread, in a group of its own.
        func answer(_ id: String) async throws -> [ChatError?] {
            try await store.together([
                {
                    _ = try await desk.send(
                        MessageDraft(id: id, text: "text"), as: Agent(id: "a1", name: "Bob"),
                        to: DeskThread(id: houses[0].thread), receipt: nil)
                }
            ])
        }

        /// Forgets what the writer has kept.
        func cool(isChecked: Bool = true) async throws {
            try await store.write { transaction in
                transaction.hot?.removeAll()
                #if DEBUG
                    transaction.hot?.isChecked = isChecked
                #endif
            }
        }

        /// The round trips of a group, without those of the unit that held the writer before, and without what a writer
        /// sends that was silent for long.
        func roundTrips(of group: () async throws -> [ChatError?]) async throws -> Int {
            let (before, begun) = (try #require(store.counters?.figures.roundTrips), ContinuousClock.now)
            #expect(try await group().allSatisfy { $0 == nil })
            let silences = Int(begun.duration(to: .now) / PostgresWriter.mostSilence)
            return try #require(store.counters?.figures.roundTrips) - before - 2 - silences
        }
    }

    @Test func aGroupOfMessagesTakesTwoRoundTripsHoweverColdItsThreadsAre() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let street = try await Street((0..<32).map { "t" + String($0) }, in: store)
                // The first message of a thread opens a contact, whose number has to be asked for.
                #expect(try await street.send("m0").allSatisfy { $0 == nil })
                try await street.cool(isChecked: false)
                #expect(try await street.roundTrips { try await street.send("m1") } <= 2)
                #expect(try await street.roundTrips { try await street.send("m2") } <= 2)
            }
        }
    }

    /// Its thread's number and the agent are asked for.
    @Test func anAnswerInABusyThreadTakesFourRoundTrips() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let street = try await Street(["t1"], in: store)
                #expect(try await (street.send("m1") + street.answer("a1")).allSatisfy { $0 == nil })
                try await street.cool(isChecked: false)
                #expect(try await street.send("m2").allSatisfy { $0 == nil })
                #expect(try await street.roundTrips { try await street.answer("a2") } <= 4)
            }
        }
    }

    /// Such characters have a meaning in an array's text.
    @Test(arguments: ["a,b", "a\"b", "a\\b", "{a}", " a ", "NULL", "ä"])
    func aThreadIsFoundUnderItsID(id: String) async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let account = try await store.write { transaction in
                    let account = try transaction.openAccount(
                        AccountKey(service: "local", channel: "multi", customer: "c1"))
                    let thread = ChatThread(id: id, createdAt: transaction.now, members: [account.customer])
                    var record = try transaction.insert(thread, owner: account)
                    try transaction.save(&record, logging: .threadCreated, withDesk: true)
                    transaction.hot?.removeAll()
                    return account.number
                }
                try await store.write(reading: [.thread(id, of: account), .thread("other", of: account)]) {
                    #expect($0.hot?.thread(id, of: account)?.thread.id == id)
                    _ = try $0.thread(id, of: account)
                }
            }
        }
    }

    /// What the server refuses is left to the unit that wants it, and the others do not suffer.
    @Test func whatCannotBeReadIsLeftToItsUnit() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let street = try await Street(["t1", "t2"], in: store)
                try await street.cool()
                let reads = [WantedRows.thread("a\u{0}", of: 1), .thread("none", of: 1), .channel("none", of: "local")]
                try await store.write(reading: reads) { try $0.markDone("a") }
                _ = try database.number("UPDATE thread SET json = '\\x00' WHERE id = 't1' RETURNING number")
                try await street.cool()
                #expect(try await street.send("m1").map { $0 == nil } == [false, true])
            }
        }
    }
}
