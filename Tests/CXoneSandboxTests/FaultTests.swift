import Chat
import ChatModel
@testable import CXoneSandbox
import CXoneWire
import TestSupport
import Testing

/// What goes wrong on demand, and only that.
@Suite struct FaultTests {
    @Test func aFaultMeetsWhomAndWhatItNamesAsOftenAsItSays() {
        let book = FaultBook()
        #expect(book.add(Fault(id: "f", kind: .refuse, customer: "ada", event: "SendMessage", count: 2)))
        #expect(book.take([.refuse], customer: "bob", event: "SendMessage") == nil)
        #expect(book.take([.refuse], customer: "ada", event: "FetchThreadList") == nil)
        #expect(book.take([.loseAnswer], customer: "ada", event: "SendMessage") == nil)
        #expect(book.take([.refuse], customer: "ada", event: "SendMessage") != nil)
        #expect(book.take([.refuse], customer: "ada", event: "SendMessage") != nil)
        #expect(book.take([.refuse], customer: "ada", event: "SendMessage") == nil && book.all.isEmpty)
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
            #expect(ids == ["m1", "two", "one"])
        }
    }
}
