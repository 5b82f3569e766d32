import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import Synchronization
import TestSupport
import Testing

/// Channels that open and close.
@Suite struct OpeningTests {
    /// 2026-03-02, a Monday, at 09:15:04.512 UTC: 10:15 in Berlin.
    private static func berlin(
        _ parts: [OpeningHours.Part], mode: OpeningHours.Mode = .hours
    ) -> OpeningHours {
        var hours = OpeningHours(timeZone: "Europe/Berlin")
        hours.week = Dictionary(uniqueKeysWithValues: CivilDate.Weekday.allCases.map { ($0, parts) })
        hours.mode = mode
        return hours
    }

    private static func settings(_ hours: OpeningHours?, _ outside: ClosedHours? = nil) -> ChannelSettings {
        var settings = ChannelSettings()
        settings.hours = .some(hours)
        settings.outside = .some(outside)
        return settings
    }

    private static let outside = {
        var outside = ClosedHours()
        outside.answer = ["en": "We are away.", "de": "Wir sind nicht da."]
        return outside
    }()

    /// What was told of the channel since the last call.
    private static func news(_ local: Local) -> [String] {
        local.recorder.take().filter { $0.type == .channelUpdated }.map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test func theHoursAreToldWhenTheyBeginAndEnd() async throws {
        try await Local.run { local in
            _ = try await local.desk.update(channel: "multi", Self.settings(Self.berlin([.init(540, 1020)])))
            #expect(Self.news(local) == [#"{"id":"multi","isOpen":true}"#])
            #expect(await eventually { local.clock.sleeperCount == 1 })
            // Nobody is asked between: one sleep of at most an hour, as somebody may set the system's clock.
            #expect(local.clock.nextWaking == .seconds(3600))
            local.environment.now = try #require(Timestamp(rfc3339: "2026-03-02T15:59:00Z"))
            local.clock.advance(by: .seconds(3600))
            #expect(await eventually { local.clock.nextWaking == .seconds(60) })
            #expect(Self.news(local) == [])
            local.environment.advance(milliseconds: 60_000)
            local.clock.advance(by: .seconds(60))
            let closed = #"{"id":"multi","isOpen":false,"nextOpening":"2026-03-03T08:00:00.000Z"}"#
            #expect(await eventually { Self.news(local) == [closed] })
            let channel = try await local.desk.channel("multi")
            #expect(local.service.opening(of: channel)?.isOpen == false)
        }
    }

    @Test func whatChangesIsToldToTheChannelAndTheDesk() async throws {
        try await Local.run { local in
            _ = try await local.desk.update(channel: "multi", Self.settings(Self.berlin([.init(0, 60)])))
            let event = try #require(local.recorder.take().first { $0.type == .channelUpdated })
            #expect(event.offset == nil)
            #expect(Set(event.audiences) == [.desk, .channel(service: "local", id: "multi")])
            _ = try await local.desk.setOnline(false, channel: "live")
            #expect(Self.news(local) == [#"{"id":"live","isOpen":false}"#])
        }
    }

    @Test func agentsOpenAChannel() async throws {
        try await Local.run { local in
            let staffed = Mutex<Set<String>>([])
            let staff = { @Sendable (channel: String) in staffed.withLock { $0.contains(channel) } }
            for (channel, mode) in [("multi", OpeningHours.Mode.agents), ("single", .both)] {
                _ = try await local.desk.update(
                    channel: channel, Self.settings(Self.berlin([.init(540, 1020)], mode: mode)))
            }
            #expect(Self.news(local) == [#"{"id":"multi","isOpen":false}"#, #"{"id":"single","isOpen":false}"#])
            staffed.withLock { $0 = ["multi", "single"] }
            local.desk.staffChanged(staff)
            #expect(Self.news(local) == [#"{"id":"multi","isOpen":true}"#, #"{"id":"single","isOpen":true}"#])
            local.desk.staffChanged(staff)
            #expect(Self.news(local) == [])
            // Outside the hours, agents do not open the one that has both.
            local.environment.now = try #require(Timestamp(rfc3339: "2026-03-02T20:00:00Z"))
            local.desk.staffChanged(staff)
            #expect(
                Self.news(local) == [#"{"id":"single","isOpen":false,"nextOpening":"2026-03-03T08:00:00.000Z"}"#])
        }
    }

    @Test func hoursOutliveARestart() async throws {
        try await Local.run { local in
            _ = try await local.desk.update(channel: "multi", Self.settings(Self.berlin([.init(0, 60)])))
            _ = local.recorder.take()
            let clock = ManualClock()
            let again = try await LocalService(store: local.store, clock: clock)
            let channel = try await again.channel("multi")
            let opening = again.opening(of: channel)
            #expect(opening == Opening(isOpen: false, next: Timestamp(rfc3339: "2026-03-02T23:00:00Z")))
            #expect(Self.news(local) == [])
            #expect(await eventually { clock.sleeperCount == 1 })
        }
    }

    @Test func anUnknownTimeZoneIsRefused() async throws {
        try await Local.run { local in
            for zone in ["Europe/Atlantis", "../../../etc/passwd", "Europe", "right/UTC/x"] {
                var hours = Self.berlin([])
                hours.timeZone = zone
                let settings = Self.settings(hours)
                await #expect(throws: ChatError.self) {
                    _ = try await local.desk.update(channel: "multi", settings)
                }
            }
            let channel = try await local.desk.channel("multi")
            #expect(channel.hours == nil)
        }
    }

    @Test func whoWritesOutsideTheHoursIsToldOnce() async throws {
        try await Local.run(onBothEngines: true) { local in
            _ = try await local.desk.update(
                channel: "multi", Self.settings(Self.berlin([.init(0, 60)]), Self.outside))
            let ada = try await local.person()
            try await ada.create("t1")
            _ = try local.log()
            try await ada.send("m1", to: "t1")
            let contact = try #require(try ada.thread("t1")["contactId"]?.string)
            let answer = "outside-\(contact)"
            #expect(
                try local.log().suffix(4) == [
                    "message.created m1 cd", "thread.updated t1 cd", "message.created \(answer) cd",
                    "thread.updated t1 cd",
                ])
            let told = try #require(try ada.message(answer, in: "t1"))
            #expect(told["text"]?.string == "We are away.")
            #expect(told["type"]?.string == "admin")
            #expect(told["customType"]?.string == "parley.outside")
            #expect(told[path: "author", "kind"]?.string == "system")
            // It is no answer: the customer still waits, and has nothing to read.
            #expect(try local.deskThread("t1")["waitingSince"] != nil)
            #expect(try ada.thread("t1")["unreadCount"]?.integer == 0)
            try await ada.send("m2", to: "t1")
            #expect(try ada.messages("t1").count == 3)
            // The next contact gets it again, in the language of whoever writes.
            _ = try await local.desk.endContact(DeskThread(id: "t1"), as: nil, ifMatch: nil, receipt: nil)
            var draft = MessageDraft(id: "m3", text: "Hallo")
            draft.languages = ["de-AT"]
            _ = try await ada.connection.send(draft, to: "t1", receipt: nil)
            #expect(try ada.messages("t1").count == 5)
            #expect(try ada.messages("t1").first?["text"]?.string == "Wir sind nicht da.")
        }
    }

    @Test func nobodyIsToldWhileItIsOpenAndNoAgentIs() async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            try await ada.send("m1", to: "t1")
            _ = try await local.desk.update(
                channel: "multi", Self.settings(Self.berlin([.init(540, 1020)]), Self.outside))
            try await ada.send("m2", to: "t1")
            #expect(try ada.messages("t1").count == 2)
            _ = try await local.desk.update(
                channel: "multi", Self.settings(Self.berlin([.init(0, 60)]), Self.outside))
            _ = try await local.send("m3", to: "t1")
            #expect(try ada.messages("t1").count == 3)
        }
    }

    @Test func liveChatsAreRefusedOutsideTheHours() async throws {
        try await Local.run { local in
            _ = try await local.desk.update(channel: "live", Self.settings(Self.berlin([.init(0, 60)])))
            let ada = try await local.person(on: "live")
            await #expect(throws: ChatError.self) { try await ada.create("t1") }
            let account = try await local.store.read { try $0.account(ada.account) }
            #expect(try await !local.service.isOnline(account))
            #expect(try await local.desk.channel("live").isOnline, "the desk's own switch is as it was")
        }
    }

    @Test func liveChatsMayWaitOutsideTheHours() async throws {
        try await Local.run { local in
            var outside = Self.outside
            outside.chats = .queue
            _ = try await local.desk.update(channel: "live", Self.settings(Self.berlin([.init(0, 60)]), outside))
            let ada = try await local.person(on: "live")
            try await ada.create("t1")
            #expect(try ada.thread("t1")["queuePosition"]?.integer == 1)
            #expect(try ada.messages("t1").first?["text"]?.string == "We are away.")
            try await ada.send("m1", to: "t1")
            #expect(try ada.messages("t1").count == 2)
        }
    }
}
