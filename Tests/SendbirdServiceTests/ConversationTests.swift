import Chat
import ChatModel
import ChatStore
import Formats
@testable import SendbirdService
import TestSupport
import Testing

/// The adapter against the sandbox of another gateway.
@Suite struct ConversationTests {
    /// More messages than an answer has, in the minutes before a connection, are no reason to connect again and again:
    /// also where the oldest ones of an answer are removed, and so are not here.
    @Test(arguments: [false, true]) func aBusyThreadAfterAnotherConnection(hasRemoved: Bool) async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            for round in 0..<(hasRemoved ? 4 : 5) {
                for number in 0..<50 { try await world.deskSends("\(round) \(number)", to: thread) }
                #expect(
                    try await world.passes {
                        try await world.messages(of: client, in: thread).count == (round + 1) * 50
                    })
            }
            try await client.disconnect()
            if hasRemoved {
                for message in try await world.farMessages(in: thread)[..<15] {
                    try await world.desk.remove(
                        message.id, in: DeskThread(id: thread), ifMatch: nil, as: TwoGateways.agent)
                }
            }
            try await client.connect()
            try await world.deskSends("after", to: thread)
            #expect(try await world.passes { try await world.texts(of: client, in: thread).last == "after" })
            await world.elapse(20)
            let lookups = world.port.count("GET", "/users/ada")
            #expect(lookups <= 2, "one for each connection")
        }
    }

    /// A message has been delivered when it has come to all others.
    @Test func aDeliveredMessage() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            _ = try await world.session("bob")
            _ = try await world.desk.createThread(
                DeskThreadDraft(
                    id: "room", channel: "multi", members: [MemberDraft(id: "ada"), MemberDraft(id: "bob")]), as: nil,
                receipt: nil)
            let account = client.account
            #expect(try await world.passes { try await world.store.read { try $0.hasThread("room", of: account) } })
            _ = try await client.send(MessageDraft(id: "m1", text: "Are you there?"), to: "room", receipt: nil)
            #expect(try await world.messages(of: client, in: "room").map(\.status) == [.sent])
            world.environment.advance(milliseconds: 5)
            try await world.asks(
                "PUT", "/group_channels/room/messages/mark_as_delivered", #"{"user_id":"bob"}"#)
            #expect(
                try await world.passes {
                    try await world.messages(of: client, in: "room").map(\.status) == [.delivered]
                })
        }
    }

    @Test func aConversation() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            #expect(client.state == .ready, "\(client.connectionError.map(String.init(describing:)) ?? "")")
            let thread = try #require(try await client.createThread(ThreadDraft(name: "Order 7"), receipt: nil).id)
            _ = try await client.send(MessageDraft(id: "m1", text: "Where is it?"), to: thread, receipt: nil)
            #expect(try await world.farTexts(in: thread) == ["Where is it?"])
            try await world.deskSends("On its way.", to: thread, id: "a1")
            #expect(try await world.passes { try await world.texts(of: client, in: thread).count == 2 })
            let messages = try await world.messages(of: client, in: thread)
            #expect(messages.map(\.text) == ["Where is it?", "On its way."])
            #expect(messages.map(\.direction) == [.toAgent, .toClient] && messages[0].id == "m1")
            #expect(messages[1].author.kind == .agent && messages[1].author.name == "Marta Novak")
            let json = try await world.thread(thread, of: client)
            #expect(json["unreadCount"]?.integer == 1 && json["name"]?.string == "Order 7")
            #expect(json["lastMessage"]?["text"]?.string == "On its way.")
            // What the customer reads, the platform hears.
            try await client.ask { _ = try await $0.markRead(thread, receipt: nil) }
            #expect(try await world.thread(thread, of: client)["unreadCount"]?.integer == 0)
            #expect(world.port.count("PUT", "mark_as_read") == 1)
            #expect(try await world.farMessages(in: thread).last?.status == .seen)
        }
    }

    @Test func editsAndRemovalsOfTheDesk() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(text: "one"), to: thread, receipt: nil)
            try await world.deskSends("two", to: thread, id: "a1")
            try await world.deskSends("three", to: thread, id: "a2")
            #expect(
                try await world.passes { try await world.texts(of: client, in: thread) == ["one", "two", "three"] })
            _ = try await world.desk.edit(
                "a1", in: DeskThread(id: thread), text: "TWO", ifMatch: nil, as: TwoGateways.agent)
            #expect(
                try await world.passes { try await world.texts(of: client, in: thread) == ["one", "TWO", "three"] })
            try await world.desk.remove("a2", in: DeskThread(id: thread), ifMatch: nil, as: TwoGateways.agent)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["one", "TWO"] })
        }
    }

    @Test func editsAndRemovalsOfTheCustomer() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(id: "m1", text: "one"), to: thread, receipt: nil)
            _ = try await client.send(MessageDraft(id: "m2", text: "two"), to: thread, receipt: nil)
            world.environment.advance(milliseconds: 5)
            _ = try await client.edit("m1", in: thread, text: "ONE", ifMatch: nil)
            #expect(try await world.farTexts(in: thread) == ["ONE", "two"])
            #expect(try await world.texts(of: client, in: thread) == ["ONE", "two"])
            try await client.remove("m2", in: thread, ifMatch: nil)
            #expect(try await world.farTexts(in: thread) == ["ONE"])
            #expect(try await world.texts(of: client, in: thread) == ["ONE"])
            try await world.deskSends("not yours", to: thread)
            #expect(try await world.passes { try await world.texts(of: client, in: thread).count == 2 })
            let others = try #require(try await world.messages(of: client, in: thread).last?.id)
            await #expect(throws: ChatError.self) {
                _ = try await client.edit(others, in: thread, text: "mine", ifMatch: nil)
            }
            #expect(try await world.farTexts(in: thread) == ["ONE", "not yours"])
        }
    }

    @Test func replies() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(id: "m1", text: "parent"), to: thread, receipt: nil)
            _ = try await client.send(
                MessageDraft(id: "r1", text: "reply", parentID: "m1", alsoInThread: false), to: thread, receipt: nil)
            let far = try await world.farMessages(in: thread)
            #expect(far.last?.parentID == far.first?.id && far.last?.alsoInThread == false)
            let parent = try #require(far.first?.id)
            try await world.deskSends("answer", to: thread, parent: parent)
            #expect(try await world.passes { try await world.texts(of: client, in: thread).contains("answer") })
            let answer = try #require(try await world.messages(of: client, in: thread).first { $0.text == "answer" })
            #expect(answer.parentID == "m1")
            #expect(
                try await world.passes {
                    try await world.messages(of: client, in: thread).first?.replyInfo?.count == 2
                })
        }
    }

    /// The parent of an own reply is read right away; where that fails, soon, before any poll.
    @Test(arguments: [false, true]) func theParentOfAnOwnReply(fails: Bool) async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(id: "m1", text: "parent"), to: thread, receipt: nil)
            let account = client.account
            let parent = try #require(
                try await world.store.read { transaction in
                    try transaction.thread(thread, of: account).flatMap { try transaction.remoteID("m1", in: $0) }
                })
            if fails { world.port.next("GET", "/messages/\(parent)", .loseAnswer) }
            _ = try await client.send(MessageDraft(text: "reply", parentID: "m1"), to: thread, receipt: nil)
            let read = try await world.messages(of: client, in: thread).first?.replyInfo?.count
            #expect(read == (fails ? nil : 1))
            world.pass(.milliseconds(60))
            #expect(
                try await eventually {
                    try await world.messages(of: client, in: thread).first?.replyInfo?.count == 1 && world.port.isQuiet
                })
            #expect(world.port.count("GET", "/messages/\(parent)") == 1)
        }
    }

    /// A thread that somebody else makes, and one of another gateway's customer.
    @Test func aThreadOfOthers() async throws {
        try await TwoGateways.run { world in
            let (ada, bob) = (try await world.session("ada"), try await world.session("bob"))
            _ = try await world.desk.createThread(
                DeskThreadDraft(
                    id: "both_1", channel: "multi", members: [MemberDraft(id: "ada"), MemberDraft(id: "bob")]),
                as: nil, receipt: nil)
            try await world.deskSends("Hello", to: "both_1")
            for client in [ada, bob] {
                #expect(
                    await world.passes {
                        (try? await world.texts(of: client, in: "both_1")) == ["Hello"]
                    })
            }
            _ = try await bob.send(MessageDraft(text: "from Bob"), to: "both_1", receipt: nil)
            #expect(try await world.passes { try await world.texts(of: ada, in: "both_1").count == 2 })
            let heard = try #require(try await world.messages(of: ada, in: "both_1").last)
            #expect(heard.author.id == "bob")
            // Who is removed has it no longer.
            try await world.desk.remove(member: "bob", from: DeskThread(id: "both_1"), as: nil)
            #expect(
                try await world.passes {
                    try await world.store.read { try !$0.hasThread("both_1", of: bob.account) }
                })
            #expect(try await world.store.read { try $0.hasThread("both_1", of: ada.account) })
        }
    }

    /// What was missed while nobody was connected is there after the next connection.
    @Test func anAbsence() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(text: "0"), to: thread, receipt: nil)
            try await client.disconnect()
            for number in 1...150 { try await world.deskSends("\(number)", to: thread) }
            world.pass(.seconds(3600))
            try await client.connect()
            #expect(
                try await world.passes {
                    try await world.store.read { try $0.messageCount(of: $0.thread(thread, of: client.account)!) }
                        == 151
                })
        }
    }
}
