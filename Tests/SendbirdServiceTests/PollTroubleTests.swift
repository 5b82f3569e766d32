import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// Polls that fail, are refused, or have to wait.
@Suite struct PollTroubleTests {
    private static let room = "room_1"

    private static func refusal(_ code: Int) -> SandboxPort.Fate {
        .answer(status: 400, body: #"{"error":true,"code":\#(code),"message":"Refused."}"#, headers: [:])
    }
    private static let failure = SandboxPort.Fate.answer(status: 503, body: "", headers: [:])

    /// The application's list shows the edit to one poll alone, as something that has changed.
    @Test func theLookAfterAPollFails() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread(Self.room)
            try await world.deskSends("old", to: Self.room, id: "a1")
            #expect(try await world.passes { try await world.texts(of: client, in: Self.room) == ["old"] })
            let before = world.port.count("GET", "/messages")
            world.port.next("GET", "/\(Self.room)/messages", Self.failure)
            world.environment.advance(milliseconds: 5)
            _ = try await world.desk.edit(
                "a1", in: DeskThread(id: Self.room), text: "new", ifMatch: nil, as: TwoGateways.agent)
            #expect(await world.passes { world.port.count("GET", "/messages") > before })
            #expect(try await world.passes { try await world.texts(of: client, in: Self.room) == ["new"] })
        }
    }

    /// A thread is looked at over any of an account's sessions, also over one that has not read it.
    @Test(arguments: 0..<6) func oneOfTwoSessionsReads(turn: Int) async throws {
        try await TwoGateways.run { world in
            let clients = [try await world.sessionWithThread(Self.room), try await world.session()]
            try await world.deskSends("Hello", to: Self.room)
            let unread: @Sendable () async throws -> Int64? = {
                try await world.thread(Self.room, of: clients[0])["unreadCount"]?.integer
            }
            #expect(try await world.passes { try await unread() == 1 })
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            world.port.next("PUT", "/mark_as_read", .wait { for await _ in gate {} })
            let reading = Task {
                try await clients[turn % 2].ask { _ = try await $0.markRead(Self.room, receipt: nil) }
            }
            #expect(await eventually { world.port.count("PUT", "/mark_as_read") == 1 })
            // A call may take ten seconds. Until then there is a look.
            let before = world.port.count("GET", "/\(Self.room)")
            let looks: @Sendable () -> Bool = { world.port.count("GET", "/\(Self.room)") > before }
            for _ in 0..<9 where !looks() {
                let (sleeps, next) = (world.clock.sleepCount, world.clock.nextWaking)
                world.pass(.seconds(1))
                guard let next, next <= .seconds(1) else { continue }
                #expect(await eventually { looks() || world.clock.sleepCount > sleeps })
            }
            #expect(await eventually { looks() && world.port.inFlight == 1 })
            for _ in 0..<10 { try await world.store.write { _ in } }
            #expect(try await unread() ?? 0 == 0)
            open.finish()
            try await reading.value
        }
    }

    /// A moderator removes more than one look asks for, also while as many looks wait as may.
    @Test(arguments: [0, 600]) func manyOldMessagesAreRemoved(others: Int) async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread(Self.room)
            for number in 0..<50 { try await world.deskSends("old \(number)", to: Self.room, id: "a\(number)") }
            #expect(try await world.passes { try await world.messages(of: client, in: Self.room).count == 50 })
            world.pass(.seconds(60))
            for number in 0..<120 { try await world.deskSends("\(number)", to: Self.room) }
            #expect(try await world.passes { try await world.messages(of: client, in: Self.room).count == 170 })
            let old = try await world.messages(of: client, in: Self.room).prefix(50).compactMap { Int64($0.id) }
            #expect(old.count == 50)
            for number in 0..<50 {
                try await world.desk.remove(
                    "a\(number)", in: DeskThread(id: Self.room), ifMatch: nil, as: TwoGateways.agent)
            }
            for number in 0..<others { #expect(world.hears("message_send", in: "other_\(number)") == .taken) }
            for id in old { #expect(world.hears("message_delete", in: Self.room, message: id) == .taken) }
            #expect(try await world.passes { try await world.messages(of: client, in: Self.room).count == 120 })
        }
    }

    /// Another program uses the application's limit up: that is no reason to connect anew.
    @Test func thereAreTooManyCallsForLong() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread(Self.room)
            let before = world.port.count("GET", "/users/ada")
            world.port.answersAll(
                with: .answer(
                    status: 429, body: #"{"error":true,"code":500910,"message":"Too many."}"#,
                    headers: ["x-ratelimit-retryafter": "40"]))
            await world.elapse(400)
            world.port.answersAll(with: nil)
            try await world.deskSends("Hello", to: Self.room)
            #expect(try await world.passes { try await world.texts(of: client, in: Self.room) == ["Hello"] })
            #expect(client.state == .ready && world.port.count("GET", "/users/ada") == before)
        }
    }

    /// A platform that is away is a loss, and one that is back is a connection.
    @Test func thePlatformIsAway() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread(Self.room)
            let before = world.port.count("GET", "/users/ada")
            world.port.answersAll(with: Self.failure)
            #expect(await world.passes { client.state != .ready })
            world.port.answersAll(with: nil)
            try await world.deskSends("Hello", to: Self.room)
            try? await client.connect()
            #expect(try await world.passes { try await world.texts(of: client, in: Self.room) == ["Hello"] })
            #expect(world.port.count("GET", "/users/ada") > before)
        }
    }

    /// Sessions that can hear no news do not say that they are ready; and the log says why, once.
    @Test func theApplicationsListIsRefused() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread(Self.room)
            let before = world.port.count("GET", "/group_channels")
            for _ in 0..<12 { world.port.next("GET", "/v3/group_channels", Self.refusal(400108)) }
            #expect(await world.passes { client.state != .ready })
            #expect(world.notices.withLock { $0 }.count == 1)
            await world.elapse(30)
            #expect(world.port.count("GET", "/group_channels") - before < 15, "no loop")
            for _ in 0..<20 where client.state != .ready {
                try? await client.connect()
                await world.elapse(10)
            }
            #expect(client.state == .ready && world.notices.withLock { $0 }.count == 1)
            try await world.deskSends("Hello", to: Self.room)
            #expect(try await world.passes { try await world.texts(of: client, in: Self.room) == ["Hello"] })
        }
    }

    /// It ends the connection of this account, and no other one.
    @Test func aUserIsDeactivated() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread(Self.room)
            let other = try await world.session("bob")
            try await world.asks(
                "PUT", "/users/ada", #"{"is_active":false,"leave_all_group_channels_upon_deactivation":false}"#)
            world.port.next("PUT", "/hide", Self.refusal(400300))
            await #expect(throws: ChatError.self) {
                try await client.ask { _ = try await $0.setHidden(true, Self.room, receipt: nil) }
            }
            #expect(await world.passes { client.state != .ready })
            #expect(other.state == .ready)
        }
    }

    /// Their threads are what they were; each account's list tells it, and nothing else need be asked.
    @Test(.timeLimit(.minutes(5))) func somebodyInManyThreadsChangesTheName() async throws {
        let threads = (0..<40).map { "chan_\($0)" }
        try await TwoGateways.run { world in
            for name in ["ada", "bob"] {
                try await world.asks("POST", "/users", #"{"user_id":"\#(name)","nickname":"","profile_url":""}"#)
            }
            for thread in threads {
                try await world.asks(
                    "POST", "/group_channels", #"{"channel_url":"\#(thread)","user_ids":["ada","bob"]}"#)
            }
            let client = try await world.session()
            let account = client.account
            // All of them are read first.
            await world.untilRead(client)
            let before = world.port.calls.count
            try await world.asks("PUT", "/users/bob", #"{"nickname":"Bob the Builder"}"#)
            let isTold = { @Sendable in
                guard world.port.calls[before...].contains(where: { $0.path.hasSuffix("/my_group_channels") }) else {
                    return false
                }
                return try await world.store.read { transaction in
                    try threads.allSatisfy {
                        let json = try transaction.thread($0, of: account)?.json(for: account)
                        return String(decoding: json ?? [], as: UTF8.self).contains("Bob the Builder")
                    }
                }
            }
            for _ in 0..<70 where try await !isTold() {
                client.noteUse()
                await world.elapse(10)
            }
            #expect(try await isTold())
            // The application's list tells it, too.
            let count = world.port.calls[before...].count { $0.path.hasSuffix("/messages") }
            #expect((1..<50).contains(count), "\(count)")
        }
    }
}
