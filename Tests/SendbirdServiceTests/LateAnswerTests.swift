import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// An answer of the platform that was asked before a deed does not know of it, and comes later.
@Suite struct LateAnswerTests {
    enum Deed: CaseIterable, Sendable {
        case rename, fields, archive, hide, leave

        func perform(_ client: ChatClient) async throws {
            try await client.ask { connection in
                switch self {
                case .rename: _ = try await connection.rename("room_1", to: "new", ifMatch: nil)
                case .fields: _ = try await connection.setCustomFields(["a": "new"], of: "room_1", ifMatch: nil)
                case .archive: _ = try await connection.archive("room_1", ifMatch: nil, receipt: nil)
                case .hide: _ = try await connection.setHidden(true, "room_1", receipt: nil)
                case .leave: _ = try await connection.leave("room_1", receipt: nil)
                }
            }
        }
    }

    @Test(arguments: Deed.allCases) func itDoesNotUndoADeed(deed: Deed) async throws {
        try await TwoGateways.run { world in
            let ada = try await world.sessionWithThread("room_1")
            try await world.deskSends("Hello", to: "room_1")
            #expect(try await world.passes { try await world.texts(of: ada, in: "room_1") == ["Hello"] })
            await world.elapse(3)
            let (before, mayCome) = (world.port.count("GET", "/room_1"), Watched(false))
            world.port.next("GET", "/room_1", .comeLater { _ = await eventually { mayCome.withLock { $0 } } })
            // Polls are slow from now on.
            #expect(world.hears("message_send", in: "room_1") == .taken)
            world.pass(.milliseconds(100))
            #expect(await eventually { world.port.count("GET", "/room_1") == before + 1 })
            try await deed.perform(ada)
            let done = try? await Contents(of: ada, at: world).lines
            mayCome.change { $0 = true }
            await world.elapse(1)
            #expect(try await Contents(of: ada, at: world).lines == done)
            #expect(try await Contents(of: "ada", on: world).lines == done)
        }
    }

    /// Nor does the list of threads, which comes in pages, undo what a look at a thread has found.
    @Test func itDoesNotUndoALook() async throws {
        try await TwoGateways.run { world in
            let ada = try await world.sessionWithThread("room_1")
            await world.elapse(3)
            let (before, mayCome) = (world.port.count("GET", "/my_group_channels"), Watched(false))
            world.port.next(
                "GET", "/my_group_channels", .comeLater { _ = await eventually { mayCome.withLock { $0 } } })
            let other = Task { try await world.session() }
            #expect(await eventually { world.port.count("GET", "/my_group_channels") == before + 1 })
            try await world.deskSends("Hello", to: "room_1")
            #expect(world.hears("message_send", in: "room_1") == .taken)
            world.pass(.milliseconds(100))
            let unread: @Sendable () async throws -> Int64? = {
                try await world.thread("room_1", of: ada)["unreadCount"]?.integer
            }
            #expect(try await eventually { try await unread() == 1 })
            mayCome.change { $0 = true }
            _ = try await other.value
            #expect(try await unread() == 1)
        }
    }
}
