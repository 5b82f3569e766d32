import Chat
import ChatModel
@testable import CXoneSandbox
import CXoneWire
import Formats
import TestSupport
import Testing

/// What goes wrong on demand, and only that.
@Suite struct FaultTests {
    @Test func aFaultMeetsWhomAndWhatItNamesAsOftenAsItSays() {
        let book = FaultBook()
        #expect(book.add(Fault(id: "f", kind: .refuse, customer: "ada", event: "SendMessage", count: 2)))
        #expect(book.takeFault([.refuse], FaultOccasion(customer: "bob", event: "SendMessage")) == nil)
        #expect(book.takeFault([.refuse], FaultOccasion(customer: "ada", event: "FetchThreadList")) == nil)
        #expect(book.takeFault([.loseAnswer], FaultOccasion(customer: "ada", event: "SendMessage")) == nil)
        #expect(book.takeFault([.refuse], FaultOccasion(customer: "ada", event: "SendMessage")) != nil)
        #expect(book.takeFault([.refuse], FaultOccasion(customer: "ada", event: "SendMessage")) != nil)
        #expect(
            book.takeFault([.refuse], FaultOccasion(customer: "ada", event: "SendMessage")) == nil && book.all.isEmpty)
    }

    @Test func faultsAreBounded() {
        let book = FaultBook()
        for _ in 0..<FaultBook.limit { #expect(book.add(Fault(id: "f", kind: .refuse))) }
        #expect(!book.add(Fault(id: "f", kind: .refuse)))
    }

    @Test func aDelayedAnswerComesWhenItsTimeHasCome() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = scene.sandbox.add(Fault(id: "f", kind: .delayAnswer, event: "FetchThreadList", milliseconds: 500))
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
            _ = scene.sandbox.add(Fault(id: "f", kind: .dropSocket, customer: "ada"))
            try #require(await eventually { ada.socket.isAborted })
            #expect(ada.socket.closed == nil && !bob.socket.isAborted)
        }
    }

    @Test func aLateMessageIsTheSameMessage() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            try await ada.heard("CaseCreated")
            _ = scene.sandbox.add(Fault(id: "f", kind: .reorderPush, event: "MessageCreated"))
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

    @Test func aFaultBeginsWithTheNthFittingOccasion() {
        let book = FaultBook()
        var fault = Fault(id: "f", kind: .loseAnswer, event: "SendMessage")
        (fault.nth, fault.channel, fault.socket) = (3, "multi", 7)
        #expect(book.add(fault))
        let fits = FaultOccasion(customer: "ada", channel: "multi", socket: 7, event: "SendMessage")
        #expect(book.takeFault([.loseAnswer], fits) == nil)
        for other in [
            FaultOccasion(channel: "live", socket: 7, event: "SendMessage"),
            FaultOccasion(channel: "multi", socket: 8, event: "SendMessage"),
        ] {
            #expect(book.takeFault([.loseAnswer], other) == nil)
        }
        #expect(book.takeFault([.loseAnswer], fits) == nil)
        #expect(book.takeFault([.loseAnswer], fits)?.isLast == true && book.all.isEmpty)
    }

    @Test func equalSeedsGiveEqualFaults() {
        func happens(_ seed: Int) -> [Bool] {
            let book = FaultBook()
            var fault = Fault(id: "f", kind: .refuse, count: 1000)
            (fault.probability, fault.seed) = (0.5, seed)
            #expect(book.add(fault))
            return (0..<200).map { _ in book.takeFault([.refuse], FaultOccasion(event: "x")) != nil }
        }
        #expect(happens(1) == happens(1) && happens(1) != happens(2))
        #expect((60...140).contains(happens(1).count { $0 }))
    }

    @Test func aFaultEndsWithItsTime() async throws {
        try await Scene.run { scene in
            var fault = Fault(id: "f", kind: .refuse, event: "FetchThreadList", count: nil)
            fault.lasts = 1000
            #expect(scene.sandbox.add(fault))
            let ada = try await scene.client("ada")
            for _ in 0..<3 { #expect(try await ada.ask(.fetchThreadList).errorCode != nil) }
            try #require(await eventually { scene.clock.sleeperCount == 1 })
            scene.clock.advance(by: .milliseconds(1000))
            try #require(await eventually { scene.sandbox.pendingFaults.isEmpty })
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
            #expect(scene.sandbox.add(script))
            func progress() -> [FaultScript.Progress] { scene.sandbox.scripts.script("s")?.steps.map(\.progress) ?? [] }
            #expect(progress() == [.due, .waiting])
            #expect(try await ada.ask(.fetchThreadList).errorCode != nil)
            #expect(progress() == [.done, .listening])
            _ = try await ada.ask(.recoverThread(nil))
            try #require(await eventually { scene.clock.sleeperCount == 1 })
            #expect(progress() == [.done, .delayed] && !ada.socket.isAborted)
            scene.clock.advance(by: .milliseconds(500))
            try #require(await eventually { ada.socket.isAborted })
            let done = try #require(scene.sandbox.scripts.script("s"))
            #expect(done.isDone && done.steps.allSatisfy { $0.firings.count == 1 })
            let first = try #require(done.steps[0].firings.first)
            let frame = try #require(scene.sandbox.frames.item(first.frame))
            #expect(frame.kind == .fault && frame.fault?.id == "one" && frame.customer == "ada")
        }
    }

    @Test func aResetBeginsAnew() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            #expect(scene.sandbox.add(Fault(id: "f", kind: .refuse, event: "SendMessage")))
            let reset = Task { try await scene.sandbox.reset() }
            try #require(await eventually { ada.socket.closed == .goingAway })
            let done = try await reset.value
            #expect(done.sockets == 1 && done.customers == 1 && done.threads == 1)
            #expect(scene.sandbox.frames.last == 0 && scene.sandbox.pendingFaults.isEmpty)
            let token = TokenClaims(
                kind: .access, customer: "ada", channel: "c", issuedAt: Timestamp(milliseconds: 0),
                expiresAt: Timestamp(milliseconds: 1), nonce: "n")
            #expect(scene.sandbox.faults.isVoid(token), "tokens of before are void")
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
}
