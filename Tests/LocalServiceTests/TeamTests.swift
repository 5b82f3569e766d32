import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// A team's work on both engines: what the desk alone sees, and how it is counted and ordered.
@Suite struct TeamTests {
    private let thread = DeskThread(id: "t1")
    private let mara = Agent(id: "mara", name: "Mara")

    private func snooze(_ local: Local, minutes: Int64, wakesOnReply: Bool = true) async throws {
        let until = local.environment.now.advanced(byMilliseconds: minutes * 60_000)
        _ = try await local.desk.snooze(thread, SnoozeDraft(until: until, wakesOnReply: wakesOnReply), as: mara)
    }

    private func opened(_ local: Local) async throws -> Person {
        let person = try await local.person()
        try await person.create("t1")
        try await person.send("m1", to: "t1")
        return person
    }

    private func list(
        _ local: Local, _ conditions: DeskConditions, state: ThreadFilter = .open
    ) async throws -> [String] {
        var ids: [String] = []
        var cursor: String?
        repeat {
            let page = try await local.desk.threads(
                ThreadQuery(state: state, desk: conditions), page: PageRequest(limit: 1, cursor: cursor))
            ids += try items(page).compactMap { $0["id"]?.string }
            cursor = page.next
        } while cursor != nil
        return ids
    }

    /// The version of the thread that a member's entity tag has.
    private func version(of id: String, for person: Person, _ local: Local) throws -> Int64 {
        try local.store.readBlocking { try #require(try $0.thread(id, of: person.account)).version }
    }

    @Test func aSnoozeEndsAtItsTime() async throws {
        try await Local.run { local in
            let person = try await opened(local)
            _ = try await local.send("a1", to: "t1")
            let before = try version(of: "t1", for: person, local)
            try await snooze(local, minutes: 90)
            #expect(try local.deskThread("t1")["snooze"]?["by"]?["id"] == .string("mara"))
            _ = local.recorder.take()
            // The clock is looked at once a minute.
            for minute in 1...90 {
                #expect(await eventually { local.clock.nextWaking == .seconds(60) })
                if minute == 90 { #expect(try local.deskThread("t1")["waitingSince"] == nil) }
                local.environment.advance(milliseconds: 60_000)
                local.clock.advance(by: .seconds(60))
            }
            #expect(try await eventually { try local.deskThread("t1")["snooze"] == nil })
            let woken = try local.deskThread("t1")
            #expect(woken["waitingSince"]?.string == local.environment.now.rfc3339)
            // Its customer hears nothing of it, and has nothing new.
            #expect(try await eventually { try local.log().last == "thread.updated t1 d" })
            #expect(try person.thread("t1")["waitingSince"] == nil)
            #expect(try version(of: "t1", for: person, local) == before)
            #expect(try await list(local, DeskConditions(isWaiting: true, order: .waiting)) == ["t1"])
            _ = try await local.send("a2", to: "t1")
            #expect(try local.deskThread("t1")["waitingSince"] == nil)
        }
    }

    /// Who was reminded waits no longer by that when the customer waits, the thread is snoozed again, or it is closed.
    @Test(arguments: ["message", "snooze", "endContact", "close"])
    func aReminderEnds(by end: String) async throws {
        try await Local.run { local in
            let person = try await opened(local)
            _ = try await local.send("a1", to: "t1")
            try await snooze(local, minutes: 5)
            #expect(await eventually { local.clock.nextWaking == .seconds(60) })
            local.environment.advance(milliseconds: 300_000)
            local.clock.advance(by: .seconds(60))
            let reminded = local.environment.now.rfc3339
            #expect(try await eventually { try local.deskThread("t1")["waitingSince"]?.string == reminded })
            local.environment.advance(milliseconds: 1000)
            switch end {
            case "message": try await person.send("m2", to: "t1")
            case "snooze": try await snooze(local, minutes: 5)
            case "endContact": _ = try await local.desk.endContact(thread, receipt: nil)
            default: _ = try await local.desk.close(thread, receipt: nil)
            }
            let waits = end == "message" ? local.environment.now.rfc3339 : nil
            #expect(try local.deskThread("t1")["waitingSince"]?.string == waits)
            #expect(try await local.desk.counts(of: nil, within: nil).waiting == (waits == nil ? 0 : 1))
        }
    }

    /// What the desk alone changes is a new version for the desk, and none for the members.
    @Test func theDesksVersionIsItsOwn() async throws {
        try await Local.run(onBothEngines: true) { local in
            let person = try await opened(local)
            let tag = try await local.desk.addTag("Late", .red, receipt: nil).id
            let (members, desks) = (
                try version(of: "t1", for: person, local), try await local.desk.thread(thread).version
            )
            #expect(try await local.desk.setTags([tag], of: thread, as: mara, ifMatch: desks).version != desks)
            #expect(try version(of: "t1", for: person, local) == members)
            let late = await refusal { _ = try await local.desk.setTags([], of: thread, as: mara, ifMatch: desks) }
            #expect(late == .preconditionFailed)
            let next = try await local.desk.thread(thread).version
            #expect(next != desks)
            _ = try await local.desk.setTags([], of: thread, as: mara, ifMatch: next)
            try await person.send("m2", to: "t1")
            #expect(try version(of: "t1", for: person, local) > members)
        }
    }

    @Test func aStopKeepsTheSnooze() async throws {
        try await Local.run { local in
            _ = try await opened(local)
            try await snooze(local, minutes: 5)
            local.environment.advance(milliseconds: 300_000)
            let clock = ManualClock()
            let again = try await LocalService(store: local.store, clock: clock)
            #expect(try await eventually { try local.deskThread("t1")["snooze"] == nil })
            withExtendedLifetime(again) {}
        }
    }

    /// Members hear nothing of tags and snoozes, and the log keeps them for the desk alone.
    @Test func whatTheDeskAloneSeesIsNotToldToCustomers() async throws {
        try await Local.run(onBothEngines: true) { local in
            let person = try await opened(local)
            let outcome = try await local.desk.addTag("Refund", .orange, receipt: nil)
            let tag = outcome.id
            _ = local.recorder.take()
            _ = try await local.desk.setTags([tag], of: thread, as: mara)
            #expect(try local.log() == ["thread.updated t1 d"])
            try await person.send("m2", to: "t1")
            let replay = try local.store.readBlocking {
                try $0.replay([.desk, .account(person.account)], after: 0, limit: 1 << 20, epoch: "e")
            }
            let told = try #require(replay.events.last { $0.type == .threadUpdated })
            let words = [UInt8]("\"tags\"".utf8)
            #expect(told.data(for: .desk).firstRange(of: words) != nil)
            for event in replay.events {
                #expect(event.data.firstRange(of: words) == nil)
                #expect(event.data(for: .account(person.account)).firstRange(of: words) == nil)
            }
            #expect(try person.thread("t1")["tags"] == nil)
            #expect(try local.deskThread("t1")["tags"] == .array([.string(tag)]))
        }
    }

    @Test func listsAndCountsAgreeOnBothEngines() async throws {
        try await Local.run(onBothEngines: true) { local in
            var waiting: [String] = []
            for index in 0..<8 {
                local.environment.advance(milliseconds: 1000)
                let id = "t\(index)"
                let person = try await local.person("c\(index)", on: index % 2 == 0 ? "multi" : "single")
                try await person.create(id)
                try await person.send("m", to: id)
                let thread = DeskThread(id: id)
                switch index {
                case 0, 1: _ = try await local.desk.assign(mara, to: thread, receipt: nil)
                case 2: _ = try await local.send("a", to: id)
                case 3: _ = try await local.desk.close(thread, receipt: nil)
                case 4:
                    let until = local.environment.now.advanced(byMilliseconds: 3_600_000)
                    _ = try await local.desk.snooze(thread, SnoozeDraft(until: until, wakesOnReply: true))
                default: break
                }
                if ![2, 3, 4].contains(index) { waiting.append(id) }
            }
            let counts = try await local.desk.counts(of: "mara", within: nil)
            #expect((counts.open, counts.waiting, counts.mine, counts.unassigned, counts.snoozed) == (6, 5, 2, 4, 1))
            #expect(counts.longestWaitingSince?.rfc3339 == (try local.deskThread("t0")["waitingSince"]?.string))
            let single = try await local.desk.counts(of: nil, within: ["single"])
            #expect((single.open, single.waiting, single.mine, single.unassigned, single.snoozed) == (3, 3, nil, 2, 0))
            #expect(try await local.desk.counts(of: "mara", within: []).mine == 0)
            var conditions = DeskConditions(order: .waiting)
            #expect(try await list(local, conditions) == waiting + ["t4", "t2"])
            conditions.snoozed = .exclude
            #expect(try await list(local, conditions) == waiting + ["t2"])
            #expect(try await list(local, conditions, state: .all) == waiting + ["t3", "t2"])
            conditions.agent = "mara"
            #expect(try await list(local, conditions) == ["t0", "t1"])
            conditions = DeskConditions(isUnassigned: true, snoozed: .exclude)
            #expect(try await list(local, conditions) == ["t7", "t6", "t5", "t2"])
            #expect(try await list(local, DeskConditions(snoozed: .only)) == ["t4"])
        }
    }

    @Test func aRemovedTagComesOffAllThreads() async throws {
        try await Local.run(onBothEngines: true) { local in
            let tag = try await local.desk.addTag("Late", .red, receipt: nil).id
            for index in 0..<70 {
                let person = try await local.person("c\(index)")
                try await person.create("t\(index)")
                try await person.send("m", to: "t\(index)")
                _ = try await local.desk.setTags([tag], of: DeskThread(id: "t\(index)"))
            }
            #expect(try await list(local, DeskConditions(tag: tag)).count == 70)
            try await local.desk.removeTag(tag)
            #expect(try await eventually { try await list(local, DeskConditions(tag: tag)).isEmpty })
            #expect(try await local.desk.tags().isEmpty)
            #expect(try local.deskThread("t69")["tags"] == nil)
            await #expect(throws: ChatError.self) { try await local.desk.removeTag(tag) }
        }
    }

    @Test func aReopenedConversationHasAContactOfItsOwn() async throws {
        try await Local.run(onBothEngines: true) { local in
            let person = try await opened(local)
            _ = try await local.send("a1", to: "t1")
            _ = try await local.desk.close(thread, as: Local.agent, receipt: nil)
            _ = try await local.desk.reopen(thread, as: mara, receipt: nil)
            try await person.send("m2", to: "t1")
            let now = local.environment.now
            let figures = try await local.store.read {
                try $0.contacts(
                    from: now.advanced(byMilliseconds: -1000), until: now.advanced(byMilliseconds: 1000), within: nil,
                    limit: 10)
            }
            let contacts = try #require(figures).sorted { !$0.isReopened && $1.isReopened }
            #expect(contacts.map(\.messagesIn) == [1, 1])
            #expect(contacts.map(\.messagesOut) == [1, 0])
            #expect(contacts.map(\.closedBy) == [Local.agent.id, nil])
            #expect(contacts.map(\.firstAgent) == [Local.agent.id, nil])
            #expect(contacts.map(\.isReopened) == [false, true])
        }
    }
}
