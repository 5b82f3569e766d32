import Chat
import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore
@testable import LocalService

/// Live chats: their queue, who takes them, and how they end.
@Suite struct LiveChatTests {
    private static let bea = Agent(id: "a2", name: "Bea")

    @Test func aLiveChatIsAtTheDeskAtOnceAndWaits() async throws {
        try await Local.run { local in
            let ada = try await local.person("ada", on: "live")
            try await ada.create("t1")
            let thread = try ada.thread("t1")
            #expect(thread["state"] == .string("ready"))
            #expect(thread["queuePosition"]?.integer == 1)
            #expect(thread["contactId"] == .string("1"))
            #expect(try local.log() == ["thread.created t1 cd"])
            #expect(try local.deskThreads().map { $0["id"] } == [.string("t1")])
        }
    }

    @Test func whoIsTakenLeavesTheQueueAndThoseBehindMoveUp() async throws {
        try await Local.run { local in
            let people = try await waiting(3, local)
            #expect(try await positions(people) == [1, 2, 3])
            _ = local.recorder.take()
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t2"), receipt: nil)
            #expect(try await positions(people) == [1, nil, 2])
            #expect(try people[1].thread("t2")[path: "agent", "name"] == .string("Bob"))
            // The first one hears nothing: nothing has changed for it.
            #expect(try queueNews(local) == ["t2 -", "t3 2"])
            #expect(local.recorder.types(for: .account(people[0].account)).isEmpty)
            #expect(local.recorder.types(for: .account(people[2].account)) == ["thread.updated", "queue.updated"])
        }
    }

    @Test func aDepartureFromALongQueueTellsAFewAtOnceAndTheOthersInSteps() async throws {
        try await Local.run { local in
            let people = try await waiting(200, local)
            #expect(try await positions(people) == (1...200).map(Int64.init))
            let head = local.store.feed.head
            // The unit itself: whatever steps follow come after its commit.
            let logged = try await local.store.write { transaction in
                guard var record = try transaction.thread("t1", of: people[0].account) else { return Int64.max }
                var live = LiveChatWork()
                try live.assign(&record, by: Local.agent, in: transaction)
                #expect(live.unfinished == [Queue(service: "local", channel: "live")])
                return transaction.head - head
            }
            #expect(logged <= 40)
            #expect(try people[1].thread("t2")["queuePosition"]?.integer == 1)
            #expect(try people[199].thread("t200")["queuePosition"]?.integer == 200)

            // The next departure has all of them told, in the end.
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t2"), receipt: nil)
            let expected = [nil, nil] + (1...198).map { Optional(Int64($0)) }
            #expect(try await eventually { try await positions(people) == expected })
            // It is told after the commit.
            #expect(try await eventually { try queueNews(local).contains("t200 198") })
        }
    }

    @Test func whatWasNotToldWhenTheGatewayStoppedIsToldAfterwards() async throws {
        try await Local.run { local in
            let people = try await waiting(60, local)
            try await local.store.write { transaction in
                guard var record = try transaction.thread("t1", of: people[0].account) else { return }
                var live = LiveChatWork()
                try live.assign(&record, by: Local.agent, in: transaction)
                #expect(live.unfinished == [Queue(service: "local", channel: "live")])
            }
            _ = try await LocalService(store: local.store, clock: local.clock)
            let expected = [nil] + (1...59).map { Optional(Int64($0)) }
            #expect(try await eventually { try await positions(people) == expected })
        }
    }

    @Test func queuesOfTwoChannelsAreTwo() async throws {
        try await Local.run { local in
            _ = try await local.desk.createChannel(ChannelDraft(id: "other", mode: .liveChat), receipt: nil)
            let people = try await waiting(2, local)
            let other = try await local.person("c9", on: "other")
            try await other.create("t9")
            #expect(try other.thread("t9")["queuePosition"]?.integer == 1)
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t9"), receipt: nil)
            #expect(try await positions(people) == [1, 2])
        }
    }

    @Test func aTransferKeepsTheFormerAgentAndTheQueue() async throws {
        try await Local.run { local in
            let people = try await waiting(2, local)
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            _ = local.recorder.take()
            _ = try await local.desk.assign(Self.bea, to: DeskThread(id: "t1"), receipt: nil)
            let thread = try people[0].thread("t1")
            #expect(thread[path: "agent", "id"] == .string("a2"))
            #expect(thread[path: "previousAgent", "id"] == .string("a1"))
            #expect(try local.log() == ["thread.updated t1 cd"])
            #expect(try await positions(people) == [nil, 1])
            // The same agent once more is no news.
            _ = try await local.desk.assign(Self.bea, to: DeskThread(id: "t1"), receipt: nil)
            #expect(try local.log() == [])
        }
    }

    @Test func whoIsReleasedWaitsWhereItStood() async throws {
        try await Local.run { local in
            let people = try await waiting(3, local)
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            #expect(try await positions(people) == [nil, 1, 2])
            _ = try await local.desk.release(DeskThread(id: "t1"), receipt: nil)
            #expect(try await positions(people) == [1, 2, 3])
            #expect(try people[0].thread("t1")["agent"] == nil)
            #expect(try people[0].thread("t1")[path: "previousAgent", "id"] == .string("a1"))
        }
    }

    @Test func theQueueSurvivesARestart() async throws {
        try await Local.run { local in
            let people = try await waiting(3, local)
            let again = try await LocalService(store: local.store)
            _ = try await again.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            #expect(try await positions(people) == [nil, 1, 2])
        }
    }

    @Test func theCustomerEndsAndMayBeginAnew() async throws {
        try await Local.run { local in
            let people = try await waiting(2, local)
            #expect(await refusal { try await people[0].create("t9") } == .unsupportedChannelConfig)
            let receipt = Receipt(scope: "s", fingerprint: "f")
            let ended = try await people[0].connection.endContact("t1", receipt: receipt)
            #expect(try await local.store.receipt(scope: "s")?.outcome.body == ended.body)
            let thread = try people[0].thread("t1")
            #expect(thread["state"] == .string("closed"))
            #expect(thread["canAddMoreMessages"] == .bool(false))
            #expect(thread["contactClosedAt"] != nil)
            #expect(try await positions(people) == [nil, 1])
            #expect(await refusal { try await people[0].send("m1", to: "t1") } == .illegalThreadState)
            #expect(await refusal { try await local.send("m2", to: "t1") } == .illegalThreadState)
            #expect(
                await refusal { try await local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil) }
                    == .illegalThreadState)
            // Ended already: nothing happens.
            _ = local.recorder.take()
            _ = try await people[0].connection.endContact("t1", receipt: nil)
            #expect(local.recorder.take().isEmpty)
            try await people[0].create("t9")
            #expect(try people[0].thread("t9")["queuePosition"]?.integer == 2)
            #expect(try people[0].thread("t9")["contactId"] == .string("3"))
        }
    }

    @Test func theDeskEnds() async throws {
        try await Local.run { local in
            let people = try await waiting(2, local)
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            _ = try await local.desk.close(DeskThread(id: "t1"), receipt: nil)
            #expect(try people[0].thread("t1")["state"] == .string("closed"))
            // Whoever it was stays named.
            #expect(try people[0].thread("t1")[path: "agent", "name"] == .string("Bob"))
            _ = try await local.desk.endContact(DeskThread(id: "t2"), receipt: nil)
            #expect(try people[1].thread("t2")["state"] == .string("closed"))
            #expect(
                await refusal { try await local.desk.close(DeskThread(id: "t2"), receipt: nil) } == .illegalThreadState)
        }
    }

    @Test func whatALiveChatHasNot() async throws {
        try await Local.run { local in
            let ada = try await local.person("ada", on: "live")
            #expect(await refusal { try await ada.create("t1", name: "Named") } == .unsupportedChannelConfig)
            try await ada.create("t1")
            #expect(
                await refusal { try await ada.connection.rename("t1", to: "x", ifMatch: nil) }
                    == .unsupportedChannelConfig)
            #expect(await refusal { try await ada.connection.archive("t1", receipt: nil) } == .unsupportedChannelConfig)
            let multi = try await local.person("ada")
            try await multi.create("t2")
            #expect(await refusal { try await multi.connection.endContact("t2", receipt: nil) } == .illegalChatState)
        }
    }

    // MARK: Availability

    @Test func anOfflineChannelTakesNoNewChatsAndThoseThatAreOpenGoOn() async throws {
        try await Local.run { local in
            let people = try await waiting(1, local)
            let late = try await local.person("late", on: "live")
            #expect(try await local.desk.setOnline(false, channel: "live").isOnline == false)
            #expect(await refusal { try await late.create("t9") } == .illegalChatState)
            try await people[0].send("m1", to: "t1")
            // Kept in the database.
            #expect(try await LocalService(store: local.store).channel("live").isOnline == false)
            _ = try await local.desk.setOnline(true, channel: "live")
            try await late.create("t9")
            #expect(
                await refusal { try await local.desk.setOnline(false, channel: "multi") } == .unsupportedChannelConfig)
            #expect(await refusal { try await local.desk.setOnline(false, channel: "none") } == .unknownChannel)
        }
    }

    @Test func aSessionOfAnOfflineChannelIsOfflineUntilItConnectsAgain() async throws {
        try await Local.run { local in
            _ = try await local.desk.setOnline(false, channel: "live")
            let client = try await session(local)
            #expect(client.state == .offline)
            #expect(
                await refusal { try await client.createThread(ThreadDraft(id: "t1"), receipt: nil) } == .notConnected)
            _ = try await local.desk.setOnline(true, channel: "live")
            try await client.disconnect()
            try await client.connect()
            #expect(client.state == .ready)
            // Who has a chat open connects to it all the same, and can begin no other.
            _ = try await client.createThread(ThreadDraft(id: "t1"), receipt: nil)
            _ = try await local.desk.setOnline(false, channel: "live")
            #expect(try await session(local).state == .ready)
            _ = try await client.endContact("t1", receipt: nil)
            #expect(
                await refusal { try await client.createThread(ThreadDraft(id: "t2"), receipt: nil) }
                    == .illegalChatState)
        }
    }

    // MARK: Sessions

    @Test func aSessionMakesNoLiveChatByItselfAndFindsTheOpenOne() async throws {
        try await Local.run { local in
            let client = try await session(local)
            #expect(client.state == .ready)
            #expect(client.channel.capabilities.contains(.liveChat))
            #expect(try local.deskThreads().isEmpty)
            _ = try await client.createThread(ThreadDraft(id: "t1"), receipt: nil)
            _ = local.recorder.take()
            let second = try await session(local)
            let loaded = local.recorder.events.last { $0.type == .threadsLoaded }
            #expect(try loaded?.json(for: .session(second.id))["count"]?.integer == 1)
        }
    }

    @Test func aSessionIsClosedByItsOwnEndAndReadyWithTheNextChat() async throws {
        try await Local.run { local in
            let client = try await session(local)
            _ = try await client.createThread(ThreadDraft(id: "t1"), receipt: nil)
            #expect(client.state == .ready)
            _ = try await client.endContact("t1", receipt: nil)
            #expect(client.state == .closed)
            _ = try await client.createThread(ThreadDraft(id: "t2"), receipt: nil)
            #expect(client.state == .ready)
            // An end by the desk leaves the session as it is.
            _ = try await local.desk.close(DeskThread(id: "t2"), receipt: nil)
            #expect(client.state == .ready)
        }
    }

    // MARK: Contacts

    @Test func aThreadHasAContactFromItsFirstMessageOn() async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            #expect(try ada.thread("t1")["contactId"] == nil)
            try await ada.send("m1", to: "t1")
            try await ada.send("m2", to: "t1")
            #expect(try ada.thread("t1")["contactId"] == .string("1"))
            try await ada.create("t2")
            try await ada.send("m1", to: "t2")
            #expect(try ada.thread("t2")["contactId"] == .string("2"))
            #expect(try local.deskThread("t2")["contactId"] == .string("2"))
        }
    }

    @Test func aConversationWhoseContactEndedGoesOnInANewOne() async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            try await ada.send("m1", to: "t1")
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            _ = try await local.desk.endContact(DeskThread(id: "t1"), receipt: nil)
            var thread = try ada.thread("t1")
            #expect(thread["state"] == .string("ready"))
            #expect(thread["contactId"] == .string("1"))
            #expect(thread["contactClosedAt"] != nil)
            #expect(thread["agent"] == nil)
            #expect(thread[path: "previousAgent", "id"] == .string("a1"))
            try await ada.send("m2", to: "t1")
            thread = try ada.thread("t1")
            #expect(thread["contactId"] == .string("2"))
            #expect(thread["contactClosedAt"] == nil)
        }
    }

    // MARK: -

    /// Customers `c1`, `c2`, ... who wait with `t1`, `t2`, ...
    private func waiting(_ count: Int, _ local: Local) async throws -> [Person] {
        var people: [Person] = []
        for number in 1...count {
            let person = try await local.person("c\(number)", on: "live")
            try await person.create("t\(number)")
            people.append(person)
        }
        return people
    }

    private func positions(_ people: [Person]) async throws -> [Int64?] {
        try people.enumerated().map { try $1.thread("t\($0 + 1)")["queuePosition"]?.integer }
    }

    /// What `queue.updated` said: the thread and its position.
    private func queueNews(_ local: Local) throws -> [String] {
        try local.recorder.events.filter { $0.type == .queueUpdated }.map { event in
            let json = try JSONParser.parse(event.data)
            return "\(json["threadId"]?.string ?? "?") \(json["queuePosition"]?.integer.map(String.init) ?? "-")"
        }
    }

    private func session(_ local: Local) async throws -> ChatClient {
        try await Sessions(store: local.store, services: [local.service], clock: ManualClock()).create(
            service: "local", channel: "live", customer: CustomerDraft(id: "ada"), connect: true, receipt: nil)
    }
}
