import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Since when a customer waits: since the oldest message of the open contact that nobody has answered.
@Suite struct WaitingTests {
    fileprivate static let thread = DeskThread(id: "t1")
    fileprivate static let bo = Agent(id: "bo", name: "Bo")
    private static let bot = Agent(id: "robi", name: "Robi", isBot: true)

    /// A conversation, and the messages that were sent in it.
    private struct Scene {
        let local: Local
        let person: Person

        func ask(_ id: String) async throws {
            local.environment.advance(milliseconds: 1000)
            try await person.send(id, to: "t1")
        }

        func answer(_ id: String, as agent: Agent = WaitingTests.bo, isAdmin: Bool = false) async throws {
            local.environment.advance(milliseconds: 1000)
            _ = try await local.desk.send(
                MessageDraft(id: id, text: "text", isAdmin: isAdmin), as: agent, to: WaitingTests.thread, receipt: nil)
        }

        func remove(_ id: String) async throws {
            try await local.desk.remove(id, in: WaitingTests.thread, ifMatch: nil)
        }

        /// The message since which the customer waits; `begin` for the beginning of the thread, nil if nobody waits.
        func since() throws -> String? {
            let json = try local.deskThread("t1")
            guard let time = json["waitingSince"] else { return nil }
            let questions = try person.messages("t1").filter { $0["direction"] == .string("toAgent") }
            // The oldest of that time.
            if let found = questions.last(where: { $0["createdAt"] == time }) { return found["id"]?.string }
            return time == json["createdAt"] ? "begin" : "?"
        }
    }

    private func run(on channel: String = "multi", _ body: (Scene) async throws -> Void) async throws {
        try await Local.run { local in
            let person = try await local.person("c1", on: channel)
            try await person.create("t1")
            try await body(Scene(local: local, person: person))
        }
    }

    @Test func aRemovedAnswerLeavesItsQuestionsOpen() async throws {
        try await run { scene in
            try await scene.ask("q1")
            try await scene.answer("a1")
            try await scene.remove("a1")
            #expect(try scene.since() == "q1")
            try await scene.answer("a2")
            try await scene.ask("q2")
            #expect(try scene.since() == "q2")
            try await scene.answer("s1", isAdmin: true)
            try await scene.remove("s1")
            #expect(try scene.since() == "q2")
            try await scene.remove("a2")
            #expect(try scene.since() == "q1")
            // Of two answers the other one still counts.
            try await scene.answer("a3")
            try await scene.answer("a4")
            try await scene.remove("a3")
            #expect(try scene.since() == nil)
            try await scene.remove("a4")
            #expect(try scene.since() == "q1")
            try await scene.remove("q2")
            #expect(try scene.since() == "q1")
            try await scene.remove("q1")
            #expect(try scene.since() == nil)
        }
    }

    /// Also where everything happens in one millisecond.
    @Test(arguments: [0, 1000]) func anEarlierContactIsOver(pause: Int64) async throws {
        try await run { scene in
            func ask(_ id: String) async throws {
                scene.local.environment.advance(milliseconds: pause)
                try await scene.person.send(id, to: "t1")
            }
            try await ask("q1")
            _ = try await scene.local.desk.endContact(Self.thread, receipt: nil)
            try await ask("q2")
            _ = try await scene.local.send("a1", to: "t1")
            try await ask("q3")
            try await scene.remove("a1")
            #expect(try scene.since() == "q2")
            try await scene.remove("q2")
            #expect(try scene.since() == "q3")
            try await scene.remove("q3")
            #expect(try scene.since() == nil)
        }
    }

    @Test func aWelcomeIsNoAnswer() async throws {
        try await Local.run { local in
            var settings = ChannelSettings()
            settings.welcomeMessage = .some("Hello!")
            _ = try await local.desk.update(channel: "multi", settings)
            let person = try await local.person()
            try await person.create("t1")
            let scene = Scene(local: local, person: person)
            try await scene.ask("q1")
            try await scene.answer("a1")
            try await scene.remove("a1")
            #expect(try scene.since() == "q1")
        }
    }

    @Test(arguments: [true, false]) func whatABotHandsOverWaits(isTransferred: Bool) async throws {
        try await run { scene in
            try await scene.ask("q1")
            _ = try await scene.local.desk.assign(Self.bot, to: Self.thread, receipt: nil)
            try await scene.answer("b1", as: Self.bot)
            #expect(try scene.since() == nil)
            try await scene.ask("q2")
            try await scene.answer("b2", as: Self.bot)
            if isTransferred {
                _ = try await scene.local.desk.assign(Self.bo, to: Self.thread, as: Self.bot, receipt: nil)
            } else {
                _ = try await scene.local.desk.release(Self.thread, as: Self.bot, receipt: nil)
            }
            #expect(try scene.since() == "q2")
            // Who says that a colleague comes has not answered.
            try await scene.answer("b3", as: Self.bot)
            #expect(try scene.since() == "q2")
            try await scene.ask("q3")
            #expect(try scene.since() == "q2")
            try await scene.answer("a1")
            #expect(try scene.since() == nil)
            // A person who lets go leaves nobody waiting.
            _ = try await scene.local.desk.assign(Self.bo, to: Self.thread, receipt: nil)
            _ = try await scene.local.desk.release(Self.thread, receipt: nil)
            #expect(try scene.since() == nil)
        }
    }

    @Test func aLiveChatThatIsBackInTheQueueWaits() async throws {
        try await run(on: "live") { scene in
            #expect(try scene.since() == "begin")
            _ = try await scene.local.desk.assign(Self.bot, to: Self.thread, receipt: nil)
            try await scene.answer("b1", as: Self.bot)
            #expect(try scene.since() == nil)
            _ = try await scene.local.desk.release(Self.thread, as: Self.bot, receipt: nil)
            #expect(try scene.since() == "begin")
            _ = try await scene.local.desk.assign(Self.bo, to: Self.thread, receipt: nil)
            try await scene.ask("q1")
            try await scene.answer("a1")
            #expect(try scene.since() == nil)
            _ = try await scene.local.desk.release(Self.thread, as: Self.bo, receipt: nil)
            #expect(try scene.since() == "q1")
            _ = try await scene.local.desk.close(Self.thread, receipt: nil)
            #expect(try scene.since() == nil)
        }
    }
}
