import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Customers of live chats who are silent: asked after 60 s, given 30 s.
@Suite struct InactivityTests {
    private func asked(_ body: (Local, Person) async throws -> Void) async throws {
        try await Local.run { local in
            var settings = ChannelSettings()
            settings.inactivity = .some(InactivityLimits(secondsUntilPopup: 60, secondsUntilEnd: 30))
            _ = try await local.desk.update(channel: "live", settings)
            let ada = try await local.person("ada", on: "live")
            try await ada.create("t1")
            try await body(local, ada)
        }
    }

    private func take(_ local: Local) async throws {
        _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
        #expect(await eventually { local.clock.nextWaking == .seconds(60) })
    }

    /// Lets time pass; true once something holds.
    private func pass(
        _ seconds: Int, _ local: Local, until holds: @escaping @Sendable () async throws -> Bool
    ) async -> Bool {
        local.environment.advance(milliseconds: Int64(seconds) * 1000)
        local.clock.advance(by: .seconds(seconds))
        return (try? await eventually(holds)) ?? false
    }

    /// Lets time pass; true once the timer sleeps again, for this long.
    private func pass(_ seconds: Int, _ local: Local, until next: Int) async -> Bool {
        await pass(seconds, local) { local.clock.nextWaking == .seconds(next) }
    }

    private func popup(_ person: Person) throws -> InactivityPopup? {
        try person.thread("t1")["inactivityPopup"].map { try InactivityPopup(json: $0) }
    }

    @Test func whoWaitsIsNotAsked() async throws {
        try await asked { local, ada in
            #expect(local.clock.sleeperCount == 0)
            try await ada.send("m1", to: "t1")
            #expect(local.clock.sleeperCount == 0)
        }
    }

    @Test func whoIsSilentIsAskedAndThenTheChatEnds() async throws {
        try await asked { local, ada in
            try await take(local)
            _ = local.recorder.take()
            #expect(await pass(60, local, until: 30))
            let shown = try #require(try popup(ada))
            #expect(shown.startedAt == local.environment.now)
            #expect(shown.numberOfSeconds == 30)
            #expect(shown.refreshButton.postback.contains("\"isExpired\":false"))
            let event = try #require(local.recorder.events.last { $0.type == .proactive })
            #expect(event.offset != nil)
            #expect(event.audiences == [.account(ada.account)])
            let data = try JSONParser.parse(event.data)
            #expect(data["threadId"] == .string("t1"))
            #expect(data["type"] == .string("inactivityPopup"))
            #expect(try data["inactivityPopup"].map { try InactivityPopup(json: $0) } == shown)
            // A little before the end nothing has happened.
            #expect(await pass(29, local, until: 1))
            #expect(try ada.thread("t1")["state"] == .string("ready"))
            #expect(await pass(1, local) { try ada.thread("t1")["state"] == .string("closed") })
            #expect(local.clock.sleeperCount == 0)
            #expect(try ada.thread("t1")["contactClosedAt"] != nil)
            #expect(try popup(ada) == nil)
            #expect(
                await refusal { try await ada.connection.answerInactivity(.refresh, in: "t1", receipt: nil) }
                    == .illegalThreadState)
        }
    }

    @Test func whoSaysSomethingInTimeIsNotAsked() async throws {
        try await asked { local, ada in
            try await take(local)
            #expect(await pass(50, local, until: 10))
            try await ada.send("m1", to: "t1")
            #expect(await pass(10, local, until: 50))
            #expect(try popup(ada) == nil)
            // What the agent says is to be read first.
            _ = try await local.send("a1", to: "t1")
            #expect(await pass(50, local, until: 10))
            #expect(try popup(ada) == nil)
            #expect(await pass(10, local, until: 30))
            #expect(try popup(ada) != nil)
        }
    }

    @Test func aMessageAnswersThePopupAnAgentsDoesNot() async throws {
        try await asked { local, ada in
            try await take(local)
            #expect(await pass(60, local, until: 30))
            _ = try await local.send("a1", to: "t1")
            #expect(try popup(ada) != nil)
            try await ada.send("m1", to: "t1")
            #expect(try popup(ada) == nil)
            // The old end is no end any more.
            #expect(await pass(30, local, until: 30))
            #expect(try ada.thread("t1")["state"] == .string("ready"))
        }
    }

    @Test func theChatGoesOnOrEndsAsTheCustomerAnswers() async throws {
        try await asked { local, ada in
            try await take(local)
            #expect(
                await refusal { try await ada.connection.answerInactivity(.expire, in: "t1", receipt: nil) }
                    == .illegalThreadState)
            #expect(await pass(60, local, until: 30))
            let receipt = Receipt(scope: "s", fingerprint: "f")
            let outcome = try await ada.connection.answerInactivity(.refresh, in: "t1", receipt: receipt)
            #expect(try await local.store.receipt(scope: "s")?.outcome.body == outcome.body)
            #expect(try popup(ada) == nil)
            #expect(try ada.messages("t1").isEmpty)
            #expect(await pass(30, local, until: 30))
            #expect(await pass(30, local, until: 30))
            #expect(try popup(ada) != nil)
            _ = try await ada.connection.answerInactivity(.expire, in: "t1", receipt: nil)
            #expect(try ada.thread("t1")["state"] == .string("closed"))
        }
    }

    @Test func aTransferIsNoAnswer() async throws {
        try await asked { local, ada in
            try await take(local)
            #expect(await pass(60, local, until: 30))
            _ = try await local.desk.assign(Agent(id: "a2", name: "Bea"), to: DeskThread(id: "t1"), receipt: nil)
            #expect(try popup(ada) != nil)
            #expect(await pass(30, local) { try ada.thread("t1")["state"] == .string("closed") })
        }
    }

    @Test func whatIsDueSurvivesARestart() async throws {
        try await asked { local, ada in
            try await take(local)
            local.environment.advance(milliseconds: 40_000)
            let clock = ManualClock()
            let again = try await LocalService(store: local.store, clock: clock)
            #expect(await eventually { clock.nextWaking == .seconds(20) })
            local.environment.advance(milliseconds: 300_000)
            // Long after: the customer is asked all the same before the chat ends.
            clock.advance(by: .seconds(20))
            #expect(await eventually { clock.nextWaking == .seconds(30) })
            #expect(try popup(ada) != nil)
            local.environment.advance(milliseconds: 30_000)
            clock.advance(by: .seconds(30))
            #expect(await eventually { (try? ada.thread("t1")["state"]) == .string("closed") })
            withExtendedLifetime(again) {}
        }
    }

    @Test func whoIsReleasedWaitsAndIsNotAsked() async throws {
        try await asked { local, ada in
            try await take(local)
            _ = try await local.desk.release(DeskThread(id: "t1"), receipt: nil)
            let units = local.store.statistics.units
            // The timer wakes up, and has done what it found to do.
            #expect(await pass(60, local) { local.store.statistics.units > units })
            try await local.store.write { _ in }
            #expect(try popup(ada) == nil)
        }
    }

    @Test func withoutLimitsNobodyIsAskedAnyLonger() async throws {
        try await asked { local, ada in
            try await take(local)
            #expect(await pass(60, local, until: 30))
            var settings = ChannelSettings()
            settings.inactivity = .some(nil)
            _ = try await local.desk.update(channel: "live", settings)
            #expect(await pass(30, local) { try popup(ada) == nil })
            #expect(try ada.thread("t1")["state"] == .string("ready"))
        }
    }
}
