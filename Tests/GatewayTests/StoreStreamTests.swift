import Chat
import ChatModel
import ChatStore
import GatewaySupport
import MicroHTTP
import TestSupport
import Testing

@testable import Gateway

/// Streams on the store's own log, whose ring holds a few events only.
@Suite struct StoreStreamTests {
    /// A gateway with a ring of some twenty events.
    private func run(_ body: (TestGateway) async throws -> Void) async throws {
        var options = StoreOptions()
        options.ringCapacity = 20_000
        try await TestGateway.run(options: options, body)
    }

    private func stream(_ gateway: TestGateway, after offset: Int64, _ loop: TestLoop) -> Reader {
        let hub = gateway.application.core.hub
        let source = EventStreamSource(
            hub: hub,
            scope: StreamScope(
                kind: .session, sessions: [.init(id: gateway.session, account: gateway.client.account)], hasDesk: false),
            filter: .all, start: StreamStart("\(gateway.store.feed.epoch)-\(offset)", log: hub.log),
            since: gateway.environment.now)
        return Reader(source, loop: loop, limit: 2_000)
    }

    /// Two customers by turns, so that the first one's events have holes between them. Returns the first one's offsets.
    private func talk(_ gateway: TestGateway) async throws -> [Int64] {
        let recorder = EventRecorder(gateway.store.feed)
        let other = try await gateway.sessions.create(
            service: "local", channel: "multi", customer: CustomerDraft(id: "c2"), connect: true, receipt: nil)
        _ = try await other.createThread(ThreadDraft(id: "t2"), receipt: nil)
        for number in 1...60 {
            let (client, thread) = number.isMultiple(of: 3) ? (other, "t2") : (gateway.client, "t1")
            _ = try await client.send(MessageDraft(id: "n\(number)", text: "\(number)"), to: thread, receipt: nil)
        }
        return recorder.events.filter { $0.audiences.contains(.account(gateway.client.account)) }.compactMap(\.offset)
    }

    /// A slow reader's stream keeps nothing of the database between two buffers, and misses nothing all the same.
    @Test(arguments: [false, true])
    func resumesFromEveryPositionInRingAndDatabase(isSlow: Bool) async throws {
        try await run { gateway in
            let loop = TestLoop()
            gateway.application.attach(to: loop)
            let offsets = try await talk(gateway)
            let store = gateway.store
            guard
                case .behind = store.feed.read(
                    [.account(gateway.client.account)], after: gateway.offsets.head, limit: 1_000)
            else {
                Issue.record("The ring holds everything: nothing would be read from the database.")
                return
            }
            for start in stride(from: gateway.offsets.head, through: store.feed.head, by: 1) {
                let reader = stream(gateway, after: start, loop)
                reader.isSlow = isSlow
                await reader.pumpThroughDatabase()
                let (ids, types) = (
                    reader.events.compactMap { $0.id.flatMap { Cursor($0)?.offset } }, reader.events.map(\.type)
                )
                #expect(ids.dropLast() == offsets.filter { $0 > start }[...], "from \(start)")
                #expect(types.last == "ready" && types.count { $0 == "ready" } == 1, "from \(start)")
                reader.close()
            }
        }
    }

    @Test func aSlowReaderCatchesUpWhileOthersWrite() async throws {
        try await run { gateway in
            let loop = TestLoop()
            gateway.application.attach(to: loop)
            let reader = stream(gateway, after: gateway.offsets.head, loop)
            reader.pump()
            let first = try await talk(gateway)
            loop.turn()
            // One buffer only, from a position that the ring has left meanwhile.
            reader.fill()
            _ = try await gateway.client.send(MessageDraft(id: "late", text: "late"), to: "t1", receipt: nil)
            await reader.pumpThroughDatabase()
            let ids = reader.events.filter { $0.type != "ready" }.compactMap { $0.id.flatMap { Cursor($0)?.offset } }
            // The late message's event, and its thread's.
            #expect(ids == first + [gateway.store.feed.head - 1, gateway.store.feed.head])
            #expect(gateway.application.core.hub.greatestLag == 0)
        }
    }

    @Test func aRemovedMessagesTextIsNotReplayed() async throws {
        try await run { gateway in
            let loop = TestLoop()
            gateway.application.attach(to: loop)
            _ = try await gateway.client.send(MessageDraft(id: "secret", text: "a secret"), to: "t1", receipt: nil)
            try await gateway.client.remove("secret", in: "t1", ifMatch: nil)
            let recent = stream(gateway, after: gateway.offsets.head, loop)
            await recent.pumpThroughDatabase()
            _ = try await talk(gateway)
            let late = stream(gateway, after: gateway.offsets.head, loop)
            await late.pumpThroughDatabase()
            for reader in [recent, late] {
                #expect(!reader.text.contains("a secret"))
                #expect(reader.events.contains { $0.type == "message.removed" && $0.data.contains("\"secret\"") })
            }
        }
    }

    @Test func aPositionThatRetentionHasTakenIsReset() async throws {
        var options = StoreOptions()
        options.retention.maximumCount = 10
        try await TestGateway.run(options: options) { gateway in
            let loop = TestLoop()
            gateway.application.attach(to: loop)
            _ = try await talk(gateway)
            await gateway.store.trim()
            #expect(await eventually { gateway.store.feed.floor == gateway.store.feed.head - 10 })
            let floor = gateway.store.feed.floor
            for (start, isReset) in [(floor - 1, true), (floor, false)] {
                let reader = stream(gateway, after: start, loop)
                await reader.pumpThroughDatabase()
                #expect(
                    reader.events.contains { $0.type == "reset" && $0.data.contains("\"expired\"") } == isReset,
                    "from \(start)")
                #expect(reader.events.last?.type == "ready")
                reader.close()
            }
        }
    }
}
