import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// The end of typing is told where nobody reports it.
@Suite struct TypingTests {
    private static let thread = DeskThread(id: "t1")

    /// A thread in which customer and agent type.
    private func run(
        _ act: (Local, Person) async throws -> Void, _ expect: ([String]) -> Void
    ) async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await person.send("m1", to: "t1")
            try await person.connection.reportTyping(true, in: "t1")
            try await local.desk.reportTyping(true, as: Local.agent, in: Self.thread)
            let recorder = EventRecorder(local.store.feed)
            try await act(local, person)
            expect(try ends(recorder.take()))
        }
    }

    /// Who types no more, and who hears of it: `d` the desk, `c` the customer.
    private func ends(_ events: [LogEvent]) throws -> [String] {
        try events.filter { $0.type == .typing }.map { event in
            let json = try JSONParser.parse(event.data)
            #expect(json["isTyping"] == .bool(false) && event.offset == nil)
            let side = event.audiences == [.desk] ? "d" : "c"
            return "\(json[path: "author", "id"]?.string ?? "") \(side)"
        }.sorted()
    }

    /// Other customers of the thread see that somebody types, and not what.
    @Test func onlyTheDeskReadsWhatIsTyped() async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await person.send("m1", to: "t1")
            let recorder = EventRecorder(local.store.feed)
            try await person.connection.reportTyping(true, text: "Where is m", in: "t1")
            try await person.connection.reportTyping(false, text: "Where is m", in: "t1")
            let told = try recorder.take().map { ($0.audiences, try JSONParser.parse($0.data)["text"]?.string) }
            #expect(told.allSatisfy { $0.0 == [.desk] } && told.map(\.1) == ["Where is m", nil])
        }
    }

    @Test func aMessageEndsItsAuthorsTyping() async throws {
        try await run({ try await $1.send("m2", to: "t1") }, { #expect($0 == ["c1 d"]) })
        try await run({ local, _ in _ = try await local.send("d1", to: "t1") }, { #expect($0 == ["a1 c"]) })
    }

    @Test func theSystemsMessageEndsNobodys() async throws {
        try await run(
            { local, _ in
                let draft = MessageDraft(text: "Notice", isAdmin: true)
                _ = try await local.desk.send(draft, as: Local.agent, to: Self.thread, receipt: nil)
            }, { #expect($0.isEmpty) })
    }

    @Test func aCloseEndsAllTyping() async throws {
        try await run(
            { local, _ in _ = try await local.desk.close(Self.thread, receipt: nil) },
            { #expect($0 == ["a1 c", "c1 d"]) })
        try await run(
            { _ = try await $1.connection.archive("t1", receipt: nil) }, { #expect($0 == ["a1 c", "c1 d"]) })
    }

    @Test func aDisconnectEndsTheTypingOfItsConnection() async throws {
        try await run({ await $1.connection.close() }, { #expect($0 == ["c1 d"]) })
        try await run({ local, _ in await (try local.person()).connection.close() }, { #expect($0.isEmpty) })
    }

    @Test func whatHasEndedIsNotEndedAgain() async throws {
        try await run(
            { local, person in
                try await person.connection.reportTyping(false, in: "t1")
                try await local.desk.reportTyping(false, as: Local.agent, in: Self.thread)
                try await person.send("m2", to: "t1")
                _ = try await local.desk.close(Self.thread, receipt: nil)
                await person.connection.close()
            }, { #expect($0 == ["a1 c", "c1 d"]) })
    }

    @Test func aMessageThatIsSentAgainEndsNothing() async throws {
        try await run({ try await $1.send("m1", to: "t1") }, { #expect($0.isEmpty) })
    }

    /// A page reports the end a moment after the chat was closed.
    @Test func theEndInAClosedThreadIsNoError() async throws {
        try await run(
            { local, person in
                _ = try await local.desk.close(Self.thread, receipt: nil)
                try await person.connection.reportTyping(false, in: "t1")
                try await local.desk.reportTyping(false, as: Local.agent, in: Self.thread)
                for isDesk in [true, false] {
                    let error = await #expect(throws: ChatError.self) {
                        if isDesk {
                            try await local.desk.reportTyping(true, as: Local.agent, in: Self.thread)
                        } else {
                            try await person.connection.reportTyping(true, in: "t1")
                        }
                    }
                    #expect(error?.code == .illegalThreadState)
                }
            }, { #expect($0 == ["a1 c", "c1 d"]) })
    }

    /// Silence closes a live chat without a request.
    @Test func silenceThatClosesAChatEndsTyping() async throws {
        try await Local.run { local in
            var settings = ChannelSettings()
            settings.inactivity = .some(InactivityLimits(secondsUntilPopup: 60, secondsUntilEnd: 30))
            _ = try await local.desk.update(channel: "live", settings)
            let person = try await local.person("c1", on: "live")
            try await person.create("t1")
            _ = try await local.desk.assign(Local.agent, to: Self.thread, receipt: nil)
            try await person.connection.reportTyping(true, in: "t1")
            let recorder = EventRecorder(local.store.feed)
            for seconds in [60, 30] {
                try #require(await eventually { local.clock.sleeperCount == 1 })
                local.environment.advance(milliseconds: Int64(seconds) * 1000)
                local.clock.advance(by: .seconds(seconds))
            }
            try #require(await eventually { try ends(recorder.events) == ["c1 d"] })
        }
    }
}
