import Chat
import ChatModel
@testable import CXoneSandbox
import CXoneWire
import Formats
import TestSupport
import Testing

/// What the platform tells besides messages and contacts.
@Suite struct PlatformNewsTests {
    private static func texts(_ client: SceneClient, _ type: String) -> [String] {
        client.pushes.filter { $0.type == type }.compactMap { push in
            switch push {
            case .messageUpdated(let data), .messageSeenChanged(let data), .messageReadChanged(let data):
                if case .text(let text) = data.message.content.body { text } else { nil }
            case .messageSent(let data), .messageCreated(let data):
                if case .text(let text) = data.message.content.body { text } else { nil }
            default: nil
            }
        }
    }

    @Test func anEditIsToldAsOneAndASightIsNot() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada"), desk = DeskThread(id: "t1")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            let sent = try await scene.desk.send(MessageDraft(text: "Yse"), as: Scene.agent, to: desk, receipt: nil)
            scene.environment.advance(milliseconds: 10)
            _ = try await scene.desk.edit(sent.id, in: desk, text: "Yes", ifMatch: nil)
            // The mobile SDKs learn the new text by the push that they know.
            try await ada.heard("MessageSeenChanged")
            #expect(Self.texts(ada, "MessageUpdated") == ["Yes"] && Self.texts(ada, "MessageSeenChanged") == ["Yes"])
            scene.environment.advance(milliseconds: 10)
            _ = try await ada.ask(.messageSeenByCustomer(ThreadReference(id: "t1")))
            try await ada.heard("MessageSeenChanged", count: 2)
            #expect(Self.texts(ada, "MessageUpdated") == ["Yes"])
        }
    }

    @Test(arguments: [("web", ["MessageSent", "MessageCreated"]), ("ios", ["MessageCreated"])])
    func anAgentsMessageIsToldToPagesAheadOfItself(_ family: String, _ types: [String]) async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada", on: "multi", family)
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            try await ada.heard("CaseCreated")
            _ = try await scene.desk.send(
                MessageDraft(text: "Yes"), as: Scene.agent, to: DeskThread(id: "t1"), receipt: nil)
            try await ada.heard("MessageCreated", count: 2)
            #expect(Array(ada.pushTypes.dropFirst(2)) == types)
            for case .messageSent(let data) in ada.pushes { #expect(data.message.serverID == nil) }
        }
    }

    @Test func typingIsToldToTheCustomersOtherApps() async throws {
        try await Scene.run { scene in
            let phone = try await scene.client("ada"), page = try await scene.client("ada", on: "multi", "web")
            let bob = try await scene.client("bob")
            _ = try await phone.ask(phone.text("Hello", id: "m1", in: "t1"))
            _ = try await phone.ask(.senderTypingStarted(ThreadReference(id: "t1")))
            _ = try await phone.ask(.senderTypingEnded(ThreadReference(id: "t1")))
            try await page.heard("SenderTypingEnded")
            for case .senderTypingStarted(let data) in page.pushes {
                #expect(data.thread.id == "t1" && data.agent == nil && data.direction == .inbound)
            }
            #expect(page.pushTypes.contains("SenderTypingStarted"))
            #expect(!phone.pushTypes.contains("SenderTypingStarted") && bob.pushes.isEmpty)
        }
    }

    @Test func aWelcomeMessageThatIsSentAgainGetsTheSameAnswer() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            func greeting(_ text: String) -> ClientEvent {
                .sendOutbound(SendMessage(thread: ThreadReference(id: "t1"), content: .text(text), id: "w1"))
            }
            #expect(try await ada.ask(greeting("Welcome")).isAcknowledged)
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            #expect(try await ada.ask(greeting("Welcome")).isAcknowledged)
            #expect(try await ada.ask(greeting("Another")).errorCode == .inconsistentData)
            guard case .answer(.threadRecovered(let thread), _) = try await ada.ask(.recoverThread(.init(id: "t1")))
            else { throw Wrong() }
            #expect(thread.messages.map(\.id) == ["m1", "w1"])
        }
    }

    @Test func whatAPageShowsAheadReachesTheDesk() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada", on: "multi", "web")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            let recorder = EventRecorder(scene.store.feed)
            let long = String(repeating: "x", count: TypingPreview.maximumLength + 1)
            for text in ["Where is m", long] {
                let answer = try await ada.ask(.sendMessagePreview(ThreadReference(id: "t1"), .text(text)))
                #expect(answer.isAcknowledged)
            }
            let typing = recorder.take().filter { $0.type == .typing && $0.audiences == [.desk] }
            let texts = try typing.map { try JSONParser.parse($0.data)["text"]?.string }
            #expect(texts == ["Where is m", String(long.dropLast())])
        }
    }

    @Test func anOfflineMessageIsTakenAndChecked() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada", on: "live", "web")
            func leave(_ email: String) async throws -> ServerFrame {
                try await ada.ask(
                    .sendOfflineMessage(
                        SendOfflineMessage(content: .text("Call me"), author: WireCustomer(id: email, firstName: "Ada"))
                    ))
            }
            guard case .answer(.offlineMessageSent, _) = try await leave("ada@example.com") else { throw Wrong() }
            #expect(try await leave("nobody").errorCode == .sendingOfflineMessageFailed)
        }
    }

    @Test func theCustomersPictureIsTakenAndToldAgain() async throws {
        try await Scene.run { scene in
            let ada = try scene.open("ada", on: "multi", "web")
            var request = ada.request(.authorizeCustomer(AuthorizeCustomer(sdkPlatform: "web", sdkVersion: "3.3.0")))
            request.customer?.image = "https://shop.example/ada.png"
            ada.say(String(decoding: ClientFrame.request(request).encoded(), as: UTF8.self))
            guard case .answer(.consumerAuthorized(let known), _) = try await ada.answer(to: request.eventID) else {
                throw Wrong()
            }
            #expect(known.customer?.image == "https://shop.example/ada.png")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            try await ada.heard("MessageCreated")
            for case .messageCreated(let created) in ada.pushes {
                #expect(created.message.authorCustomer?.image == "https://shop.example/ada.png")
            }
            let account = try await scene.store.read {
                try $0.account(AccountKey(service: "local", channel: "multi", customer: "ada"))
            }
            #expect(account?.customer.imageURL == "https://shop.example/ada.png")
        }
    }

    private struct Wrong: Error {}
}
