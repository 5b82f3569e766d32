import Chat
import ChatModel
import GatewaySupport
import MicroHTTP
import TestSupport
import Testing

@testable import Assistants

extension ResourceUpdates: ReadableSource {}

/// What clients of 2025 hear of their resources, on a clock that a test moves.
@Suite(.timeLimit(.minutes(5))) struct ResourceUpdatesTests {
    private let loop = TestLoop()
    private let chat = ChatHandle(channel: "multi", customer: "c1", thread: "t1")

    private func follow(_ gateway: TestGateway, _ chats: ChatHandle...) -> Reader {
        gateway.application.attach(to: loop)
        let source = ResourceUpdates(core: gateway.application.core, request: nil) { chats.contains($0) }
        let reader = Reader(source, loop: loop)
        reader.pump()
        return reader
    }

    /// The chats that were told of since the last call, by their threads.
    private func told(_ reader: Reader) -> [String] {
        reader.pump()
        return reader.take().compactMap { event in
            event.data.firstMatch(of: /"uri":"([^"]+)"/).flatMap { ChatHandle(uri: String($0.1))?.thread }
        }
    }

    private func say(_ gateway: TestGateway, in thread: String = "t1") async throws {
        _ = try await gateway.client.send(MessageDraft(text: "x"), to: thread, receipt: nil)
    }

    @Test func aResourceIsToldOnceASecond() async throws {
        try await TestGateway.run { gateway in
            let reader = follow(gateway, chat)
            #expect(reader.text.hasPrefix(": listening"))
            try await say(gateway)
            await loop.job()
            #expect(told(reader) == ["t1"])
            for _ in 0..<3 { try await say(gateway) }
            #expect(told(reader) == [])
            #expect(await eventually { gateway.clock.sleeperCount == 1 })
            gateway.clock.advance(by: .milliseconds(999))
            #expect(gateway.clock.sleeperCount == 1)
            #expect(told(reader) == [])
            gateway.clock.advance(by: .milliseconds(1))
            await loop.job()
            #expect(told(reader) == ["t1"], "the three together")
            gateway.clock.advance(by: .seconds(1))
            await loop.job()
            #expect(told(reader) == [], "nothing has changed since")
            try await say(gateway)
            await loop.job()
            #expect(told(reader) == ["t1"], "after a quiet second at once")
        }
    }

    @Test func eachResourceHasATimeOfItsOwn() async throws {
        try await TestGateway.run { gateway in
            let other = ChatHandle(channel: "multi", customer: "c1", thread: "t2")
            _ = try await gateway.client.createThread(ThreadDraft(id: "t2"), receipt: nil)
            let reader = follow(gateway, chat, other)
            try await say(gateway)
            await loop.job()
            #expect(told(reader) == ["t1"])
            gateway.clock.advance(by: .milliseconds(1))
            try await say(gateway, in: "t2")
            await loop.job()
            #expect(told(reader) == ["t2"])
            try await say(gateway, in: "t2")
            await loop.job()
            #expect(told(reader) == [])
            #expect(await eventually { gateway.clock.sleeperCount == 2 })
            gateway.clock.advance(by: .milliseconds(999))
            await loop.job()
            #expect(told(reader) == [], "the first has not changed since")
            #expect(gateway.clock.sleeperCount == 1)
            gateway.clock.advance(by: .milliseconds(1))
            await loop.job()
            #expect(told(reader) == ["t2"])
        }
    }

    @Test func whatIsNotFollowedIsNotTold() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.client.createThread(ThreadDraft(id: "t2"), receipt: nil)
            let reader = follow(gateway, ChatHandle(channel: "multi", customer: "c1", thread: "t2"))
            try await say(gateway)
            // The log tells of this change after the other.
            try await say(gateway, in: "t2")
            await loop.job()
            #expect(told(reader) == ["t2"])
        }
    }
}
