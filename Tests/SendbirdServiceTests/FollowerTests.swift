import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// Where nobody follows, the platform is asked seldom.
@Suite struct FollowerTests {
    @Test func whoComesBackIsToldSoon() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            await world.elapse(400)
            let before = world.port.count("GET", "/group_channels")
            await world.elapse(300)
            let alone = world.port.count("GET", "/group_channels") - before
            #expect((4...8).contains(alone), "\(alone) in five minutes")
            // There is no poll in the seconds after one.
            let last = world.port.count("GET", "/group_channels")
            #expect(await world.passes { world.port.count("GET", "/group_channels") > last })
            try await world.deskSends("Hello", to: thread)
            await world.elapse(3)
            #expect(try await world.texts(of: client, in: thread) == [])
            client.noteUse()
            // On a busy machine what is read arrives after the time has gone on. It is far below a minute.
            for _ in 0..<10 {
                await world.elapse(1)
                if try await !world.texts(of: client, in: thread).isEmpty { break }
            }
            #expect(try await world.texts(of: client, in: thread) == ["Hello"])
        }
    }
}
