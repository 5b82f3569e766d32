import Bounds
import Chat
import ChatModel
import GatewaySupport
import HTTPRouting
import MicroHTTP
import TestSupport
import Testing

@testable import Assistants
@testable import Gateway

extension LateAnswer: ReadableSource {}

/// Calls that wait, as `wait_for_message` does, and are cancelled.
@Suite(.timeLimit(.minutes(5))) struct WaitingCallsTests {
    private let key = WaitingCalls.Key(session: "s", id: .number(1))

    /// A call that waits for an event, for 50 seconds.
    private func call(_ gateway: TestGateway, _ key: WaitingCalls.Key?) -> WaitingCall {
        let core = gateway.application.core
        // From here, not from now: the call counts as waiting a moment before it looks where the log ends.
        let start = Cursor(epoch: core.store.feed.epoch, offset: core.store.feed.head)
        return WaitingCall(key: key) {
            let page = try? await core.page(
                of: .desk, .all, limit: 1, from: .after(start.description), wait: .seconds(50), as: .root)
            return HTTPResponse(status: 200, body: .bytes(Array("{\"count\":\(page?.count ?? -1)}".utf8)))
        }
    }

    private func isWaiting(_ gateway: TestGateway, _ count: Int = 1) async -> Bool {
        await eventually { gateway.application.core.hub.waits.count == count }
    }

    @Test func aMessageCancelsACall() async throws {
        try await TestGateway.run { gateway in
            let calls = WaitingCalls()
            let waiting = call(gateway, key)
            async let answer = calls.run(waiting)
            let otherKey = WaitingCalls.Key(session: key.session, id: .number(2))
            let other = call(gateway, otherKey)
            async let otherAnswer = calls.run(other)
            #expect(await isWaiting(gateway, 2))
            #expect(calls.count == 2)
            calls.cancel(WaitingCalls.Key(session: "another", id: key.id))
            calls.cancel(WaitingCalls.Key(session: key.session, id: .text("1")))
            // One that is cancelled after them goes the same way.
            calls.cancel(otherKey)
            #expect(await otherAnswer.status == 200)
            #expect(gateway.application.core.hub.waits.count == 1)
            calls.cancel(key)
            guard case .bytes(let bytes) = await answer.body else {
                Issue.record("no answer")
                return
            }
            #expect(String(decoding: bytes, as: UTF8.self) == "{\"count\":0}")
            #expect(await isWaiting(gateway, 0))
            #expect(calls.count == 0)
        }
    }

    @Test func aCallEndsWithTheTaskOfItsRequest() async throws {
        try await TestGateway.run { gateway in
            let (calls, waiting) = (WaitingCalls(), call(gateway, nil))
            let request = Task { await calls.run(waiting) }
            #expect(await isWaiting(gateway))
            request.cancel()
            #expect(await isWaiting(gateway, 0))
            _ = await request.value
        }
    }

    @Test func whoHangsUpWaitsNoMore() async throws {
        try await TestGateway.run { gateway in
            let (loop, calls) = (TestLoop(), WaitingCalls())
            gateway.application.attach(to: loop)
            let source = LateAnswer(core: gateway.application.core, calls: calls, call(gateway, nil))
            let reader = Reader(source, loop: loop)
            #expect(await isWaiting(gateway))
            reader.pump()
            reader.heartbeat()
            #expect(reader.text == ": ping\n\n")
            reader.close()
            #expect(await isWaiting(gateway, 0))
        }
    }

    @Test func theStreamEndsWithTheAnswer() async throws {
        try await TestGateway.run { gateway in
            let (loop, calls) = (TestLoop(), WaitingCalls())
            gateway.application.attach(to: loop)
            let source = LateAnswer(core: gateway.application.core, calls: calls, call(gateway, key))
            let reader = Reader(source, loop: loop)
            #expect(await isWaiting(gateway))
            _ = try await gateway.client.send(MessageDraft(text: "x"), to: "t1", receipt: nil)
            while !reader.isEnded {
                await loop.job()
                reader.pump()
            }
            #expect(calls.count == 0)
            #expect(reader.text == "event: message\ndata: {\"count\":1}\n\n")
        }
    }
}

/// What clients of 2025 follow.
@Suite struct ResourceSubscriptionsTests {
    private func chat(_ number: Int) -> ChatHandle {
        ChatHandle(channel: "c", customer: String(repeating: "x", count: 128), thread: "\(number)")
    }

    /// Ids are as long as customers make them: the bound is in bytes.
    @Test func whatIsFollowedHasABoundInBytes() {
        let all = ResourceSubscriptions()
        for client in 0..<400 {
            for number in 0..<ResourceSubscriptions.limit { #expect(all.set(true, chat(number), for: "s\(client)")) }
        }
        #expect(all.byteCount <= ByteBound.subscriptions.bytes + 400 * 300)
        #expect(!all.contains(chat(1), for: "s0") && all.contains(chat(1), for: "s399"))
        #expect(!all.set(true, chat(ResourceSubscriptions.limit), for: "s399"))
        for client in 0..<400 { all.remove("s\(client)") }
        #expect(all.byteCount == 0)
    }

    @Test func streamsThatListTheirChatsCountAsWell() throws {
        let all = ResourceSubscriptions(), chats = Set((0..<ResourceSubscriptions.limit).map(chat))
        var streams: [ByteCounter] = []
        while let counter = all.count(chats) { streams.append(counter) }
        #expect(streams.count > 100 && all.byteCount <= ByteBound.subscriptions.bytes)
        #expect(!all.set(true, chat(1), for: "s"))
        streams.removeLast()
        #expect(all.set(true, chat(1), for: "s") && all.contains(chat(1), for: "s"))
        streams = []
        all.remove("s")
        #expect(all.byteCount == 0)
    }
}
