import Chat
import ChatModel
@testable import CXoneSandbox
import CXoneWire
import Formats
@testable import SandboxKit
import TestSupport
import Testing

/// What goes wrong on demand, and only that.
@Suite struct FaultTests {
    @Test func aDelayedAnswerComesWhenItsTimeHasCome() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = scene.sandbox.faults.add(
                Fault(id: "f", kind: .delayAnswer, event: "FetchThreadList", milliseconds: 500))
            let request = ada.request(.fetchThreadList)
            ada.session.inbox.put(.text(ClientFrame.request(request).encoded()))
            // The next request is not held up.
            _ = try await ada.ask(.recoverThread(nil))
            try #require(await eventually { scene.clock.sleeperCount == 1 })
            let before = ada.frames.count
            scene.clock.advance(by: .milliseconds(500))
            try #require(await eventually { ada.frames.count > before })
            _ = try await ada.answer(to: request.eventID)
        }
    }

    @Test func aDroppedSocketIsClosedWithoutAWord() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada"), bob = try await scene.client("bob")
            _ = scene.sandbox.faults.add(Fault(id: "f", kind: .dropSocket, customer: "ada"))
            try #require(await eventually { ada.socket.isAborted })
            #expect(ada.socket.closed == nil && !bob.socket.isAborted)
        }
    }

    @Test func aLateMessageIsTheSameMessage() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            try await ada.heard("CaseCreated")
            _ = scene.sandbox.faults.add(Fault(id: "f", kind: .reorderPush, event: "MessageCreated"))
            for text in ["one", "two"] {
                _ = try await scene.desk.send(
                    MessageDraft(id: text, text: text), as: Scene.agent, to: DeskThread(id: "t1"), receipt: nil)
            }
            try await ada.heard("MessageCreated", count: 3)
            let ids = ada.pushes.compactMap { if case .messageCreated(let data) = $0 { data.message.id } else { nil } }
            let told = ["two", "one"].map { scene.sandbox.ids.message($0, in: "t1") }
            #expect(ids == ["m1"] + told)
        }
    }

    @Test func aFaultEndsWithItsTime() async throws {
        try await Scene.run { scene in
            var fault = Fault(id: "f", kind: .refuse, event: "FetchThreadList", count: nil)
            fault.lasts = 1000
            #expect(scene.sandbox.faults.add(fault))
            let ada = try await scene.client("ada")
            for _ in 0..<3 { #expect(try await ada.ask(.fetchThreadList).errorCode != nil) }
            try #require(await eventually { scene.clock.sleeperCount == 1 })
            scene.clock.advance(by: .milliseconds(1000))
            try #require(await eventually { scene.sandbox.faults.pending.isEmpty })
            #expect(try await ada.ask(.fetchThreadList).errorCode == nil)
        }
    }

    @Test func aScriptGoesFromStepToStep() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            let script = FaultScript(
                id: "s", name: nil, createdAt: scene.store.environment.now(),
                steps: [
                    .init(fault: Fault(id: "one", kind: .refuse, event: "FetchThreadList")),
                    .init(
                        trigger: .init(event: "RecoverThread"), delay: 500, fault: Fault(id: "two", kind: .dropSocket)),
                ])
            #expect(scene.sandbox.faults.add(script))
            func progress() -> [FaultScript.Progress] {
                scene.sandbox.faults.scripts.script("s")?.steps.map(\.progress) ?? []
            }
            #expect(progress() == [.due, .waiting])
            #expect(try await ada.ask(.fetchThreadList).errorCode != nil)
            #expect(progress() == [.done, .listening])
            _ = try await ada.ask(.recoverThread(nil))
            try #require(await eventually { scene.clock.sleeperCount == 1 })
            #expect(progress() == [.done, .delayed] && !ada.socket.isAborted)
            scene.clock.advance(by: .milliseconds(500))
            try #require(await eventually { ada.socket.isAborted })
            let done = try #require(scene.sandbox.faults.scripts.script("s"))
            #expect(done.isDone && done.steps.allSatisfy { $0.firings.count == 1 })
            let first = try #require(done.steps[0].firings.first)
            let frame = try #require(scene.sandbox.faults.frames.recent.item(first.frame))
            #expect(frame.kind == .fault && frame.fault?.id == "one" && frame.customer == "ada")
        }
    }

    @Test func aResetBeginsAnew() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            #expect(scene.sandbox.faults.add(Fault(id: "f", kind: .refuse, event: "SendMessage")))
            let reset = Task { try await scene.sandbox.reset() }
            try #require(await eventually { ada.socket.closed == .goingAway })
            let done = try await reset.value
            #expect(done.sockets == 1 && done.customers == 1 && done.threads == 1)
            #expect(scene.sandbox.faults.frames.recent.last == 0 && scene.sandbox.faults.pending.isEmpty)
            let token = TokenClaims(
                kind: .access, customer: "ada", channel: "c", issuedAt: Timestamp(milliseconds: 0),
                expiresAt: Timestamp(milliseconds: 1), nonce: "n")
            #expect(scene.sandbox.voidTokens.contains(token), "tokens of before are void")
            let again = try await scene.client("ada")
            #expect(again.session.number == 1)
            _ = try await again.ask(again.text("Hello", id: "m1", in: "t1"))
            try await again.heard("CaseCreated")
        }
    }

    @Test func afterAResetThatFailsAppsMayConnect() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            let next = SandboxSession(
                number: scene.sandbox.nextNumber(), sandbox: scene.sandbox, face: try scene.face("multi"),
                query: SocketQuery(
                    brandID: scene.sandbox.brandID, channelID: "", visitorID: "v", sdkPlatform: "ios", sdkVersion: "1"),
                customer: nil, base: "http://localhost:8787")
            await scene.store.close()
            await #expect(throws: ChatError.self) { _ = try await scene.sandbox.reset() }
            #expect(ada.socket.closed == .goingAway)
            let socket = MemorySocket()
            scene.sandbox.begin(next, on: socket)
            #expect(!socket.isAborted && scene.sandbox.sessionCount == 1)
        }
    }

    @Test func aStepLastsAsLongAsItsFault() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            var fault = Fault(id: "one", kind: .refuse, event: "FetchThreadList", count: nil)
            fault.lasts = 1000
            let next = FaultScript.Step(fault: Fault(id: "two", kind: .refuse, event: "RecoverThread"))
            #expect(
                scene.sandbox.faults.add(
                    FaultScript(
                        id: "s", name: nil, createdAt: scene.store.environment.now(),
                        steps: [FaultScript.Step(fault: fault), next])))
            for _ in 0..<2 { #expect(try await ada.ask(.fetchThreadList).errorCode != nil) }
            #expect(scene.sandbox.faults.scripts.script("s")?.steps.map(\.progress) == [.due, .waiting])
            try #require(await eventually { scene.clock.sleeperCount == 1 })
            scene.clock.advance(by: .milliseconds(1000))
            try #require(await eventually { scene.sandbox.faults.pending.map(\.id) == ["two"] })
            let steps = try #require(scene.sandbox.faults.scripts.script("s")?.steps)
            #expect(steps.map(\.progress) == [.done, .due] && steps.map(\.firings.count) == [2, 0])
            #expect(steps[1].dueAt != nil)
        }
    }
}
