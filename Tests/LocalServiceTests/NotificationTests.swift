import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Sessions are told of messages in threads that they do not show.
@Suite struct NotificationTests {
    private struct Scene {
        var local: Local
        var sessions: Sessions
        var ann: ChatClient
        var bob: ChatClient

        /// All that a session was told, once a message that everybody is told of has arrived there.
        func notifications(of client: ChatClient) async throws -> [JSONValue] {
            let mark = local.store.environment.makeID()
            _ = try await local.desk.send(
                MessageDraft(id: mark, text: "mark"), as: Local.agent, to: DeskThread(id: "mark"), receipt: nil)
            @Sendable func told() throws -> [JSONValue] {
                try local.recorder.events.filter {
                    $0.type == .notification && $0.audiences.contains(.session(client.id))
                }
                .map { try JSONParser.parse($0.data) }
            }
            #expect(try await eventually { try told().contains { $0["messageId"] == .string(mark) } })
            let isMark = { (told: JSONValue) in told["threadId"] == .string("mark") }
            return try told().filter { !isMark($0) }
        }
    }

    /// Ann and Bob in the thread `t1`; Ann's `mark` is on nobody's screen.
    private func run(_ body: (Scene) async throws -> Void) async throws {
        try await Local.run { local in
            let sessions = Sessions(store: local.store, services: [local.service], clock: local.clock)
            func session(_ id: String) async throws -> ChatClient {
                try await sessions.create(
                    service: "local", channel: "multi", customer: CustomerDraft(id: id, firstName: id), connect: true,
                    receipt: nil)
            }
            let scene = Scene(
                local: local, sessions: sessions, ann: try await session("ann"), bob: try await session("bob"))
            for id in ["t1", "t2", "mark"] {
                let members = [MemberDraft(id: "ann"), MemberDraft(id: "bob")]
                _ = try await local.desk.createThread(
                    DeskThreadDraft(id: id, channel: "multi", members: members, name: "Thread \(id)"), receipt: nil)
            }
            try await body(scene)
        }
    }

    @Test func whoHasDisconnectedIsNotNotifiedUntilItConnectsAgain() async throws {
        try await run { scene in
            try await scene.ann.show("t1")
            try await scene.bob.show("t1")
            try await scene.ann.disconnect()
            _ = try await scene.local.send("m1", "Your order left.", to: "t2")
            // The same event is told to Bob: who is to be told is so already.
            #expect(try await scene.notifications(of: scene.bob).count == 1)
            try await scene.ann.connect()
            #expect(scene.ann.screens.map(\.thread) == ["t1"])
            _ = try await scene.local.send("m2", "It is there.", to: "t2")
            #expect(try await scene.notifications(of: scene.ann).compactMap { $0["messageId"]?.string } == ["m2"])
            scene.ann.hideScreens()
            #expect(scene.ann.screens.isEmpty)
        }
    }

    @Test func aThreadInViewNotifiesNobodyAndAnotherDoes() async throws {
        try await run { scene in
            try await scene.ann.show("t1")
            _ = try await scene.local.send("m1", "Your order left.", to: "t1")
            _ = try await scene.local.send("m2", "Your bill is here.", to: "t2")
            // Before more comes that is not read.
            #expect(await eventually { scene.local.recorder.events.contains { $0.type == .notification } })
            let told = try await scene.notifications(of: scene.ann)
            #expect(told.map { $0["messageId"] } == [.string("m2")])
            #expect(told.first?["title"] == .string("Bob") && told.first?["text"] == .string("Your bill is here."))
            #expect(told.first?["threadId"] == .string("t2") && told.first?["threadName"] == .string("Thread t2"))
            #expect(told.first?["channelId"] == .string("multi") && told.first?["tag"] == .string("t2"))
            #expect(told.first?["link"] == .string("/?channel=multi&thread=t2&message=m2&from=none"))
            #expect(told.first?["unreadCount"] == .integer(2), "m1 is not read either")
            try await scene.ann.show(nil)
            _ = try await scene.local.send("m3", to: "t1")
            #expect(
                try await scene.notifications(of: scene.ann).map { $0["messageId"] } == [.string("m2"), .string("m3")])
        }
    }

    @Test func aTabThatHasCrashedShowsNothingAfterAWhile() async throws {
        try await run { scene in
            let (ann, notifications) = (scene.ann, scene.sessions.notifications)
            notifications.streamOpened(by: ["tab-1", "tab-2"], session: ann.id)
            try await ann.show("t1", holder: "tab-1")
            try await ann.show(nil, holder: "tab-2")
            scene.local.environment.advance(milliseconds: 86_400_000)
            _ = try await scene.local.send("m1", to: "t1")
            #expect(try await scene.notifications(of: ann).isEmpty)
            notifications.streamClosed(by: ["tab-1"], session: ann.id, account: ann.account)
            scene.local.environment.advance(milliseconds: 29_999)
            _ = try await scene.local.send("m2", to: "t1")
            #expect(try await scene.notifications(of: ann).isEmpty)
            scene.local.environment.advance(milliseconds: 1)
            _ = try await scene.local.send("m3", to: "t1")
            #expect(try await scene.notifications(of: ann).map { $0["messageId"] } == [.string("m3")])
        }
    }

    @Test func onlyWhoSaysWhatItShowsIsToldAndNobodyOfItsOwnMessages() async throws {
        try await run { scene in
            try await scene.ann.show(nil)
            _ = try await scene.ann.send(MessageDraft(id: "m1", text: "mine"), to: "t1", receipt: nil)
            _ = try await scene.bob.send(MessageDraft(id: "m2", text: "his"), to: "t1", receipt: nil)
            #expect(try await scene.notifications(of: scene.ann).map { $0["messageId"] } == [.string("m2")])
            #expect(
                !scene.local.recorder.events.contains {
                    $0.audiences.contains(.session(scene.bob.id)) && $0.type == .notification
                })
            await #expect(throws: ChatError.self) { try await scene.ann.show("none") }
        }
    }

    @Test("4.8: notifications of a reply go to who has a part in its reply thread")
    func replies() async throws {
        try await run { scene in
            _ = try await scene.local.send("parent", to: "t1")
            _ = try await scene.ann.send(
                MessageDraft(id: "r1", text: "reply", parentID: "parent"), to: "t1", receipt: nil)
            try await scene.ann.show(nil)
            try await scene.bob.show(nil)
            _ = try await scene.local.desk.send(
                MessageDraft(id: "r2", text: "answer", parentID: "parent"), as: Local.agent, to: DeskThread(id: "t1"),
                receipt: nil)
            let ann = try await scene.notifications(of: scene.ann)
            #expect(ann.map { $0["messageId"] } == [.string("r2")] && ann.first?["parentId"] == .string("parent"))
            #expect(try await scene.notifications(of: scene.bob).isEmpty)
            // Whoever has replied has a part from then on, and so has whoever wrote the parent.
            _ = try await scene.bob.send(
                MessageDraft(id: "r3", text: "me too", parentID: "parent"), to: "t1", receipt: nil)
            #expect(
                try await scene.notifications(of: scene.ann).map { $0["messageId"] } == [.string("r2"), .string("r3")])
            _ = try await scene.ann.send(
                MessageDraft(id: "r4", text: "yes", parentID: "parent"), to: "t1", receipt: nil)
            #expect(try await scene.notifications(of: scene.bob).map { $0["messageId"] } == [.string("r4")])
        }
    }
}
