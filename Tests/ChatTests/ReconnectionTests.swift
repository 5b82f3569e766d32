import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Chat

/// Connections that go, requests that wait, and answers that come too late.
@Suite struct ReconnectionTests {
    private let draft = MessageDraft(text: "x")

    @Test func aLostConnectionFailsWhatWaitsAtOnceAndIsTriedAgainByTheClock() async throws {
        try await Scene.run(ScriptedService(isRemote: true)) { scene in
            try await scene.client.connect()
            _ = try scene.news()
            let gate = Gate()
            scene.service.script("markRead", .hold(gate), .hold(gate))
            let reading = [
                await scene.begin("markRead") {
                    try await scene.client.ask { try await $0.markRead("t", receipt: nil) }
                },
                await scene.begin("markRead") {
                    try await scene.client.ask { try await $0.markRead("t", receipt: nil) }
                },
            ]
            scene.service.lose()
            for task in reading { #expect(await refusal { try await task.value } == .notConnected) }
            #expect(scene.client.state == .connecting)
            let delay = await scene.wakeNext()
            #expect(try #require(delay) >= .milliseconds(1300) && delay! < .milliseconds(2300))
            #expect(await scene.reaches(.ready))
            #expect(try scene.news() == ["connecting notConnected next", "connected", "threads 3", "ready"])
            #expect(scene.service.count("connect") == 2)
            gate.open()
        }
    }

    @Test func anOutageOfAnyLengthIsOutlasted() async throws {
        try await Scene.run { scene in
            try await scene.client.connect()
            for _ in 0..<200 { scene.service.script("connect", .fail(.serverError)) }
            scene.service.lose()
            for attempt in 1...200 {
                let delay = await scene.wakeNext()
                #expect(try #require(delay) <= .seconds(60), "attempt \(attempt)")
                #expect(await eventually { scene.service.count("connect") == attempt + 1 })
            }
            #expect(await eventually { scene.clock.sleeperCount == 1 })
            #expect(try scene.news().last == "connecting serverError next")
            await scene.wakeNext()
            #expect(await scene.reaches(.ready))
        }
    }

    @Test func whileThePlatformIsDownARequestIsToldWhyAtOnce() async throws {
        try await Scene.run { scene in
            try await scene.client.connect()
            scene.service.script("connect", .fail(.serverError))
            scene.service.lose()
            await scene.wakeNext()
            #expect(await eventually { scene.client.connectionError?.code == .serverError })
            let error = await #expect(throws: ChatError.self) {
                try await scene.client.ask { try await $0.markRead("t", receipt: nil) }
            }
            #expect(error?.code == .notConnected)
            #expect(error?.detail == "The session is connecting, not connected. as scripted")
        }
    }

    @Test func theCountBeginsAnewAfterASuccess() async throws {
        try await Scene.run { scene in
            try await scene.client.connect()
            for _ in 0..<25 {
                scene.service.lose()
                let delay = await scene.wakeNext()
                #expect(try #require(delay) < .milliseconds(2300))
                #expect(await scene.reaches(.ready))
            }
        }
    }

    @Test func whatIsLoadedAfterAReconnectionMayFailToo() async throws {
        try await Scene.run { scene in
            try await scene.client.connect()
            scene.service.script("loadThreads", .fail(.eventTimeout))
            scene.service.lose()
            await scene.wakeNext()
            #expect(await eventually { scene.service.count("loadThreads") == 2 })
            let delay = await scene.wakeNext()
            #expect(try #require(delay) >= .milliseconds(1690))
            #expect(await scene.reaches(.ready))
        }
    }

    @Test func aLossIsTakenOnceAndOnlyFromTheCurrentConnection() async throws {
        try await Scene.run { scene in
            try await scene.client.connect()
            scene.service.lose(0)
            scene.service.lose(0)
            await scene.wakeNext()
            #expect(await scene.reaches(.ready))
            _ = try scene.news()
            scene.service.lose(0)
            // The loss comes to the session in a task of its own. This one comes behind it.
            await Task { await scene.client.connection.lost(attempt: 0) }.value
            #expect(scene.client.state == .ready)
            #expect(try scene.news() == [])
        }
    }

    @Test func aConnectionThatIsLostBeforeItIsHandedOverIsNotTakenForGood() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("connect", .hold(gate))
            let connecting = await scene.begin("connect") { try await scene.client.connect() }
            scene.service.lose()
            #expect(await eventually { await scene.client.connection.lostAttempt != nil })
            gate.open()
            #expect(await refusal { try await connecting.value } == .notConnected)
            #expect(scene.client.state == .connecting)
        }
    }

    @Test func aRequestWaitsForASessionThatIsConnecting() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("connect", .hold(gate))
            let connecting = await scene.begin("connect") { try await scene.client.connect() }
            let sending = Task { try await scene.client.send(draft, to: "t", receipt: nil) }
            #expect(await eventually { scene.clock.sleeperCount == 2 })
            #expect(scene.service.count("send") == 0)
            gate.open()
            try await connecting.value
            #expect(try await sending.value.id == "send")
            #expect(await eventually { scene.clock.sleeperCount == 0 })
        }
    }

    @Test func aRequestWaitsWhileTheServiceIsAskedWhetherItIsOnline() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("isOnline", .hold(gate))
            let connecting = await scene.begin("isOnline") { try await scene.client.connect() }
            let sending = Task { try await scene.client.send(draft, to: "t", receipt: nil) }
            #expect(await eventually { scene.clock.sleeperCount == 2 })
            gate.open()
            try await connecting.value
            #expect(try await sending.value.id == "send")
        }
    }

    @Test func aRequestWaitsFromPreparingToReady() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("channel", .hold(gate))
            let preparing = await scene.begin("channel") { try await scene.client.prepare(thenConnect: true) }
            let sending = Task { try await scene.client.send(draft, to: "t", receipt: nil) }
            #expect(await eventually { scene.clock.sleeperCount == 2 })
            gate.open()
            try await preparing.value
            #expect(try await sending.value.id == "send")
        }
    }

    @Test func aRequestDoesNotWaitWhereNoConnectionFollowsThePreparation() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("channel", .hold(gate))
            let preparing = await scene.begin("channel") { try await scene.client.prepare() }
            #expect(await refusal { try await scene.client.send(draft, to: "t", receipt: nil) } == .notConnected)
            gate.open()
            try await preparing.value
        }
    }

    @Test func itWaitsTenSecondsAndNoLonger() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("connect", .hold(gate))
            let connecting = await scene.begin("connect") { try await scene.client.connect() }
            let sending = Task { try await scene.client.send(draft, to: "t", receipt: nil) }
            #expect(await eventually { scene.clock.sleeperCount == 2 })
            scene.clock.advance(by: .milliseconds(9999))
            #expect(scene.clock.sleeperCount == 2)
            scene.clock.advance(by: .milliseconds(1))
            #expect(await refusal { try await sending.value } == .notConnected)
            #expect(await refusal { try await connecting.value } == .eventTimeout)
            gate.open()
            #expect(await scene.reaches(.ready))
        }
    }

    @Test func aRequestThatWaitsIsToldWhenConnectingFails() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("connect", .hold(gate, then: .fail(.serverError)))
            let connecting = await scene.begin("connect") { try await scene.client.connect() }
            let sending = Task { try await scene.client.send(draft, to: "t", receipt: nil) }
            #expect(await eventually { scene.clock.sleeperCount == 2 })
            gate.open()
            #expect(await refusal { try await connecting.value } == .serverError)
            #expect(await refusal { try await sending.value } == .notConnected)
        }
    }

    @Test func aCloseThatHangsHoldsUpNobodyWhoWaitsForAnAnswer() async throws {
        try await Scene.run(ScriptedService(isRemote: true)) { scene in
            try await scene.client.connect()
            let (answer, close) = (Gate(), Gate())
            scene.service.script("markRead", .hold(answer))
            scene.service.script("close", .hold(close))
            let reading = await scene.begin("markRead") {
                try await scene.client.ask { try await $0.markRead("t", receipt: nil) }
            }
            let disconnecting = await scene.begin("close") { try await scene.client.disconnect() }
            #expect(await refusal { try await reading.value } == .notConnected)
            #expect(scene.client.state == .prepared)
            // And a new connection does not hear of the old one's end.
            try await scene.client.connect()
            close.open()
            try await disconnecting.value
            #expect(scene.client.state == .ready)
            answer.open()
        }
    }

    @Test func requestsWithoutAConnectionAreRefused() async throws {
        try await Scene.run { scene in
            #expect(await refusal { try await scene.client.createThread(ThreadDraft(), receipt: nil) } == .notConnected)
            // What is wrong with the request itself comes first.
            #expect(
                await refusal { try await scene.client.send(MessageDraft(text: ""), to: "t", receipt: nil) }
                    == .invalidParameter)
            #expect(scene.service.count("createThread") == 0)
        }
    }
}
