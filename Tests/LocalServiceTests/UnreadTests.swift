import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// What a customer has not read: in all, and since when.
@Suite struct UnreadTests {
    private struct Scene {
        var local: Local
        var ann: ChatClient

        var total: UnreadTotal {
            get async throws { try await ann.unreadTotal() }
        }

        /// What the session was told, by `unread.updated`, once it was told this.
        func told(_ last: UnreadTotal) async throws -> [UnreadTotal] {
            @Sendable func all() throws -> [UnreadTotal] {
                try local.recorder.events.filter { $0.type == .unreadUpdated && $0.audiences == [.session(ann.id)] }
                    .map { try UnreadTotal(canonicalJSON: $0.data) }
            }
            #expect(try await eventually { try all().last == last })
            return try all()
        }

        func answer(_ id: String, to thread: String) async throws {
            local.environment.advance(milliseconds: 10)
            _ = try await local.send(id, to: thread)
        }

        func lastReadAt(_ thread: String) async throws -> Timestamp? {
            let json = try JSONParser.parse(try await ann.thread(thread).body)
            return json["lastReadAt"]?.string.flatMap(Timestamp.init(rfc3339:))
        }
    }

    /// Ann with the threads `t1`, `t2` and `t3`, in each of which she has said something.
    private func run(_ body: (Scene) async throws -> Void) async throws {
        try await Local.run { local in
            let sessions = Sessions(store: local.store, services: [local.service], clock: local.clock)
            let ann = try await sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "ann"), connect: true, receipt: nil)
            for id in ["t1", "t2", "t3"] {
                _ = try await ann.createThread(ThreadDraft(id: id), receipt: nil)
                _ = try await ann.send(MessageDraft(id: "first", text: "Hello"), to: id, receipt: nil)
            }
            try await body(Scene(local: local, ann: ann))
            // Sessions hold the notifications' reader.
            withExtendedLifetime(sessions) {}
        }
    }

    @Test func theTotalIsOfOpenThreadsThatAreInSight() async throws {
        try await run { scene in
            #expect(try await scene.total == .zero)
            for (id, thread) in [("m1", "t1"), ("m2", "t1"), ("m3", "t2"), ("m4", "t3")] {
                try await scene.answer(id, to: thread)
            }
            #expect(try await scene.total == UnreadTotal(unreadCount: 4, threadCount: 3))
            _ = try await scene.ann.ask { try await $0.archive("t3", receipt: nil) }
            #expect(try await scene.total == UnreadTotal(unreadCount: 3, threadCount: 2))
            _ = try await scene.ann.ask { try await $0.setHidden(true, "t2", receipt: nil) }
            #expect(try await scene.total == UnreadTotal(unreadCount: 2, threadCount: 1))
            _ = try await scene.ann.ask { try await $0.setHidden(false, "t2", receipt: nil) }
            #expect(try await scene.total == UnreadTotal(unreadCount: 3, threadCount: 2))
            _ = try await scene.ann.ask { try await $0.markRead("t1", receipt: nil) }
            #expect(try await scene.total == UnreadTotal(unreadCount: 1, threadCount: 1))
            _ = try await scene.ann.ask { try await $0.leave("t2", receipt: nil) }
            #expect(try await scene.total == .zero)
        }
    }

    @Test func anInvitationCountsOnceItIsAccepted() async throws {
        try await run { scene in
            let members = [MemberDraft(id: "bob"), MemberDraft(id: "ann", state: .invited)]
            _ = try await scene.local.desk.createThread(
                DeskThreadDraft(id: "g1", channel: "multi", members: members), receipt: nil)
            try await scene.answer("m1", to: "g1")
            #expect(try await scene.total == .zero)
            _ = try await scene.ann.ask { try await $0.join("g1", receipt: nil) }
            #expect(try await scene.total == UnreadTotal(unreadCount: 1, threadCount: 1))
        }
    }

    @Test func aSessionWithAScreenIsToldEachOtherTotalOnce() async throws {
        try await run { scene in
            try await scene.answer("m0", to: "t1")
            try await scene.ann.show("t3")
            try await scene.answer("m1", to: "t1")
            let two = UnreadTotal(unreadCount: 2, threadCount: 1)
            #expect(try await scene.told(two) == [two])
            // What leaves the total as it is tells nothing.
            _ = try await scene.ann.ask { try await $0.rename("t1", to: "Order", ifMatch: nil) }
            _ = try await scene.ann.send(MessageDraft(id: "own", text: "Hello"), to: "t2", receipt: nil)
            try await scene.answer("m2", to: "t2")
            let three = UnreadTotal(unreadCount: 3, threadCount: 2)
            #expect(try await scene.told(three) == [two, three])
            _ = try await scene.ann.ask { try await $0.leave("t2", receipt: nil) }
            #expect(try await scene.told(two) == [two, three, two])
            _ = try await scene.ann.ask { try await $0.markRead("t1", receipt: nil) }
            #expect(try await scene.told(.zero) == [two, three, two, .zero])
        }
    }

    @Test func whatWasReadLastIsTheViewpointOfWhatWasNot() async throws {
        try await run { scene in
            #expect(try await scene.lastReadAt("t1") == nil)
            try await scene.answer("m1", to: "t1")
            let time = scene.local.environment.now
            #expect(try await scene.lastReadAt("t1") == nil)
            scene.local.environment.advance(milliseconds: 1000)
            _ = try await scene.ann.ask { try await $0.markRead("t1", receipt: nil) }
            #expect(try await scene.lastReadAt("t1") == time)
            try await scene.answer("m2", to: "t1")
            try await scene.answer("m3", to: "t1")
            #expect(try await scene.lastReadAt("t1") == time)
            // The event says the same as the thread, from the ring and from the database.
            let events = try await scene.local.store.replay([.account(scene.ann.account)], after: 0, limit: 1 << 20)
                .events
            for event in [events.last, scene.local.recorder.events.last { $0.type == .threadUpdated }] {
                let json = try JSONParser.parse(try #require(event).data(for: .account(scene.ann.account)))
                #expect(json[path: "thread", "lastReadAt"] == .string(time.rfc3339))
                #expect(json[path: "thread", "unreadCount"] == .integer(2))
            }
        }
    }
}
