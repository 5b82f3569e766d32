import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Events say who made the change, and what it changed.
@Suite struct CauseTests {
    private static let thread = DeskThread(id: "t1")
    private static let bo = Agent(id: "bo", name: "Bo")
    private static let eve = Agent(id: "eve", name: "Eve", isBot: true)

    /// What was logged since the last call: type, who, and what has changed.
    private func causes(_ local: Local) throws -> [String] {
        try local.recorder.take().filter { $0.offset != nil }.map { event in
            let json = try JSONParser.parse(event.data)
            let actor = json["actor"].map { "\($0["kind"]?.string ?? "?") \($0["id"]?.string ?? "?")" } ?? "nobody"
            let changed = json["changed"].map { " \($0.array?.compactMap(\.string).joined(separator: ",") ?? "?")" }
            return "\(event.type.rawValue) by \(actor)\(changed ?? "")"
        }
    }

    @Test func eachChangeNamesItsActorAndItsMembers() async throws {
        try await Local.run { local in
            let person = try await local.person()
            func expect(_ lines: [String], _ name: Comment, _ act: () async throws -> Void) async throws {
                _ = local.recorder.take()
                local.environment.advance(milliseconds: 1000)
                try await act()
                #expect(try causes(local) == lines, name)
            }
            try await expect(["thread.created by customer c1"], "create") { try await person.create("t1", name: "A") }
            try await expect(
                [
                    "thread.created by customer c1", "message.created by customer c1",
                    "thread.updated by customer c1 state,deskUnreadCount,lastMessage,contactId,waitingSince",
                ], "the first message"
            ) { try await person.send("q1", to: "t1") }
            try await expect(
                ["message.created by agent a1", "thread.updated by agent a1 lastMessage,waitingSince,unreadCount"],
                "answer"
            ) { _ = try await local.send("a1", to: "t1") }
            try await expect(
                [
                    "message.updated by customer c1 status,seenAt",
                    "thread.updated by customer c1 lastMessage,unreadCount,lastReadAt",
                ], "read by the customer"
            ) { _ = try await person.connection.markRead("t1", receipt: nil) }
            try await expect(
                ["message.updated by agent bo status,seenAt", "thread.updated by agent bo deskUnreadCount"],
                "read by the desk"
            ) { _ = try await local.desk.markRead(Self.thread, as: Self.bo, receipt: nil) }
            try await expect(
                ["message.updated by agent agent editedAt,text", "thread.updated by agent agent lastMessage"],
                "edited by nobody who is named"
            ) { _ = try await local.desk.edit("a1", in: Self.thread, text: "new", ifMatch: nil) }
            try await expect(["thread.updated by agent bo agent"], "taken") {
                _ = try await local.desk.assign(Self.bo, to: Self.thread, receipt: nil)
            }
            try await expect(["thread.updated by agent bo agent,previousAgent"], "transferred") {
                _ = try await local.desk.assign(Self.eve, to: Self.thread, as: Self.bo, receipt: nil)
            }
            try await expect(
                ["message.created by bot eve", "thread.updated by bot eve lastMessage,unreadCount"], "bot"
            ) {
                _ = try await local.desk.send(
                    MessageDraft(id: "b1", text: "beep"), as: Self.eve, to: Self.thread, receipt: nil)
            }
            try await expect(
                ["message.created by system system", "thread.updated by system system lastMessage,unreadCount"],
                "a message of the system"
            ) {
                _ = try await local.desk.send(
                    MessageDraft(id: "s1", text: "Hours", isAdmin: true), as: Self.bo, to: Self.thread, receipt: nil)
            }
            try await expect(["thread.updated by customer c1 name"], "renamed") {
                _ = try await person.connection.rename("t1", to: "B", ifMatch: nil)
            }
            try await expect(["thread.updated by customer c1 customFields"], "fields") {
                _ = try await person.connection.setCustomFields(["x": "1"], of: "t1")
            }
            try await expect(
                ["customer.updated by customer c1 firstName", "thread.updated by customer c1 members"],
                "the customer's name"
            ) {
                _ = try await person.connection.setCustomer(CustomerDraft(firstName: "Ann"))
            }
            try await expect(
                ["message.created by customer c1", "thread.info by customer c1"], "a reply beside the conversation"
            ) {
                let draft = MessageDraft(id: "r1", text: "reply", parentID: "a1", alsoInThread: false)
                _ = try await person.connection.send(draft, to: "t1", receipt: nil)
            }
            try await expect(
                ["message.removed by bot eve", "thread.updated by bot eve lastMessage,unreadCount"], "removed"
            ) { try await local.desk.remove("s1", in: Self.thread, ifMatch: nil, as: Agent(id: "eve")) }
            try await expect(["note.created by agent bo", "note.removed by agent bo"], "notes") {
                let note = try await local.desk.addNote("hm", by: Self.bo, to: Self.thread, receipt: nil)
                try await local.desk.removeNote(note.id, of: Self.thread, as: Self.bo)
            }
            try await expect(["thread.updated by customer c1 hidden"], "hidden") {
                _ = try await person.connection.setHidden(true, "t1", receipt: nil)
            }
            try await expect(
                ["thread.created by agent bo", "thread.updated by agent bo members"], "a member is added"
            ) { _ = try await local.desk.add([MemberDraft(id: "c2")], to: Self.thread, as: Self.bo, receipt: nil) }
            try await expect(["thread.updated by agent bo state,contactClosedAt"], "closed") {
                _ = try await local.desk.close(Self.thread, as: Self.bo, receipt: nil)
            }
        }
    }

    /// Who is at the desk by id alone has the name that the desk knows.
    @Test func anAgentWithoutANameHasTheKnownOne() async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await person.send("q1", to: "t1")
            _ = try await local.desk.assign(Self.bo, to: Self.thread, receipt: nil)
            _ = local.recorder.take()
            _ = try await local.desk.release(Self.thread, as: Agent(id: "bo"), receipt: nil)
            let event = try #require(local.recorder.take().last)
            let actor = try #require(try ThreadUpdatedEvent(canonicalJSON: event.data).cause.actor)
            #expect(actor == Author(Self.bo))
        }
    }

    /// What follows by itself is the service's: another place in the queue, and the end of a silent chat.
    @Test func whatFollowsByItselfIsOfTheSystem() async throws {
        try await Local.run { local in
            for id in ["c1", "c2"] { try await local.person(id, on: "live").create("t-\(id)") }
            _ = local.recorder.take()
            _ = try await local.desk.assign(Self.bo, to: DeskThread(id: "t-c1"), receipt: nil)
            #expect(
                Set(try causes(local)) == [
                    "thread.updated by system system queuePosition",
                    "thread.updated by agent bo agent,queuePosition",
                ])
        }
    }

    /// A unit names nobody unless it says so: the actor of the unit before it in the group is not taken over.
    @Test func theNextUnitBeginsWithoutAnActor() async throws {
        try await Local.run { local in
            try await local.store.write { $0.actor = Author(Self.bo) }
            #expect(try await local.store.write { $0.actor } == nil)
        }
    }
}
