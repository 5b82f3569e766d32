import Chat
import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import LocalService

@Suite struct DemoBotTests {
    @Test func itReadsTypesAndAnswersInItsTime() async throws {
        try await DemoScene.run { scene in
            try await scene.ada.create("t1")
            try await scene.ada.send("m1", "Hello there", to: "t1")
            #expect(await scene.bot(sleeps: .milliseconds(400)))
            _ = scene.local.recorder.take()
            scene.clock.advance(by: .milliseconds(400))
            #expect(await scene.bot(sleeps: .milliseconds(900)))
            #expect(try scene.local.deskThread("t1")["deskUnreadCount"] == .integer(0))
            #expect(scene.local.recorder.events.last?.type == .typing)
            scene.clock.advance(by: .milliseconds(900))
            let answer = try await scene.answer(in: "t1", after: "m1")
            #expect(answer[path: "author", "kind"] == .string("bot"))
            #expect(answer["text"]?.string?.hasPrefix("Hello! I am the shop's bot.") == true)
            #expect(try scene.ada.thread("t1")[path: "agent", "isBot"] == .bool(true))
        }
    }

    @Test func itUnderstandsAPressedButton() async throws {
        try await DemoScene.run { scene in
            try await scene.ada.create("t1")
            let list = try await scene.ask("Where is my order?", in: "t1")
            #expect(list["type"] == .string("listPicker"))
            let button = try #require(list[path: "content", "buttons"]?.array?.first)
            let answer = try await scene.ask(
                button["text"]?.string ?? "", postback: button["postback"]?.string, in: "t1")
            #expect(answer["text"] == .string("Order 1001: tent. It was sent."))
            #expect(answer["attachments"]?.array?.first?["mimeType"] == .string("image/png"))
        }
    }

    @Test func aReplyIsAnsweredInItsReplyThread() async throws {
        try await DemoScene.run { scene in
            try await scene.ada.create("t1")
            let first = try await scene.ask("Hello", in: "t1")
            let answer = try await scene.ask("An appointment", in: "t1", replyTo: first["id"]?.string)
            #expect(answer["parentId"] == first["id"])
            #expect(answer["type"] == .string("text"))
            #expect(answer["text"]?.string?.contains("2026-03-03T09:00:00.000Z") == true, "a reply has no buttons")
        }
    }

    @Test func itHandsOverAndIsSilentUntilItIsCalledBack() async throws {
        try await DemoScene.run { scene in
            try await scene.ada.create("t1")
            _ = try await scene.ask("May I talk to a person?", in: "t1")
            let thread = try scene.local.deskThread("t1")
            #expect(thread["agent"] == nil)
            #expect(thread[path: "previousAgent", "id"] == .string("parley-bot"))
            #expect(thread["deskUnreadCount"] == .integer(1), "the question is for a person to read")
            try await scene.expectSilence(after: "Is anybody there?", in: "t1")
            let back = try await scene.ask("Back to the bot", postback: "bot", in: "t1")
            #expect(back["text"]?.string?.hasPrefix("It is me again") == true)
        }
    }

    @Test func itIsSilentWhilePersonHasTheThreadAndResumesWhenThePersonHandsBack() async throws {
        try await DemoScene.run { scene in
            try await scene.ada.create("t1")
            _ = try await scene.ask("Hello", in: "t1")
            _ = try await scene.local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            try await scene.expectSilence(after: "Where is my order?", in: "t1")
            _ = try await scene.local.desk.release(DeskThread(id: "t1"), receipt: nil)
            #expect(await scene.bot(sleeps: .milliseconds(1500)))
            let last = try #require(try scene.ada.messages("t1").first?["id"]?.string)
            scene.clock.advance(by: .milliseconds(1500))
            #expect(try await scene.answer(in: "t1", after: last)["text"]?.string?.hasPrefix("I am back") == true)
            #expect(try await scene.ask("Thank you", in: "t1")["text"] == .string("You are welcome!"))
        }
    }

    @Test func whoHandsOverToTheBotByItsNameHandsBack() async throws {
        try await DemoScene.run { scene in
            try await scene.ada.create("t1")
            try await scene.ada.send("m1", to: "t1")
            _ = try await scene.local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            #expect(await scene.bot(sleeps: .milliseconds(400)))
            scene.clock.advance(by: .milliseconds(400))
            try await scene.askAside()
            // As a client of the API does it, which cannot say that an agent is a bot.
            let bot = Agent(id: "parley-bot", name: "Parley Bot")
            _ = try await scene.local.desk.assign(bot, to: DeskThread(id: "t1"), receipt: nil)
            #expect(await scene.bot(sleeps: .milliseconds(1500)))
            scene.clock.advance(by: .milliseconds(1500))
            #expect(try await scene.answer(in: "t1", after: "m1")["text"]?.string?.hasPrefix("I am back") == true)
            #expect(try scene.ada.thread("t1")[path: "agent", "isBot"] == .bool(true))
        }
    }

    @Test func aPersonWhoWritesInterruptsItAndGetsTheThread() async throws {
        try await DemoScene.run { scene in
            try await scene.ada.create("t1")
            try await scene.ada.send("m1", "Hello", to: "t1")
            #expect(await scene.bot(sleeps: .milliseconds(400)))
            scene.clock.advance(by: .milliseconds(400))
            #expect(await scene.bot(sleeps: .milliseconds(900)))
            _ = try await scene.local.send("m2", "I am here, Ada.", to: "t1")
            scene.clock.advance(by: .milliseconds(900))
            #expect(
                await eventually {
                    (try? scene.local.deskThread("t1")[path: "agent", "id"]) == .string(Local.agent.id)
                })
            try await scene.expectSilence(after: "Good.", in: "t1")
            #expect(try !scene.ada.messages("t1").contains { $0[path: "author", "kind"] == .string("bot") })
        }
    }

    @Test func itTakesLiveChatsThatWaitAndGivesThemBackToTheQueue() async throws {
        try await DemoScene.run { scene in
            let person = try await scene.local.person("c1", on: "demo-live")
            let fields = ["topic": "order"]
            _ = try await person.connection.createThread(ThreadDraft(id: "t1", customFields: fields), receipt: nil)
            #expect(await scene.bot(sleeps: .milliseconds(1500)))
            scene.clock.advance(by: .milliseconds(1500))
            #expect(await eventually { (try? person.messages("t1").count) == 1 })
            #expect(try person.thread("t1")[path: "agent", "name"] == .string("Parley Bot"))
            try await person.send("m1", "A person, please", to: "t1")
            await scene.letAnswer()
            #expect(await eventually { (try? person.thread("t1")["queuePosition"]) == .integer(2) }, "behind Grace")
        }
    }

    @Test func itTouchesNothingOutsideItsChannels() async throws {
        try await DemoScene.run { scene in
            let other = try await scene.local.person("ada", on: "multi")
            try await other.create("t0")
            try await other.send("m0", "Where is my order?", to: "t0")
            let waiting = try await scene.local.person("ada", on: "live")
            try await waiting.create("t2")
            try await scene.ada.create("t1")
            try await scene.ada.send("m1", "Hello", to: "t1")
            // It takes the events in their order, and this is the last one.
            #expect(await scene.bot(sleeps: .milliseconds(400)))
            #expect(scene.clock.sleeperCount == 1, "it reacts to one message alone")
            await scene.letAnswer()
            _ = try await scene.answer(in: "t1", after: "m1")
            #expect(scene.clock.sleeperCount == 0)
            #expect(try other.messages("t0").count == 1)
            #expect(try scene.local.deskThread("t0")["deskUnreadCount"] == .integer(1))
            #expect(try waiting.thread("t2")["queuePosition"] == .integer(1))
        }
    }

    @Test func aThreadThatIsClosedMeanwhileStopsNothingElse() async throws {
        try await DemoScene.run { scene in
            try await scene.ada.create("t1")
            try await scene.ada.send("m1", "Hello", to: "t1")
            #expect(await scene.bot(sleeps: .milliseconds(400)))
            scene.clock.advance(by: .milliseconds(400))
            #expect(await scene.bot(sleeps: .milliseconds(900)))
            _ = try await scene.local.desk.close(DeskThread(id: "t1"), receipt: nil)
            scene.clock.advance(by: .milliseconds(900))
            try await scene.ada.create("t3")
            #expect(try await scene.ask("Thanks", in: "t3")["text"] == .string("You are welcome!"))
            #expect(scene.clock.sleeperCount == 0)
            #expect(try scene.ada.message("m1", in: "t1") != nil && scene.ada.messages("t1").count == 2)
        }
    }

    @Test func itStopsWhileItWaits() async throws {
        try await DemoScene.run { scene in
            try await scene.ada.create("t1")
            try await scene.ada.send("m1", "Hello", to: "t1")
            #expect(await scene.bot(sleeps: .milliseconds(400)))
        }
    }

    @Test(
        arguments: [
            ("Hi!", "Hello!"), ("This is something", "I did not understand"), ("Order 1003, please", "Order 1003:"),
            ("When do you open?", "The shop is open"), ("Hello, my boots are broken", "You can return"),
            ("my order; or better a PERSON", "A person will answer"), ("", "I did not understand"),
        ])
    func itFindsOutWhatIsMeant(text: String, beginning: String) {
        let answer = DemoAnswer(to: text, postback: nil, now: TestEnvironment.start)
        #expect(answer.text.hasPrefix(beginning), "\(answer.text)")
    }

    @Test func aPostbackDecidesBeforeWordsDo() {
        func text(_ postback: String) -> String {
            DemoAnswer(to: "A person", postback: postback, now: TestEnvironment.start).text
        }
        #expect(text("return:refund").hasPrefix("You get your money back"))
        #expect(text("order:4711") == "Which order is it?", "an order that does not exist")
        #expect(text("nothing of the bot's").hasPrefix("A person will answer"))
    }
}

/// A gateway with the demonstration, whose bot runs on a clock of its own.
struct DemoScene {
    let local: Local
    let clock: ManualClock
    let ada: Person

    static func run(
        isolation: isolated (any Actor)? = #isolation, _ body: (DemoScene) async throws -> Void
    ) async throws {
        try await Local.run { local in
            let clock = ManualClock()
            let demonstration = try await Demonstration(of: local.service, clock: clock) { _ in [1, 2, 3] }
            let bot = Task { await demonstration.bot.run() }
            do {
                try await body(DemoScene(local: local, clock: clock, ada: local.person("ada", on: "demo")))
            } catch {
                bot.cancel()
                throw error
            }
            bot.cancel()
            await bot.value
        }
    }

    /// Whether the bot comes to a pause of this length.
    func bot(sleeps duration: Duration) async -> Bool { await eventually { clock.nextWaking == duration } }

    /// Another customer asks, and has the bot's answer. To what it was woken for before, or told of before, the bot has
    /// reacted by then: it goes the same ways through the store, earlier.
    func askAside() async throws {
        let eve = try await local.person("eve", on: "demo")
        let thread = local.store.environment.makeID()
        try await eve.create(thread)
        let question = try await eve.connection.send(MessageDraft(text: "Hello"), to: thread, receipt: nil).id
        await letAnswer()
        #expect(await eventually { (try? eve.messages(thread).first?["id"]) != .string(question) })
        #expect(clock.sleeperCount == 0)
    }

    /// Lets the time of an answer pass.
    func letAnswer() async {
        #expect(await bot(sleeps: .milliseconds(400)))
        clock.advance(by: .milliseconds(400))
        #expect(await bot(sleeps: .milliseconds(900)))
        clock.advance(by: .milliseconds(900))
    }

    /// Ada writes, and the bot answers.
    func ask(
        _ text: String, postback: String? = nil, in thread: String, replyTo parent: String? = nil
    ) async throws -> JSONValue {
        let draft = MessageDraft(
            text: text, parentID: parent, alsoInThread: parent == nil ? nil : true, postback: postback)
        let question = try await ada.connection.send(draft, to: thread, receipt: nil).id
        await letAnswer()
        return try await answer(in: thread, after: question)
    }

    /// The newest message, when it is no longer this one.
    func answer(in thread: String, after message: String) async throws -> JSONValue {
        #expect(await eventually { (try? ada.messages(thread).first?["id"]) != .string(message) })
        return try #require(try ada.messages(thread).first)
    }

    /// Ada writes, and the bot neither reads nor answers.
    func expectSilence(after text: String, in thread: String) async throws {
        let question = try await ada.connection.send(MessageDraft(text: text), to: thread, receipt: nil).id
        let before = try local.deskThread(thread)["deskUnreadCount"]
        #expect(await bot(sleeps: .milliseconds(400)))
        clock.advance(by: .milliseconds(400))
        try await askAside()
        #expect(try ada.messages(thread).first?["id"] == .string(question))
        #expect(try local.deskThread(thread)["deskUnreadCount"] == before)
    }
}
