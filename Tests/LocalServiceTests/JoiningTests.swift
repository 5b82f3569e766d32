import ChatModel
import Formats
import TestSupport
import Testing

@testable import Chat
@testable import ChatStore
@testable import LocalService

/// A customer who wrote anonymously says who they are: what was written comes along.
@Suite struct JoiningTests {
    private static let visitor = "visitor-1"

    /// Joins the visitor's account to the one of `ada`, and returns her device.
    private static func join(
        _ visitor: String = visitor, on channel: String = "multi", in local: Local, failing: ChatError? = nil
    ) async throws -> (ada: Person, threads: [String]) {
        let service = local.service
        let joining = try await local.store.write { transaction in
            let key = AccountKey(service: "local", channel: channel, customer: visitor)
            guard let former = try transaction.account(key) else { throw ChatError(.unknownSession, "nobody") }
            var account = try transaction.openAccount(
                AccountKey(service: "local", channel: channel, customer: "ada"))
            account.customer.isVerified = true
            let joining = try service.join(former, to: &account, in: transaction)
            if let failing { throw failing }
            return joining
        }
        joining.finish()
        return (try await local.person("ada", on: channel), joining.threads)
    }

    private static func formerIDs(_ thread: JSONValue) -> [String] {
        thread[path: "members"]?.array?.first?["formerIds"]?.array?.compactMap(\.string) ?? []
    }

    @Test(.withPostgres, arguments: [false, true]) func whatWasWrittenGoesOn(isKnown: Bool) async throws {
        try await Local.run(onBothEngines: true) { local in
            if isKnown {
                let before = try await local.person("ada")
                try await before.create("old")
                try await before.send("m0", to: "old")
                local.environment.advance(milliseconds: 10)
            }
            let anonymous = try await local.person(Self.visitor)
            try await anonymous.create("t1", name: "Shoes")
            try await anonymous.send("m1", "Do you have size 42?", to: "t1")
            _ = try await local.send("a1", "Yes", to: "t1")
            _ = local.recorder.take()
            let (ada, threads) = try await Self.join(in: local)
            #expect(threads == ["t1"])

            #expect(try anonymous.threads().isEmpty)
            #expect(try ada.threads().compactMap { $0["id"]?.string } == (isKnown ? ["t1", "old"] : ["t1"]))
            let thread = try ada.thread("t1")
            #expect(thread["unreadCount"]?.integer == 1 && thread["name"] == .string("Shoes"))
            #expect(Self.formerIDs(thread) == [Self.visitor])
            #expect(try ada.messages("t1").compactMap { $0["id"]?.string } == ["a1", "m1"])

            // Each is told what concerns it, the desk with both customers.
            let events = local.recorder.take()
            func told(_ audience: Audience) throws -> [String] {
                try events.filter { $0.audiences.contains(audience) }.map { event in
                    let json = try JSONParser.parse(event.data(for: audience))
                    let customer = json["customer"] ?? json[path: "thread", "customer"]
                    let words = [event.type.rawValue, customer?["id"]?.string, json["movedTo"]?.string]
                    return words.compactMap(\.self).joined(separator: " ")
                }
            }
            #expect(try told(.account(anonymous.account)) == ["thread.removed"])
            #expect(try told(.account(ada.account)) == ["thread.created"])
            #expect(try told(.desk) == ["thread.removed \(Self.visitor) ada", "thread.updated ada"])

            // Both go on, the agent also under the former name.
            try await ada.send("m2", "And in blue?", to: "t1")
            let former = DeskThread(id: "t1", channel: "multi", customer: Self.visitor)
            _ = try await local.desk.send(
                MessageDraft(id: "a2", text: "Also"), as: Local.agent, to: former, receipt: nil)
            #expect(try ada.messages("t1").compactMap { $0["id"]?.string } == ["a2", "m2", "a1", "m1"])
            #expect(try local.store.faults() == [])
        }
    }

    @Test func formerMessagesAreOwnOnes() async throws {
        try await Local.run { local in
            let anonymous = try await local.person(Self.visitor)
            try await anonymous.create("t1")
            for id in ["m1", "m2"] { try await anonymous.send(id, to: "t1") }
            let ada = try await Self.join(in: local).ada
            #expect(
                try await ada.connection.send(MessageDraft(id: "m1", text: "text"), to: "t1", receipt: nil).kind == .ok,
                "a repeated one is the same")
            _ = try await ada.connection.edit("m1", in: "t1", text: "better", ifMatch: nil)
            try await ada.connection.remove("m2", in: "t1", ifMatch: nil)
            #expect(try ada.thread("t1")["unreadCount"]?.integer == 0)
            let message = try #require(try ada.message("m1", in: "t1"))
            #expect(message[path: "author", "id"] == .string(Self.visitor))
            let own = try Message(json: message)
            #expect(try await local.store.read { try $0.thread(telling: ada.account, of: own) } == nil)
            // Somebody else's are not.
            let ben = try await local.person("ben")
            #expect(try await !local.store.read { try $0.account(ben.account).wrote(own) })
            #expect(try local.store.faults() == [])
        }
    }

    /// The unit fails when all is done: nothing is.
    @Test(.withPostgres) func whatFailsChangesNothing() async throws {
        try await Local.run(onBothEngines: true) { local in
            // PostgreSQL gives no number twice, also where the unit fails.
            let known = try await local.person("ada")
            let anonymous = try await local.person(Self.visitor)
            try await anonymous.create("t1")
            try await anonymous.send("m1", to: "t1")
            let (before, head) = (try anonymous.thread("t1"), local.store.feed.head)
            await #expect(throws: ChatError.self) {
                try await Self.join(in: local, failing: ChatError(.storageFailed, "the end"))
            }
            #expect(try anonymous.thread("t1") == before && local.store.feed.head == head)
            #expect(try known.threads().isEmpty)
            let accounts = try await local.store.read { transaction in
                try [known.account, anonymous.account].map { try transaction.account($0) }
            }
            #expect(accounts.allSatisfy { $0.former.isEmpty && $0.joinedTo == nil && !$0.customer.isVerified })
            try await anonymous.send("m2", to: "t1")
            _ = try await Self.join(in: local)
            #expect(try local.store.faults() == [])
        }
    }

    @Test func theNewestComeAlongAndAnIDOnlyOnce() async throws {
        try await Local.run { local in
            let before = try await local.person("ada")
            try await before.create("t25")
            let anonymous = try await local.person(Self.visitor)
            for number in 1...25 {
                local.environment.advance(milliseconds: 1)
                try await anonymous.create("t\(number)")
                try await anonymous.send("m1", to: "t\(number)")
            }
            let (ada, threads) = try await Self.join(in: local)
            #expect(threads == (5...24).reversed().map { "t\($0)" })
            #expect(try ada.thread("t25")["state"] == .string("pending"))
            #expect(
                Set(try anonymous.threads().compactMap { $0["id"]?.string }) == ["t1", "t2", "t3", "t4", "t25"],
                "the others stay where the desk finds them")
            #expect(try local.store.faults() == [])
        }
    }

    @Test(.withPostgres, arguments: ["single", "live"]) func thereIsOneOpenConversation(channel: String) async throws {
        try await Local.run(onBothEngines: true) { local in
            let before = try await local.person("ada", on: channel)
            try await before.create("own")
            try await before.send("m1", to: "own")
            let anonymous = try await local.person(Self.visitor, on: channel)
            try await anonymous.create("t1")
            try await anonymous.send("m1", to: "t1")
            let third = try await local.person("third", on: channel)
            try await third.create("last")
            let (ada, threads) = try await Self.join(on: channel, in: local)
            #expect(threads == ["t1"])
            #expect(try ada.thread("t1")["state"] == .string("closed"))
            #expect(try ada.thread("own")["state"] == .string("ready"))
            if channel == "live" { #expect(try third.thread("last")["queuePosition"]?.integer == 2) }
            #expect(try local.store.faults() == [])
        }
    }

    @Test func whatNobodyWroteStaysWhereThereIsRoomForOne() async throws {
        try await Local.run { local in
            let before = try await local.person("ada", on: "single")
            try await before.create("own")
            try await local.person(Self.visitor, on: "single").create("t1")
            #expect(try await Self.join(on: "single", in: local).threads == [])
            #expect(try local.store.faults() == [])
        }
    }

    @Test func aLiveChatKeepsItsPlaceInTheQueue() async throws {
        try await Local.run { local in
            let anonymous = try await local.person(Self.visitor, on: "live")
            try await anonymous.create("t1")
            let ada = try await Self.join(on: "live", in: local).ada
            #expect(try ada.thread("t1")["queuePosition"]?.integer == 1)
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            #expect(try ada.thread("t1")[path: "agent", "name"] == .string("Bob"))
            #expect(try local.store.faults() == [])
        }
    }

    @Test func aThreadOfOthersIsJoinedByTheOther() async throws {
        try await Local.run { local in
            let ben = try await local.person("ben")
            try await ben.create("group")
            try await ben.send("m1", to: "group")
            _ = try await local.person(Self.visitor)
            _ = try await local.desk.add(
                [MemberDraft(id: Self.visitor)], to: DeskThread(id: "group"), receipt: nil)
            let ada = try await Self.join(in: local).ada
            #expect(try ada.threads().compactMap { $0["id"]?.string } == ["group"])
            let members = try ben.thread("group")["members"]?.array ?? []
            #expect(Set(members.compactMap { $0["id"]?.string }) == ["ben", "ada"])
            #expect(try local.deskThread("group")[path: "customer", "id"] == .string("ben"))
            #expect(try local.store.faults() == [])
        }
    }

    /// Who is known, and who was joined before, does not become somebody else.
    @Test func aKnownCustomerIsNotJoined() async throws {
        try await Local.run { local in
            try await local.person(Self.visitor).create("t1")
            _ = try await Self.join(in: local)
            await #expect(throws: ChatError.self) { try await Self.join(in: local) }
            try await local.store.write { transaction in
                var known = try transaction.openAccount(
                    AccountKey(service: "local", channel: "multi", customer: "known"))
                known.customer.isVerified = true
                try transaction.save(known)
            }
            await #expect(throws: ChatError.self) { try await Self.join("known", in: local) }
        }
    }

    @Test func theNewestFormerIDsAreShown() async throws {
        try await Local.run { local in
            for number in 1...10 {
                let anonymous = try await local.person("visitor-\(number)")
                try await anonymous.create("t\(number)")
                try await anonymous.send("m1", to: "t\(number)")
                _ = try await Self.join("visitor-\(number)", in: local)
            }
            let ada = try await local.person("ada")
            #expect(Self.formerIDs(try ada.thread("t10")) == (3...10).map { "visitor-\($0)" })
            // All are known.
            _ = try await ada.connection.edit("m1", in: "t1", text: "mine", ifMatch: nil)
        }
    }
}
