import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Reply threads (Sendbird's message threads) on the embedded service.
@Suite struct ReplyTests {
    private let thread = DeskThread(id: "t1")

    private func run(_ body: (Local, Person) async throws -> Void) async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await person.send("m1", "parent", to: "t1")
            _ = try local.log()
            try await body(local, person)
        }
    }

    @Test func aMessageBecomesAParentWithItsFirstReply() async throws {
        try await run { local, person in
            #expect(try person.message("m1", in: "t1")?["replyInfo"] == nil)
            try await person.reply("r1", to: "m1", in: "t1")
            let reply = try #require(try person.message("r1", in: "t1"))
            #expect(reply["parentId"] == .string("m1") && reply["alsoInThread"] == .bool(true))
            let info = try #require(try person.message("m1", in: "t1")?["replyInfo"])
            #expect(info["count"] == .integer(1) && info["lastRepliedAt"] == reply["createdAt"])
            #expect(info["mostReplies"]?.array?.compactMap { $0["id"]?.string } == ["c1"])
        }
    }

    @Test func aReplyBesideTheConversationOpensAContactWhereNoneIsOpen() async throws {
        try await run { local, person in
            _ = try await local.desk.endContact(thread, receipt: nil)
            try await person.reply("r1", to: "m1", in: "t1", alsoInThread: false)
            let first = try local.deskThread("t1")
            #expect(first["contactId"] == .string("2") && first["contactClosedAt"] == nil)
            try await person.reply("r2", to: "m1", in: "t1", alsoInThread: false)
            #expect(try local.deskThread("t1") == first)
        }
    }

    @Test func aReplyBesideTheConversationCanBeTheFirstMessageOfAThread() async throws {
        try await Local.run { local in
            var settings = ChannelSettings()
            settings.welcomeMessage = .some("Welcome")
            _ = try await local.desk.update(channel: "multi", settings)
            let person = try await local.person()
            try await person.create("t1")
            let welcome = try #require(try person.messages("t1").first?["id"]?.string)
            try await person.reply("r1", to: welcome, in: "t1", alsoInThread: false)
            #expect(try person.thread("t1")["state"] == .string("ready"))
            #expect(try local.deskThreads().map { $0["id"] } == [.string("t1")])
        }
    }

    @Test func depthIsOneAndTheParentMustBeThere() async throws {
        try await run { local, person in
            try await person.reply("r1", to: "m1", in: "t1")
            #expect(await refusal { try await person.reply("r2", to: "r1", in: "t1") } == .replyDepthExceeded)
            #expect(await refusal { try await local.reply("r2", to: "r1", in: "t1") } == .replyDepthExceeded)
            #expect(await refusal { try await person.reply("r2", to: "none", in: "t1") } == .unknownParent)
            let draft = MessageDraft(text: "no reply", alsoInThread: false)
            #expect(throws: ChatError.self) { try draft.check() }
            #expect(try await local.replies(to: "m1") == ["r1"])
        }
    }

    @Test func aReplyBesideTheConversationIsInTheListsThatAskForIt() async throws {
        try await run { local, person in
            try await person.reply("r1", to: "m1", in: "t1", alsoInThread: false)
            try await local.reply("r2", to: "m1", in: "t1")
            func ids(_ replies: ReplyFilter) async throws -> [String?] {
                try await items(
                    local.store.messagePage(
                        of: person.account, thread: "t1", replies: replies, PageRequest(limit: 10, cursor: nil))
                )
                .map { $0["id"]?.string }
            }
            for _ in 0..<2 {  // From the database, and from memory.
                #expect(try await ids(.alsoInThread) == ["r2", "m1"])
                #expect(try await ids(.none) == ["m1"])
                #expect(try await ids(.all) == ["r2", "r1", "m1"])
            }
            #expect(try await local.replies(to: "m1") == ["r1", "r2"])
        }
    }

    @Test func aCursorIsGoodForTheListThatGaveItAlone() async throws {
        try await run { local, person in
            for index in 0..<4 { try await person.reply("r\(index)", to: "m1", in: "t1", alsoInThread: index % 2 == 0) }
            func page(_ replies: ReplyFilter, _ cursor: String?) async throws -> PageBytes {
                try await local.store.messagePage(
                    of: person.account, thread: "t1", replies: replies, PageRequest(limit: 2, cursor: cursor))
            }
            let first = try await page(.all, nil)
            let second = try await page(.all, first.next)
            #expect(try items(first).map { $0["id"]?.string } == ["r3", "r2"])
            #expect(try items(second).map { $0["id"]?.string } == ["r1", "r0"])
            await #expect(throws: ChatError.self) { try await page(.alsoInThread, first.next) }
            await #expect(throws: ChatError.self) { try await page(.none, first.next) }
        }
    }

    @Test func theParentTellsOfUpToFiveAuthorsMostRepliesFirst() async throws {
        try await run { local, person in
            for (agent, count) in [("a", 1), ("b", 3), ("c", 2), ("d", 2), ("e", 4), ("f", 1)] {
                for index in 0..<count {
                    try await local.reply("\(agent)\(index)", to: "m1", in: "t1", as: Agent(id: agent, name: agent))
                }
            }
            func most() throws -> [String?]? {
                try person.message("m1", in: "t1")?[path: "replyInfo", "mostReplies"]?.array?.map { $0["id"]?.string }
            }
            #expect(try most() == ["e", "b", "c", "d", "a"])
            for index in 0..<4 { try await local.desk.remove("e\(index)", in: thread, ifMatch: nil) }
            #expect(try most() == ["b", "c", "d", "a", "f"])
            let info = try #require(try person.message("m1", in: "t1")?["replyInfo"])
            #expect(info["count"] == .integer(9))
        }
    }

    @Test func aChangeOfTheRepliesGoesOutAsThreadInfo() async throws {
        try await run { local, person in
            let before = try await local.desk.message("m1", in: thread).version
            try await person.reply("r1", to: "m1", in: "t1")
            #expect(try local.log() == ["message.created r1 cd", "thread.info m1 cd", "thread.updated t1 cd"])
            let version = try await local.desk.message("m1", in: thread).version
            #expect(version > before)
            try await person.reply("r2", to: "m1", in: "t1", alsoInThread: false)
            #expect(try local.log() == ["message.created r2 cd", "thread.info m1 cd"])
            #expect(try await local.desk.message("m1", in: thread).version > version)
            try await person.connection.remove("r1", in: "t1", ifMatch: nil)
            #expect(try local.log() == ["message.removed r1 cd", "thread.info m1 cd", "thread.updated t1 cd"])
            try await person.connection.remove("r2", in: "t1", ifMatch: nil)
            #expect(try local.log() == ["message.removed r2 cd", "thread.info m1 cd"])
            let info = try #require(try person.message("m1", in: "t1")?["replyInfo"])
            #expect(info["count"] == .integer(0) && info["lastRepliedAt"] == nil && info["mostReplies"] == .array([]))
        }
    }

    @Test func eachInfoIsLaterThanTheOneBefore() async throws {
        try await run { local, person in
            let recorder = EventRecorder(local.store.feed)
            for index in 0..<3 {  // The clock stands still.
                try await person.reply("r\(index)", to: "m1", in: "t1")
                local.environment.advance(milliseconds: -10)
            }
            let times = try recorder.take().filter { $0.type == .threadInfo }.map {
                try JSONParser.parse($0.data)[path: "replyInfo", "updatedAt"]?.string ?? ""
            }
            #expect(times.count == 3 && times == Set(times).sorted())
        }
    }

    @Test func aParentWithRepliesCannotBeDeleted() async throws {
        try await run { local, person in
            try await person.reply("r1", to: "m1", in: "t1")
            #expect(
                await refusal { try await person.connection.remove("m1", in: "t1", ifMatch: nil) } == .parentHasReplies)
            try await person.connection.remove("r1", in: "t1", ifMatch: nil)
            try await person.connection.remove("m1", in: "t1", ifMatch: nil)
            #expect(try person.messages("t1").isEmpty)
            #expect(await refusal { try await local.replies(to: "m1") } == .unknownMessage)
        }
    }

    @Test func whoHasWrittenAReplyOrItsParentHasAPart() async throws {
        try await run { local, person in
            func hasPart(_ kind: Author.Kind, _ id: String) async throws -> Bool {
                try await local.store.read { [account = person.account] transaction in
                    let record = try #require(try transaction.thread("t1", of: account))
                    return try transaction.hasPart(in: "m1", of: record, Author(id: id, kind: kind))
                }
            }
            #expect(try await hasPart(.customer, "c1"))
            #expect(try await !hasPart(.agent, "a1"))
            try await local.reply("r1", to: "m1", in: "t1")
            try await person.reply("r2", to: "m1", in: "t1")
            #expect(try await hasPart(.agent, "a1"))
            #expect(try await !hasPart(.agent, "c1"))
            #expect(try await !hasPart(.customer, "c2"))
            try await local.desk.remove("r1", in: thread, ifMatch: nil)
            #expect(try await !hasPart(.agent, "a1"))
            #expect(try await hasPart(.customer, "c1"))
        }
    }

    @Test func theConversationCountsRepliesThatAreAlsoInIt() async throws {
        try await run { local, person in
            _ = try await local.desk.markRead(thread, receipt: nil)
            func unread() throws -> [JSONValue?] {
                [try person.thread("t1")["unreadCount"], try local.deskThread("t1")["deskUnreadCount"]]
            }
            func last() throws -> JSONValue? { try person.thread("t1")[path: "lastMessage", "id"] }
            try await person.reply("r1", to: "m1", in: "t1", alsoInThread: false)
            try await local.reply("r2", to: "m1", in: "t1", alsoInThread: false)
            #expect(try unread() == [.integer(0), .integer(0)])
            #expect(try last() == .string("m1"))
            try await person.reply("r3", to: "m1", in: "t1")
            try await local.reply("r4", to: "m1", in: "t1")
            #expect(try unread() == [.integer(1), .integer(1)])
            #expect(try last() == .string("r4"))
            try await person.connection.remove("r1", in: "t1", ifMatch: nil)
            try await local.desk.remove("r2", in: thread, ifMatch: nil)
            #expect(try unread() == [.integer(1), .integer(1)])
            try await local.desk.remove("r4", in: thread, ifMatch: nil)
            #expect(try unread() == [.integer(0), .integer(1)])
            #expect(try last() == .string("r3"))
        }
    }

    @Test func aPageOfRepliesStandsAroundItsStartingPoint() async throws {
        try await run { local, person in
            var times: [Timestamp] = []
            for index in 0..<7 {
                local.environment.advance(milliseconds: 10)
                times.append(local.environment.now)
                try await person.reply("r\(index)", to: "m1", in: "t1", alsoInThread: index % 2 == 0)
                if index == 3 { try await person.reply("same", to: "m1", in: "t1") }
            }
            func page(_ change: (inout ReplyRequest) -> Void) async throws -> [String] {
                var request = ReplyRequest()
                change(&request)
                let json = try JSONParser.parse(
                    await local.desk.replies(to: "m1", in: thread, request).body + Array("}".utf8))
                #expect(json[path: "parent", "id"] == .string("m1"))
                let ids = json["items"]?.array?.compactMap { $0["id"]?.string } ?? []
                return ids
                    + [json["hasPrevious"] == .bool(true) ? "<" : "", json["hasNext"] == .bool(true) ? ">" : ""].filter
                { !$0.isEmpty }
            }
            let all = ["r0", "r1", "r2", "r3", "same", "r4", "r5", "r6"]
            #expect(try await page { _ in } == all)
            #expect(try await page { $0.previous = 2 } == ["r5", "r6", "<"])
            #expect(try await page { ($0.from, $0.next) = (Timestamp(milliseconds: 0), 3) } == ["r0", "r1", "r2", ">"])
            #expect(
                try await page { ($0.from, $0.previous, $0.next) = (times[3], 1, 1) } == [
                    "r2", "r3", "same", "r4", "<", ">",
                ])
            #expect(
                try await page { ($0.from, $0.previous, $0.next, $0.isReversed) = (times[3], 1, 1, true) } == [
                    "r4", "same", "r3", "r2", "<", ">",
                ])
            #expect(
                try await page { ($0.from, $0.previous, $0.next, $0.isInclusive) = (times[3], 3, 3, false) } == [
                    "r0", "r1", "r2", "r4", "r5", "r6",
                ])
            #expect(try await page { ($0.from, $0.previous, $0.next) = (times[0], 0, 0) } == ["r0", ">"])
            #expect(try await page { ($0.from, $0.previous, $0.next) = (times[6], 0, 0) } == ["r6", "<"])
        }
    }

    @Test func aPageOfRepliesIsFiltered() async throws {
        try await run { local, person in
            try await local.reply("a1", to: "m1", in: "t1")
            _ = try await person.connection.send(
                MessageDraft(id: "x1", text: "x", customType: "x", parentID: "m1"), to: "t1", receipt: nil)
            try await person.reply("r1", to: "m1", in: "t1")
            func ids(_ change: (inout ReplyRequest) -> Void) async throws -> [String] {
                var request = ReplyRequest()
                change(&request)
                return try items(await local.desk.replies(to: "m1", in: thread, request)).compactMap {
                    $0["id"]?.string
                }
            }
            #expect(try await ids { $0.senderIDs = ["c1"] } == ["x1", "r1"])
            #expect(try await ids { $0.customTypes = ["x", "y"] } == ["x1"])
            #expect(try await ids { $0.types = [.text] } == ["a1", "x1", "r1"])
            #expect(try await ids { $0.types = [.file] } == [])
            #expect(try await ids { ($0.types, $0.senderIDs) = ([.text], ["a1"]) } == ["a1"])
        }
    }

    @Test func aReplySentAgainIsTheSame() async throws {
        try await run { local, person in
            let first = try await person.reply("r1", to: "m1", in: "t1", alsoInThread: false)
            let again = try await person.reply("r1", to: "m1", in: "t1", alsoInThread: false)
            #expect(again.kind == .ok && again.body == first.body)
            #expect(await refusal { try await person.reply("r1", to: "m1", in: "t1") } == .messageIdConflict)
            #expect(await refusal { try await person.send("r1", to: "t1") } == .messageIdConflict)
            #expect(try person.message("m1", in: "t1")?[path: "replyInfo", "count"] == .integer(1))
        }
    }

    @Test func timeDoesNotRunBackwardsBesideTheConversationEither() async throws {
        try await run { local, person in
            local.environment.advance(milliseconds: 100)
            try await person.reply("r1", to: "m1", in: "t1", alsoInThread: false)
            local.environment.advance(milliseconds: -50)
            try await person.send("m2", to: "t1")
            let all = try await items(
                local.store.messagePage(
                    of: person.account, thread: "t1", replies: .all, PageRequest(limit: 9, cursor: nil)))
            #expect(all.map { $0["id"]?.string } == ["m2", "r1", "m1"])
        }
    }

    @Test func readingTheThreadSeesTheRepliesBesideItToo() async throws {
        try await run { local, person in
            try await local.reply("r1", to: "m1", in: "t1", alsoInThread: false)
            _ = try await person.connection.markRead("t1", receipt: nil)
            func status(_ id: String) async throws -> JSONValue? {
                try await JSONParser.parse(local.desk.message(id, in: thread).body)["status"]
            }
            #expect(try await status("r1") == .string("seen"))
            _ = try await local.desk.markRead(thread, receipt: nil)
            try await person.reply("r2", to: "m1", in: "t1", alsoInThread: false)
            _ = try await local.desk.markRead(thread, receipt: nil)
            #expect(try await status("r2") == .string("seen"))
            _ = try local.log()
            _ = try await local.desk.markRead(thread, receipt: nil)
            _ = try await person.connection.markRead("t1", receipt: nil)
            #expect(try local.log().isEmpty)
        }
    }
}

extension Local {
    @discardableResult
    func reply(
        _ id: String, to parent: String, in thread: String, alsoInThread: Bool? = nil, as agent: Agent = Local.agent
    ) async throws -> Outcome {
        let draft = MessageDraft(id: id, text: "reply", parentID: parent, alsoInThread: alsoInThread)
        return try await desk.send(draft, as: agent, to: DeskThread(id: thread), receipt: nil)
    }

    func replies(to message: String, in thread: String = "t1") async throws -> [String] {
        try items(await desk.replies(to: message, in: DeskThread(id: thread), ReplyRequest())).compactMap {
            $0["id"]?.string
        }
    }
}

extension Person {
    @discardableResult
    func reply(_ id: String, to parent: String, in thread: String, alsoInThread: Bool? = nil) async throws -> Outcome {
        let draft = MessageDraft(id: id, text: "reply", parentID: parent, alsoInThread: alsoInThread)
        return try await connection.send(draft, to: thread, receipt: nil)
    }
}
