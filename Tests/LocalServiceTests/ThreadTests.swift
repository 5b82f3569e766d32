import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

@Suite struct ThreadTests {
    @Test func thePendingThreadIsUnseenByTheDeskUntilItsFirstMessage() async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1", name: "Order")
            #expect(try person.threads().map { $0["state"] } == [.string("pending")])
            #expect(try local.deskThreads().isEmpty)
            #expect(await refusal { try await local.desk.thread(DeskThread(id: "t1")) } == .unknownThread)
            #expect(
                await refusal {
                    try await local.desk.messages(
                        of: DeskThread(id: "t1"), replies: .alsoInThread, page: PageRequest(limit: 5, cursor: nil))
                } == .unknownThread)
            try await person.send("m1", "Hi", to: "t1")
            #expect(try person.thread("t1")["state"] == .string("ready"))
            let seen = try #require(try local.deskThreads().first)
            #expect(seen["name"] == .string("Order") && seen["channel"] == .string("multi"))
            #expect(seen[path: "customer", "id"] == .string("c1"))
            // Replayed, the desk hears of the thread before its first message.
            let replay = try await local.store.replay([.desk], after: 0, limit: 1 << 20)
            #expect(replay.events.map(\.type) == [.threadCreated, .messageCreated, .threadUpdated])
        }
    }

    @Test func aPendingThreadThatWasArchivedIsNeverSeenByTheDesk() async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            _ = try await person.connection.archive("t1", receipt: nil)
            #expect(await refusal { try await person.send("m1", to: "t1") } == .illegalThreadState)
            #expect(try local.deskThreads().isEmpty)
            #expect(try await local.store.replay([.desk], after: 0, limit: 1 << 20).events.isEmpty)
            #expect(try person.threads(.closed).count == 1)
        }
    }

    @Test func aSingleThreadChannelHasOneOpenThread() async throws {
        try await Local.run { local in
            let person = try await local.person(on: "single")
            #expect(await refusal { try await person.connection.recoverThread() } == .recoveringThreadFailed)
            try await person.create("t1")
            #expect(try await person.connection.recoverThread() == 1)
            #expect(await refusal { try await person.create("t2") } == .unsupportedChannelConfig)
            #expect(
                await refusal { _ = try await person.connection.rename("t1", to: "x", ifMatch: nil) }
                    == .unsupportedChannelConfig)
            #expect(
                await refusal { _ = try await person.connection.archive("t1", receipt: nil) }
                    == .unsupportedChannelConfig)
            try await person.send("m1", to: "t1")
            _ = try await local.desk.close(DeskThread(id: "t1"), receipt: nil)
            // Closed by the desk: there is room for the next.
            #expect(await refusal { try await person.connection.recoverThread() } == .recoveringThreadFailed)
            #expect(await refusal { try await person.create("t2", name: "x") } == .unsupportedChannelConfig)
            try await person.create("t2")
            #expect(try await person.connection.loadThreads() == 2)
        }
    }

    @Test func twoCustomersMayUseOneId() async throws {
        try await Local.run { local in
            for customer in ["c1", "c2"] {
                let person = try await local.person(customer)
                try await person.create("t1")
                try await person.send("m1", customer, to: "t1")
            }
            #expect(await refusal { try await local.desk.thread(DeskThread(id: "t1")) } == .ambiguousThread)
            #expect(await refusal { try await local.send("x", to: "t1") } == .ambiguousThread)
            #expect(
                await refusal { try await local.desk.thread(DeskThread(id: "t1", channel: "multi")) }
                    == .ambiguousThread)
            #expect(
                await refusal { try await local.desk.thread(DeskThread(id: "t1", customer: "c3")) } == .unknownThread)
            let second = DeskThread(id: "t1", customer: "c2")
            _ = try await local.desk.send(
                MessageDraft(id: "x", text: "to the second"), as: Local.agent, to: second, receipt: nil)
            #expect(
                try await items(
                    local.desk.messages(of: second, replies: .alsoInThread, page: PageRequest(limit: 5, cursor: nil))
                ).map { $0["text"] } == [.string("to the second"), .string("c2")])
            #expect(try await local.person("c1").thread("t1")["unreadCount"] == .integer(0))
            #expect(try await local.person("c2").thread("t1")["unreadCount"] == .integer(1))
        }
    }

    @Test func theDesksListIsFilteredAndOrdered() async throws {
        try await Local.run { local in
            let (multi, single) = (try await local.person("c1"), try await local.person("c2", on: "single"))
            for (person, id) in [(multi, "t1"), (single, "t2"), (multi, "t3")] {
                try await person.create(id)
                local.environment.advance(milliseconds: 1)
                try await person.send("m", to: id)
            }
            _ = try await local.desk.close(DeskThread(id: "t3"), receipt: nil)
            func ids(_ filter: ThreadFilter, _ channel: String? = nil) throws -> [String] {
                try local.deskThreads(filter, channel: channel).compactMap { $0["id"]?.string }
            }
            #expect(try ids(.all) == ["t3", "t2", "t1"])
            #expect(try ids(.open) == ["t2", "t1"])
            #expect(try ids(.closed) == ["t3"])
            #expect(try ids(.all, "single") == ["t2"])
            #expect(try ids(.open, "multi") == ["t1"])
        }
    }

    @Test func fieldsAreMergedAndEmptyOnesLeftOut() async throws {
        try await Local.run { local in
            let person = try await local.person()
            _ = try await person.connection.createThread(
                ThreadDraft(id: "t1", customFields: ["a": "1", "b": ""]), receipt: nil)
            #expect(
                try await person.connection.setCustomFields(["c": "3", "a": "", "d": ""], of: "t1") == [
                    "a": "1", "c": "3",
                ])
            #expect(try await person.connection.setCustomFields(["a": "2"], of: "t1") == ["a": "2", "c": "3"])
            #expect(
                try person.thread("t1")["customFields"]
                    == .object([JSONMember(name: "a", value: .string("2")), JSONMember(name: "c", value: .string("3"))])
            )
            #expect(try await person.connection.setCustomerCustomFields(["x": "1", "y": ""]) == ["x": "1"])
        }
    }

    @Test func aCustomersNewNameIsEverywhereInItsOpenThreads() async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await person.send("m1", to: "t1")
            let recorder = EventRecorder(local.store.feed)
            #expect(
                try await person.connection.setCustomer(CustomerDraft(firstName: "Ada", lastName: "L")).fullName
                    == "Ada L")
            #expect(
                try await person.connection.setCustomer(CustomerDraft(firstName: "Ada", lastName: "Lovelace")).fullName
                    == "Ada Lovelace")
            #expect(try person.thread("t1")["members"]?.array?.first?["lastName"] == .string("Lovelace"))
            #expect(try local.deskThread("t1")[path: "customer", "firstName"] == .string("Ada"))
            let last = try #require(recorder.events.last)
            #expect(try last.json(for: .desk)[path: "thread", "customer", "lastName"] == .string("Lovelace"))
            try await person.send("m2", to: "t1")
            #expect(try person.message("m2", in: "t1")?[path: "author", "name"] == .string("Ada Lovelace"))
        }
    }

    @Test func channelsAreMadeOnceAndKept() async throws {
        try await Local.run { local in
            #expect(try await local.service.channels().map(\.id) == ["single", "multi", "live"])
            let made = try await local.desk.createChannel(
                ChannelDraft(id: "sales", mode: .singlethread), receipt: Receipt(scope: "s", fingerprint: "f"))
            #expect(try await local.store.receipt(scope: "s")?.outcome.body == made.body)
            #expect(try await local.service.channel("sales").name == "sales")
            #expect(await refusal { try await local.service.channel("none") } == .unknownChannel)
            // Started again on the same database.
            let again = try await LocalService(store: local.store)
            #expect(try await again.channels().map(\.id) == ["single", "multi", "live", "sales"])
        }
    }

    @Test func twoDevicesThatConnectAtOnceShareTheSingleThread() async throws {
        try await Local.run { local in
            let sessions = Sessions(store: local.store, services: [local.service], clock: ManualClock())
            let states = try await withThrowingTaskGroup(of: ChatState.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await sessions.create(
                            service: "local", channel: "single", customer: CustomerDraft(id: "c1"), connect: true,
                            receipt: nil
                        ).state
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(states == Array(repeating: .ready, count: 8))
            #expect(try await local.person("c1", on: "single").threads().count == 1)
        }
    }
}
