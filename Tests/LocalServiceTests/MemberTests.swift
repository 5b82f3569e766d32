import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Threads of several customers on the embedded service.
@Suite struct MemberTests {
    private let thread = DeskThread(id: "g1")

    private struct Group {
        var local: Local
        var ann: Person
        var bob: Person
        var eve: Person
    }

    /// A thread of Ann and Bob, made at the desk; Eve has an account and no part in it.
    private func run(
        _ members: [MemberDraft] = [MemberDraft(id: "ann", firstName: "Ann"), MemberDraft(id: "bob")],
        _ body: (Group) async throws -> Void
    ) async throws {
        try await Local.run { local in
            let group = Group(
                local: local, ann: try await local.person("ann"), bob: try await local.person("bob"),
                eve: try await local.person("eve"))
            _ = try local.log()
            let draft = DeskThreadDraft(id: "g1", channel: "multi", members: members, name: "Group", customType: "team")
            _ = try await local.desk.createThread(draft, receipt: nil)
            try await body(group)
        }
    }

    @Test func creatingAThreadGivesEachMemberOneEvent() async throws {
        try await run { group in
            // The desk has given Ann a name.
            #expect(try group.local.log() == ["customer.updated ann d", "thread.created g1 ccd"])
            for person in [group.ann, group.bob] {
                let threads = try person.threads()
                #expect(threads.map { $0["id"] } == [.string("g1")])
                #expect(threads[0]["customType"] == .string("team") && threads[0]["state"] == .string("ready"))
                #expect(threads[0]["members"]?.array?.map { $0["id"] } == [.string("ann"), .string("bob")])
                #expect(threads[0]["memberState"] == nil && threads[0]["hidden"] == nil)
            }
            #expect(try group.eve.threads().isEmpty)
            #expect(try group.local.deskThread("g1")[path: "customer", "firstName"] == .string("Ann"))
        }
    }

    @Test func whoWasAddedHearsOfTheThreadAfterItsLastMessageWasRemoved() async throws {
        try await run { group in
            let (local, eve) = (group.local, group.eve)
            try await group.ann.send("m1", "kaleidoscope", to: "g1")
            _ = try await local.desk.add([MemberDraft(id: "eve")], to: thread, receipt: nil)
            try await group.ann.send("m2", "more", to: "g1")
            try await local.desk.remove("m1", in: thread, ifMatch: nil)
            func check(_ events: [LogEvent]) throws {
                let mine = events.filter { $0.audiences.contains(.account(eve.account)) }
                #expect(
                    mine.map(\.type) == [
                        .threadCreated, .messageCreated, .threadUpdated, .messageRemoved, .threadUpdated,
                    ])
                let created = try JSONParser.parse(mine.first?.data(for: .account(eve.account)) ?? [])
                #expect(created[path: "thread", "id"] == .string("g1") && created[path: "thread", "lastMessage"] == nil)
                #expect(created[path: "thread", "unreadCount"] == .integer(0))
            }
            try check(try await local.store.replay([.account(eve.account)], after: 0, limit: 1 << 20).events)
            guard case .events(let events, _) = local.store.feed.read([.account(eve.account)], after: 0, limit: .max)
            else {
                Issue.record("the ring does not begin at the start")
                return
            }
            try check(events)
        }
    }

    @Test func creatingAThreadAgainIsTheSame() async throws {
        try await run { group in
            let draft = DeskThreadDraft(
                id: "g1", channel: "multi", members: [MemberDraft(id: "ann"), MemberDraft(id: "bob")], name: "Group",
                customType: "team")
            let again = try await group.local.desk.createThread(draft, receipt: nil)
            #expect(again.kind == .ok)
            var other = draft
            other.name = "Other"
            #expect(await refusal { try await group.local.desk.createThread(other, receipt: nil) } == .threadIdConflict)
            other.members = [MemberDraft(id: "eve"), MemberDraft(id: "ann")]
            #expect(await refusal { try await group.local.desk.createThread(other, receipt: nil) } == .threadIdConflict)
            #expect(try group.eve.threads().isEmpty)
        }
    }

    @Test func aThreadHasOneToAHundredDifferentMembersOnAMultiThreadChannel() async throws {
        try await run { group in
            func code(_ channel: String, _ ids: [String]) async -> ChatError.Code? {
                let draft = DeskThreadDraft(channel: channel, members: ids.map { MemberDraft(id: $0) })
                return await refusal { try await group.local.desk.createThread(draft, receipt: nil) }
            }
            #expect(await code("multi", []) == .invalidParameter)
            #expect(await code("multi", ["a", "a"]) == .invalidParameter)
            #expect(await code("multi", (0...100).map { "c\($0)" }) == .invalidParameter)
            #expect(await code("multi", (0..<100).map { "c\($0)" }) == nil)
            #expect(await code("single", ["a", "b"]) == .unsupportedChannelConfig)
            #expect(await code("none", ["a"]) == .unknownChannel)
        }
    }

    @Test func eachMemberCountsWhatOthersWrote() async throws {
        try await run { group in
            func counts() throws -> [Int64?] {
                [
                    try group.ann.thread("g1")["unreadCount"]?.integer,
                    try group.bob.thread("g1")["unreadCount"]?.integer,
                    try group.local.deskThread("g1")["deskUnreadCount"]?.integer,
                ]
            }
            try await group.ann.send("m1", to: "g1")
            #expect(try counts() == [0, 1, 1])
            try await group.bob.send("m2", to: "g1")
            _ = try await group.local.send("m3", to: "g1")
            #expect(try counts() == [2, 2, 2])
            _ = try await group.ann.connection.markRead("g1", receipt: nil)
            #expect(try counts() == [0, 2, 2])
            // One that Ann has read and Bob has not.
            try await group.local.desk.remove("m3", in: thread, ifMatch: nil)
            #expect(try counts() == [0, 1, 2])
            try await group.bob.connection.remove("m2", in: "g1", ifMatch: nil)
            #expect(try counts() == [0, 1, 1])
            try await group.ann.connection.remove("m1", in: "g1", ifMatch: nil)
            #expect(try counts() == [0, 0, 0])
        }
    }

    @Test func seenMarksAndTypingReachTheOtherMembers() async throws {
        try await run { group in
            _ = try await group.local.send("m1", to: "g1")
            try await group.bob.send("m2", to: "g1")
            let recorder = EventRecorder(group.local.store.feed)
            _ = try await group.ann.connection.markRead("g1", receipt: nil)
            let seen = try #require(recorder.take().first { $0.type == .messageUpdated })
            #expect(Set(seen.audiences) == [.account(group.ann.account), .account(group.bob.account), .desk])
            #expect(try group.bob.message("m1", in: "g1")?["status"] == .string("seen"))
            // A customer's message is seen when the desk has read it.
            #expect(try group.bob.message("m2", in: "g1")?["status"] == .string("delivered"))
            try await group.bob.connection.reportTyping(true, in: "g1")
            let heard = recorder.take()
            let typing = heard.filter { $0.type == .typing }
            #expect(heard.map(\.type) == [.typing, .typing])
            try #require(typing.count == 2)
            #expect(typing.map(\.audiences) == [[.desk], [.account(group.ann.account)]])
            #expect(try JSONParser.parse(typing[1].data)[path: "author", "id"] == .string("bob"))
        }
    }

    @Test func whatOneMemberHasSeenStaysSeenWhenTheMemberLeaves() async throws {
        try await run { group in
            for index in 0..<150 { _ = try await group.local.send("m\(index)", to: "g1") }
            _ = try await group.ann.connection.markRead("g1", receipt: nil)
            #expect(try group.bob.message("m0", in: "g1")?["status"] == .string("seen"))
            _ = try await group.ann.connection.leave("g1", receipt: nil)
            #expect(try group.bob.message("m0", in: "g1")?["status"] == .string("seen"))
        }
    }

    @Test func everyoneWritesAsHimselfAndChangesHisOwnAlone() async throws {
        try await run { group in
            try await group.ann.send("m1", to: "g1")
            #expect(try group.bob.message("m1", in: "g1")?[path: "author", "name"] == .string("Ann"))
            #expect(
                await refusal { try await group.bob.connection.edit("m1", in: "g1", text: "x", ifMatch: nil) }
                    == .notAuthor)
            #expect(await refusal { try await group.bob.connection.remove("m1", in: "g1", ifMatch: nil) } == .notAuthor)
            #expect(await refusal { try await group.bob.send("m1", to: "g1") } == .messageIdConflict)
            #expect(
                await refusal { try await group.local.desk.edit("m1", in: thread, text: "x", ifMatch: nil) }
                    == .notAuthor)
            _ = try await group.ann.connection.edit("m1", in: "g1", text: "x", ifMatch: nil)
            // The desk may remove any.
            try await group.local.desk.remove("m1", in: thread, ifMatch: nil)
        }
    }

    @Test func theInvitedReadAndTakePartOnceTheyHaveJoined() async throws {
        try await run { group in
            try await group.ann.send("m1", to: "g1")
            _ = try group.local.log()
            _ = try await group.local.desk.add([MemberDraft(id: "eve", state: .invited)], to: thread, receipt: nil)
            #expect(try group.local.log() == ["thread.created g1 c", "thread.updated g1 ccd"])
            let seen = try group.eve.thread("g1")
            #expect(seen["memberState"] == .string("invited") && seen["unreadCount"] == .integer(0))
            #expect(try group.eve.threads().first == seen)
            #expect(try group.eve.messages("g1").count == 1)
            #expect(await refusal { try await group.eve.send("m2", to: "g1") } == .notJoined)
            #expect(await refusal { try await group.eve.connection.markRead("g1", receipt: nil) } == .notJoined)
            #expect(await refusal { try await group.eve.connection.reportTyping(true, in: "g1") } == .notJoined)
            #expect(await refusal { try await group.eve.connection.rename("g1", to: "x", ifMatch: nil) } == .notJoined)
            try await group.ann.send("m3", to: "g1")
            #expect(try group.eve.thread("g1")["unreadCount"] == .integer(1))
            _ = try group.local.log()
            _ = try await group.eve.connection.join("g1", receipt: nil)
            _ = try await group.eve.connection.join("g1", receipt: nil)
            #expect(try group.local.log() == ["thread.updated g1 c"])
            #expect(try group.eve.thread("g1")["memberState"] == nil)
            try await group.eve.send("m2", to: "g1")
            #expect(try group.bob.thread("g1")["members"]?.array?.count == 3)
        }
    }

    @Test func nothingMoreReachesWhoHasLeft() async throws {
        try await run { group in
            for index in 0..<3 { try await group.ann.send("m\(index)", to: "g1") }
            let first = try await group.local.store.messagePage(
                of: group.bob.account, thread: "g1", PageRequest(limit: 2, cursor: nil))
            _ = try group.local.log()
            _ = try await group.bob.connection.leave("g1", receipt: nil)
            #expect(try group.local.log() == ["thread.removed g1 c", "thread.updated g1 cd"])
            let left = group.local.store.feed.head - 1
            // Nor what was kept in memory for him.
            #expect(
                await refusal {
                    try await group.local.store.messagePage(
                        of: group.bob.account, thread: "g1", PageRequest(limit: 2, cursor: nil))
                } == .unknownThread)
            try await group.ann.send("later", to: "g1")
            #expect(await refusal { try group.bob.thread("g1") } == .unknownThread)
            #expect(try group.bob.threads().isEmpty)
            for cursor in [nil, first.next] {
                #expect(
                    await refusal {
                        try await group.local.store.messagePage(
                            of: group.bob.account, thread: "g1", PageRequest(limit: 2, cursor: cursor))
                    } == .unknownThread)
            }
            #expect(await refusal { try await group.bob.send("m9", to: "g1") } == .unknownThread)
            #expect(await refusal { try await group.bob.connection.leave("g1", receipt: nil) } == .unknownThread)
            let replay = try await group.local.store.replay([.account(group.bob.account)], after: 0, limit: 1 << 20)
            #expect(replay.events.last?.type == .threadRemoved && replay.events.last?.offset == left)
            #expect(try group.ann.thread("g1")["members"]?.array?.map { $0["id"] } == [.string("ann")])
        }
    }

    @Test func theDeskKeepsAThreadWhoseOwnerHasLeft() async throws {
        try await run { group in
            try await group.ann.send("m1", to: "g1")
            _ = try await group.ann.connection.leave("g1", receipt: nil)
            #expect(
                try await items(
                    group.local.desk.messages(of: thread, replies: .all, page: PageRequest(limit: 5, cursor: nil))
                ).count == 1)
            _ = try await group.local.send("m2", to: "g1")
            #expect(try group.bob.messages("g1").count == 2)
            // The id is Ann's again.
            try await group.ann.create("g1")
            try await group.ann.send("own", to: "g1")
            #expect(try group.ann.messages("g1").map { $0["id"] } == [.string("own")])
            #expect(await refusal { try await group.local.send("m3", to: "g1") } == .ambiguousThread)
        }
    }

    @Test func theDeskTakesAMemberOut() async throws {
        try await run { group in
            _ = try group.local.log()
            try await group.local.desk.remove(member: "bob", from: thread)
            #expect(try group.local.log() == ["thread.removed g1 c", "thread.updated g1 cd"])
            #expect(
                await refusal { try await group.local.desk.remove(member: "bob", from: thread) } == .unknownCustomer)
            #expect(try group.bob.threads().isEmpty)
            _ = try await group.local.desk.add([MemberDraft(id: "bob")], to: thread, receipt: nil)
            #expect(try group.bob.thread("g1")["memberState"] == nil)
        }
    }

    /// Who was taken out, and was away when it happened, learns it after the thread has been removed, too.
    @Test func whoHadLeftIsStillToldAfterTheThreadIsRemoved() async throws {
        try await run { group in
            try await group.local.desk.remove(member: "bob", from: thread)
            try await group.local.desk.remove(thread, ifMatch: nil)
            while try await group.local.store.write({ try $0.eraseHistory() }) {}
            let replay = try await group.local.store.replay([.account(group.bob.account)], after: 0, limit: 1 << 20)
            #expect(replay.events.map(\.type) == [.threadRemoved])
        }
    }

    @Test func aHiddenThreadComesBackWithTheNextMessage() async throws {
        try await run { group in
            try await group.ann.send("m1", to: "g1")
            _ = try group.local.log()
            let outcome = try await group.bob.connection.setHidden(true, "g1", receipt: nil)
            #expect(try JSONParser.parse(outcome.body)["hidden"] == .bool(true))
            #expect(try group.local.log() == ["thread.updated g1 c"])
            #expect(try group.bob.threads().first?["hidden"] == .bool(true))
            #expect(try group.ann.thread("g1")["hidden"] == nil)
            // A reply beside the conversation shows nothing there.
            try await group.ann.reply("r1", to: "m1", in: "g1", alsoInThread: false)
            #expect(try group.bob.thread("g1")["hidden"] == .bool(true))
            try await group.ann.send("m2", to: "g1")
            #expect(try group.bob.thread("g1")["hidden"] == nil)
            _ = try await group.bob.connection.setHidden(true, "g1", receipt: nil)
            _ = try await group.bob.connection.setHidden(false, "g1", receipt: nil)
            #expect(try group.bob.thread("g1")["hidden"] == nil)
            _ = try group.local.log()
            _ = try await group.bob.connection.setHidden(false, "g1", receipt: nil)
            #expect(try group.local.log().isEmpty)
        }
    }

    @Test func theDeskChangesNameAndType() async throws {
        try await run { group in
            let version = try await group.local.desk.thread(thread).version
            _ = try await group.local.desk.update(thread, DeskThreadPatch(customType: .some("vip")), ifMatch: version)
            #expect(try group.ann.thread("g1")["customType"] == .string("vip"))
            #expect(try group.ann.thread("g1")["name"] == .string("Group"))
            _ = try await group.local.desk.update(
                thread, DeskThreadPatch(name: .some(nil), customType: .some(nil)), ifMatch: nil)
            #expect(try group.ann.thread("g1")["customType"] == nil && group.ann.thread("g1")["name"] == nil)
            #expect(
                await refusal {
                    try await group.local.desk.update(thread, DeskThreadPatch(name: .some("x")), ifMatch: version)
                } == .preconditionFailed)
        }
    }

    @Test func aMessageOfTheSystemTakesNoReplies() async throws {
        try await run { group in
            let draft = MessageDraft(id: "s1", text: "Bob came in", customType: "notice", isAdmin: true)
            _ = try await group.local.desk.send(draft, as: Local.agent, to: thread, receipt: nil)
            let message = try #require(try group.ann.message("s1", in: "g1"))
            #expect(message["type"] == .string("admin") && message[path: "author", "kind"] == .string("system"))
            #expect(message["customType"] == .string("notice"))
            #expect(await refusal { try await group.ann.reply("r1", to: "s1", in: "g1") } == .replyNotAllowed)
            #expect(await refusal { try await group.local.reply("r1", to: "s1", in: "g1") } == .replyNotAllowed)
            _ = try await group.local.send("m1", to: "g1")
            let reply = MessageDraft(text: "x", parentID: "m1", isAdmin: true)
            #expect(
                await refusal { try await group.local.desk.send(reply, as: Local.agent, to: thread, receipt: nil) }
                    == .invalidParameter)
        }
    }
}
