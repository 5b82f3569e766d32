import ChatModel
import TestSupport
import Testing

@testable import LocalService

@Suite struct DemoBotTests {
    @Test func itReadsTypesAndAnswersInItsTime() async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await person.send("m0", to: "t1")
            let clock = ManualClock()
            let bot = Task { await DemoBot(store: local.store, desk: local.desk, clock: clock).run() }
            let sent = Journal<String>()
            // It hears what is sent once it listens.
            #expect(
                try await eventually {
                    try await person.send("hello-\(sent.entries.count)", "Hello there", to: "t1")
                    sent.add("")
                    await letOthersRun()
                    return clock.sleeperCount > 0
                })
            _ = local.recorder.take()
            #expect(clock.nextWaking == .milliseconds(400))
            clock.advance(by: .milliseconds(400))
            #expect(await eventually { clock.nextWaking == .milliseconds(900) })
            #expect(try local.deskThread("t1")["deskUnreadCount"] == .integer(0))
            #expect(local.recorder.events.last?.type == .typing)
            clock.advance(by: .milliseconds(900))
            #expect(await eventually { (try? person.thread("t1")["unreadCount"]) ?? .integer(0) != .integer(0) })
            let answer = try #require(try person.messages("t1").first)
            #expect(answer[path: "author", "kind"] == .string("bot"))
            #expect(answer["text"]?.string?.hasPrefix("Hello! I am a bot.") == true)
            bot.cancel()
            await bot.value
        }
    }

    @Test func itTakesLiveChatsThatWait() async throws {
        try await Local.run { local in
            let clock = ManualClock()
            let bot = Task { await DemoBot(store: local.store, desk: local.desk, clock: clock).run() }
            let made = Journal<String>()
            // It hears of what begins once it listens.
            #expect(
                try await eventually {
                    made.add("c\(made.entries.count)")
                    let id = made.entries.last ?? ""
                    try await local.person(id, on: "live").create(id)
                    await letOthersRun()
                    return clock.sleeperCount > 0
                })
            let id = made.entries.last ?? ""
            let person = try await local.person(id, on: "live")
            clock.advance(by: .milliseconds(1500))
            #expect(await eventually { (try? person.messages(id).count) == 1 })
            #expect(try person.thread(id)[path: "agent", "name"] == .string("Parley Bot"))
            bot.cancel()
            await bot.value
        }
    }

    @Test func itStopsWhileItWaits() async throws {
        try await Local.run { local in
            let bot = Task { await DemoBot(store: local.store, desk: local.desk, clock: ManualClock()).run() }
            bot.cancel()
            await bot.value
        }
    }

    @Test(arguments: [("Hi!", "Hello!"), ("How much?", "That is a good"), ("42", "You wrote: 42")])
    func itHasThreeAnswers(text: String, beginning: String) {
        #expect(DemoBot.reply(to: text).hasPrefix(beginning))
    }
}
