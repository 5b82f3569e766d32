import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Chat

/// A gateway that has lost touch with its database closes what is open at the platforms.
@Suite struct SuspensionTests {
    @Test func connectionsAreClosedAndComeBackWhenItIsOver() async throws {
        try await Scene.run(ScriptedService(isRemote: true)) { scene in
            try await scene.client.connect()
            _ = try scene.news()
            await scene.sessions.suspend().value
            #expect(scene.service.count("close") == 1)
            #expect(scene.client.state == .connecting)
            // The time for the next attempt comes, and nothing happens.
            let connection = scene.client.connection
            let (waiting, attempt) = (try #require(await connection.retry), await connection.attempt)
            await scene.wakeNext()
            await waiting.value
            #expect(await connection.attempt == attempt && scene.service.count("connect") == 1)
            await scene.sessions.resume().value
            #expect(scene.client.state == .ready)
            #expect(try scene.news() == ["connecting notConnected next", "connected", "threads 3", "ready"])
        }
    }

    /// The attempt that a session waits for is made once, not also when its time has come.
    @Test func itMakesOneAttemptAtTheEnd() async throws {
        try await Scene.run(ScriptedService(isRemote: true)) { scene in
            try await scene.client.connect()
            await scene.sessions.suspend().value
            scene.service.script("connect", .fail(.serverError))
            await scene.sessions.resume().value
            #expect(scene.client.connectionError?.code == .serverError)
            #expect(await eventually { scene.clock.sleeperCount == 1 })
            await scene.wakeNext()
            #expect(await scene.reaches(.ready))
            #expect(scene.service.count("connect") == 3)
        }
    }

    @Test func anAttemptThatIsUnderWayEndsWithoutAConnection() async throws {
        try await Scene.run(ScriptedService(isRemote: true)) { scene in
            let gate = Gate()
            scene.service.script("connect", .hold(gate))
            let connecting = await scene.begin("connect") { try await scene.client.connect() }
            await scene.sessions.suspend().value
            gate.open()
            #expect(await refusal { try await connecting.value } == .notConnected)
            #expect(scene.service.count("close") == 1)
            #expect(await refusal { try await scene.client.connect() } == .notConnected)
            #expect(scene.service.count("connect") == 1)
            await scene.sessions.resume().value
            #expect(scene.client.state == .ready)
        }
    }

    /// The embedded service has no platform: whoever asks it while the database is away is refused by the store.
    @Test func embeddedSessionsStayAsTheyAre() async throws {
        try await Scene.run { scene in
            try await scene.client.connect()
            await scene.sessions.suspend().value
            #expect(scene.client.state == .ready)
            #expect(scene.service.count("close") == 0)
            await scene.sessions.resume().value
            #expect(scene.client.state == .ready)
        }
    }
}
