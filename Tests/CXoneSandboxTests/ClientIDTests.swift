import Chat
import ChatModel
import ChatStore
@testable import CXoneSandbox
import CXoneWire
import Foundation
import LocalService
import SandboxKit
import TestSupport
import Testing

/// SDKs read only UUIDs; the embedded service takes any text as an id.
@Suite struct ClientIDTests {
    private static let uuid = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"

    /// A thread `order-4711` with a message `echo-1`, made by REST for a customer who also has an app.
    private static func thread(of customer: String, in scene: Scene) async throws {
        let key = AccountKey(service: LocalService.serviceID, channel: "multi", customer: customer)
        let account = try await scene.store.write { try $0.openAccount(key) }
        let channel = try await scene.service.channel("multi")
        let connection = try await scene.service.connect(account, channel: channel) {}
        _ = try await connection.createThread(ThreadDraft(id: "order-4711"), receipt: nil)
        _ = try await connection.send(MessageDraft(id: "echo-1", text: "Hi"), to: "order-4711", receipt: nil)
    }

    private static func messages(in answer: ServerFrame) -> [WireMessage] {
        guard case .answer(.threadRecovered(let thread), _) = answer else { return [] }
        return thread.messages
    }

    private static func listed(_ answer: ServerFrame) -> [String] {
        guard case .answer(.threadListFetched(let threads), _) = answer else { return [] }
        return threads.map(\.id)
    }

    @Test func anAppHearsUUIDsAndIsUnderstoodByThem() async throws {
        try await Scene.run { scene in
            try await Self.thread(of: "ada", in: scene)
            let ada = try await scene.client("ada")
            let thread = try #require(Self.listed(try await ada.ask(.fetchThreadList)).first)
            #expect(UUID(uuidString: thread) != nil)
            let recovered = try await ada.ask(.recoverThread(ThreadReference(id: thread)))
            let message = try #require(Self.messages(in: recovered).first)
            #expect(UUID(uuidString: message.id) != nil && message.threadID == thread)
            guard case .answer(.threadRecovered(let data), _) = recovered else { return }
            #expect(data.thread.id == thread && data.contact?.threadID == thread)
            // Its own messages go into the same thread, and a message that it sends again is the one that is there.
            #expect(try await ada.ask(ada.text("Hello", id: Self.uuid, in: thread)).isAcknowledged)
            #expect(try await ada.ask(ada.text("Hi", id: message.id, in: thread)).isAcknowledged)
            for text in ["typing", "seen"] {
                let event: ClientEvent =
                    text == "typing"
                    ? .senderTypingStarted(ThreadReference(id: thread)) : .messageSeenByCustomer(.init(id: thread))
                #expect(try await ada.ask(event).isAcknowledged)
            }
            let page = try await scene.desk.messages(
                of: DeskThread(id: "order-4711"), replies: .none, page: PageRequest(limit: 10, cursor: nil))
            let stored = String(decoding: page.body, as: UTF8.self)
            #expect(stored.contains(#""id":"echo-1""#) && stored.contains(Self.uuid) && !stored.contains(message.id))
            #expect(Self.listed(try await ada.ask(.fetchThreadList)) == [thread])
        }
    }

    @Test func pushesHaveTheSameIDs() async throws {
        try await Scene.run { scene in
            try await Self.thread(of: "ada", in: scene)
            let ada = try await scene.client("ada")
            let thread = try #require(Self.listed(try await ada.ask(.fetchThreadList)).first)
            let desk = DeskThread(id: "order-4711")
            _ = try await scene.desk.send(
                MessageDraft(id: "echo-2", text: "Yes?"), as: Scene.agent, to: desk, receipt: nil)
            _ = try await scene.desk.assign(Scene.agent, to: desk, receipt: nil)
            try await scene.desk.reportTyping(true, as: Scene.agent, in: desk)
            try await ada.heard("CaseInboxAssigneeChanged")
            try await ada.heard("SenderTypingStarted")
            var told: [String] = []
            for push in ada.pushes {
                switch push {
                case .messageCreated(let data):
                    told += [data.thread.id, data.message.threadID, data.contact?.threadID ?? ""]
                    let recovered = try await ada.ask(.recoverThread(ThreadReference(id: thread)))
                    #expect(Self.messages(in: recovered).first?.id == data.message.id)
                    #expect(UUID(uuidString: data.message.id) != nil)
                case .caseInboxAssigneeChanged(let data): told.append(data.contact.threadID ?? "")
                case .senderTypingStarted(let data): told.append(data.thread.id)
                default: break
                }
            }
            #expect(told.count == 5 && Set(told) == [thread])
        }
    }

    @Test func theyAreTheSameAfterARestartAndOnAnotherDevice() async throws {
        try await Scene.run { scene in
            try await Self.thread(of: "ada", in: scene)
            let before = Self.listed(try await scene.client("ada").ask(.fetchThreadList))
            let other = Sandbox(
                store: scene.store, service: scene.service, key: Array(repeating: 7, count: 32), clock: scene.clock,
                logger: .init(label: "other"))
            #expect(before == [other.ids.thread("order-4711")])
            await other.close()
            #expect(Self.listed(try await scene.client("ada", on: "multi", "android").ask(.fetchThreadList)) == before)
        }
    }

    /// As sessions of Parley's own adapter have them, whose ids come from REST.
    @Test func idsThatAClientHasMadeStay() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            try await ada.heard("CaseCreated")
            ada.session.inbox.put(.closed(.client))
            try #require(await eventually { scene.sandbox.sessionCount == 0 })
            let again = try await scene.client("ada")
            #expect(Self.listed(try await again.ask(.fetchThreadList)) == ["t1"])
            #expect(Self.messages(in: try await again.ask(.recoverThread(.init(id: "t1")))).map(\.id) == ["m1"])
        }
    }

    /// Another customer's thread of the same id is not found by the UUID.
    @Test func aUUIDThatStandsForNothingOfTheirsIsItself() async throws {
        try await Scene.run { scene in
            try await Self.thread(of: "ada", in: scene)
            let bob = try await scene.client("bob")
            let thread = scene.sandbox.ids.thread("order-4711")
            #expect(try await bob.ask(bob.text("Mine", id: Self.uuid, in: thread)).isAcknowledged)
            #expect(Self.listed(try await bob.ask(.fetchThreadList)) == [thread])
        }
    }

    @Test(arguments: [
        ("6f9619ff-8b86-4d01-b42d-00cf4fc964ff", true), ("6F9619FF-8B86-4D01-B42D-00CF4FC964FF", true),
        ("6f9619ff-8b86-4d01-b42d-00cf4fc964f", false), ("6f9619ff+8b86-4d01-b42d-00cf4fc964ff", false),
        ("6f9619ff-8b86-4d01-b42d-00cf4fc964fg", false), ("order-4711", false), ("", false),
    ])
    func whatIsAUUID(_ text: String, _ isUUID: Bool) {
        #expect(StableIDs.isUUID(text) == isUUID)
    }
}
