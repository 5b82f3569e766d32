import Chat
import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

/// The clock of the day is moved by a day while chats go on: nothing is out of order, and nobody waits a day.
@Suite struct ClockTests {
    private static let day: Int64 = 86_400_000

    @Test(arguments: [day, -day]) func messagesStayInTheirOrder(move: Int64) async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            try await ada.send("m1", to: "t1")
            _ = try await local.send("a1", to: "t1")
            local.environment.advance(milliseconds: move)
            _ = try await local.send("a2", to: "t1")
            try await ada.send("m2", to: "t1")
            local.environment.advance(milliseconds: -move)
            _ = try await local.send("a3", to: "t1")
            try await ada.send("m3", to: "t1")
            #expect(try ada.messages("t1").compactMap { $0["id"]?.string } == ["m3", "a3", "m2", "a2", "a1", "m1"])
            #expect(try ada.thread("t1")[path: "lastMessage", "id"] == .string("m3"))
            // What is edited last is the newest version, whatever the clock says.
            let before = try #require(try ada.message("m3", in: "t1")?["updatedAt"]?.string)
            local.environment.advance(milliseconds: -Self.day)
            _ = try await ada.connection.edit("m3", in: "t1", text: "new", ifMatch: nil)
            #expect(try #require(try ada.message("m3", in: "t1")?["updatedAt"]?.string) > before)
        }
    }

    @Test(arguments: [day, -day]) func readingCountsWhatCameAfterTheMove(move: Int64) async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            try await ada.send("m1", to: "t1")
            _ = try await local.send("a1", to: "t1")
            _ = try await ada.connection.markRead("t1", receipt: nil)
            local.environment.advance(milliseconds: move)
            _ = try await local.send("a2", to: "t1")
            #expect(try ada.thread("t1")["unreadCount"]?.integer == 1)
            #expect(try ada.message("a2", in: "t1")?["status"] == .string("delivered"))
            _ = try await ada.connection.markRead("t1", receipt: nil)
            local.environment.advance(milliseconds: -move)
            _ = try await local.send("a3", to: "t1")
            #expect(try ada.thread("t1")["unreadCount"]?.integer == 1)
            #expect(try ada.message("a2", in: "t1")?["status"] == .string("seen"))
            #expect(try ada.message("a3", in: "t1")?["status"] == .string("delivered"))
            _ = try await local.desk.markRead(DeskThread(id: "t1"), receipt: nil)
            #expect(try ada.message("m1", in: "t1")?["status"] == .string("seen"))
        }
    }

    /// The same request with the same key is done once, also when the clock was set back in between.
    @Test func aReceiptHoldsWhenTheClockIsSetBack() async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            let receipt = Receipt(scope: "s", fingerprint: "f")
            let outcome = try await ada.connection.send(MessageDraft(id: "m1", text: "a"), to: "t1", receipt: receipt)
            local.environment.advance(milliseconds: -Self.day)
            await local.store.trim()
            #expect(try await local.store.receipt(scope: "s")?.outcome.body == outcome.body)
        }
    }

    // MARK: Silent customers

    private func silent(_ body: (Local, Person) async throws -> Void) async throws {
        try await Local.run { local in
            var settings = ChannelSettings()
            settings.inactivity = .some(InactivityLimits(secondsUntilPopup: 60, secondsUntilEnd: 30))
            _ = try await local.desk.update(channel: "live", settings)
            let ada = try await local.person("ada", on: "live")
            try await ada.create("t1")
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t1"), receipt: nil)
            #expect(await eventually { local.clock.nextWaking == .seconds(60) })
            try await body(local, ada)
        }
    }

    private func pass(_ seconds: Int, _ local: Local) {
        local.environment.advance(milliseconds: Int64(seconds) * 1000)
        local.clock.advance(by: .seconds(seconds))
    }

    @Test(arguments: [day, -day]) func aSilentCustomerIsAskedInTimeAndAgainInTime(move: Int64) async throws {
        try await silent { (local: Local, ada: Person) async throws -> Void in
            local.environment.advance(milliseconds: move)
            pass(60, local)
            #expect(await eventually { local.clock.nextWaking == .seconds(30) })
            #expect(try ada.thread("t1")["inactivityPopup"] != nil)
            local.environment.advance(milliseconds: -move)
            pass(29, local)
            // Nobody was woken.
            #expect(local.clock.nextWaking == .seconds(1))
            #expect(try ada.thread("t1")["state"] == .string("ready"))
            pass(1, local)
            #expect(await eventually { (try? ada.thread("t1")["state"]) == .string("closed") })
        }
    }

    /// Another chat's first message finds out that the clock was moved; the first one's time is not put off.
    @Test(arguments: [day, -day]) func anotherChatDoesNotHideTheMove(move: Int64) async throws {
        try await silent { local, ada in
            pass(20, local)
            local.environment.advance(milliseconds: move)
            let bob = try await local.person("bob", on: "live")
            try await bob.create("t2")
            _ = try await local.desk.assign(Local.agent, to: DeskThread(id: "t2"), receipt: nil)
            #expect(await eventually { local.clock.nextWaking == .seconds(40) })
            #expect(try ada.thread("t1")["inactivityPopup"] == nil)
            pass(40, local)
            #expect(await eventually { (try? ada.thread("t1")["inactivityPopup"]) != nil })
            #expect(try bob.thread("t2")["inactivityPopup"] == nil)
        }
    }
}
