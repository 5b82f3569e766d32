import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// Two gateways on one application: neither knows of the other.
@Suite struct OneApplicationTests {
    /// The same customer at both sees the same: what was written and read at the one is so at the other.
    @Test func aCustomerAtBoth() async throws {
        try await TwoGateways.run { world in
            let here = try await world.sessionWithThread("room_1")
            try await world.withAnother { other in
                let there = try await other.session("ada")
                _ = try await here.send(MessageDraft(id: "m1", text: "one"), to: "room_1", receipt: nil)
                world.port.next("POST", "/messages", .loseAnswer)
                _ = try await there.send(MessageDraft(id: "m2", text: "two"), to: "room_1", receipt: nil)
                try await world.deskSends("three", to: "room_1")
                for (gateway, client) in [(world, here), (other, there)] {
                    #expect(
                        try await world.passes {
                            let messages = try await gateway.messages(of: client, in: "room_1")
                            let isUnread = try await gateway.thread("room_1", of: client)["unreadCount"]?.integer == 1
                            return messages.map(\.content) == ["one", "two", "three"] && isUnread
                                && messages.map(\.direction) == [.toAgent, .toAgent, .toClient]
                        })
                }
                #expect(world.port.count("POST", "/messages") == 2, "none sends what the other has sent")
                try await here.ask { _ = try await $0.markRead("room_1", receipt: nil) }
                try await there.ask { _ = try await $0.rename("room_1", to: "new", ifMatch: nil) }
                for (gateway, client) in [(world, here), (other, there)] {
                    #expect(
                        try await world.passes {
                            let thread = try await gateway.thread("room_1", of: client)
                            return thread["unreadCount"]?.integer == 0 && thread["name"]?.string == "new"
                        })
                }
            }
        }
    }

    /// Both make calls as if they had the application's limits alone. Who is refused makes none for the time that it
    /// was told, and then half as many. All messages arrive, each once.
    @Test func theyShareItsLimits() async throws {
        try await TwoGateways.run(gets: 10, writes: 6) { world in
            let ada = try await world.sessionWithThread("room_1")
            try await world.withAnother { other in
                let bob = try await other.session("bob")
                let account = bob.account
                #expect(
                    try await world.passes { try await other.store.read { try $0.hasThread("room_1", of: account) } })
                world.port.takesAtMost(gets: 10, writes: 6)
                let isDone = Watched(0)
                for client in [ada, bob] {
                    Task {
                        for number in 0..<30 {
                            let text = "\(client.key.customer) \(number)"
                            _ = try? await client.send(MessageDraft(text: text), to: "room_1", receipt: nil)
                        }
                        isDone.change { $0 += 1 }
                    }
                }
                #expect(await world.passes { isDone.withLock { $0 } == 2 })
                for (gateway, client) in [(world, ada), (other, bob)] {
                    #expect(
                        try await world.passes { try await gateway.messages(of: client, in: "room_1").count == 60 })
                }
                let texts = try await world.farTexts(in: "room_1")
                #expect(texts.count == 60 && Set(texts).count == 60)
                try Self.checkRefusals(of: world.port.calls)
            }
        }
    }

    private static func checkRefusals(of calls: [SandboxPort.Call]) throws {
        let writes = calls.filter { $0.method == "POST" && $0.path.hasSuffix("/messages") }
        let refused = writes.filter(\.isRefused)
        let first = try #require(refused.first)
        let later = writes.filter { $0.gateway == first.gateway && $0.at > first.at }
        #expect(later.allSatisfy { $0.at >= first.at + .seconds(2) })
        #expect(later.contains { !$0.isRefused })
        for call in later { #expect(later.count { $0.at >= call.at && $0.at < call.at + .seconds(1) } <= 3) }
    }
}
