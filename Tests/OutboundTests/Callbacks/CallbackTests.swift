import ChatModel
import Formats
import HTTPClientPort
import Synchronization
import TestSupport
import Testing

@testable import ChatStore
@testable import Outbound

/// Calls of programs that were made for another platform.
@Suite(.timeLimit(.minutes(5))) struct CallbackTests {
    /// Answers by the body of a call.
    private final class ProgramPort: HTTPPort {
        private let state = Mutex<(calls: [HTTPCall], status: [String: Int])>(([], [:]))

        var calls: [HTTPCall] { state.withLock { $0.calls } }
        var bodies: [String] { calls.map { String(decoding: $0.body ?? [], as: UTF8.self) } }

        /// 0 gives no answer. Others are answered with 200.
        func answer(_ body: String, with status: Int) { state.withLock { $0.status[body] = status } }

        func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer {
            try state.withLock { state in
                state.calls.append(request)
                let status = state.status[String(decoding: request.body ?? [], as: UTF8.self)] ?? 200
                guard status > 0 else { throw HTTPCallError.timeout }
                return HTTPAnswer(status: status, headers: ["retry-after": "3600"])
            }
        }
    }

    private struct Scene {
        let world: DeliveryWorld
        let port: ProgramPort
        let deliveries: Deliveries

        /// Logs a call about a message of a thread.
        func log(_ body: String, in thread: String = "t1", about message: Int64? = nil) async throws {
            try await world.store.write { transaction in
                let owner = try transaction.openAccount(
                    AccountKey(service: "local", channel: "multi", customer: "c1"))
                let account = try transaction.openAccount(
                    AccountKey(service: "callbacks", channel: "multi", customer: "app"))
                let record = try #require(try transaction.thread(thread, of: owner.number))
                try transaction.log(
                    CallbackEvent(threadID: thread, category: "c", body: Array(body.utf8)), of: record,
                    message: message, to: account)
            }
        }

        func states() async throws -> [DeliveryState] { try await world.deliveries(nil, of: "program").map(\.state) }

        /// Lets time go on to the next try.
        func wait() async throws -> Duration {
            try #require(await eventually { world.clock.nextWaking != nil })
            let wait = try #require(world.clock.nextWaking)
            world.advance(wait)
            await deliveries.rest()
            return wait
        }
    }

    private func run(starts: Bool = true, _ body: (Scene) async throws -> Void) async throws {
        try await DeliveryWorld.run(starts: false) { world in
            let port = ProgramPort()
            try await world.store.write { transaction in
                let account = try transaction.openAccount(
                    AccountKey(service: "callbacks", channel: "multi", customer: "app"))
                _ = try transaction.insert(
                    TargetDraft(
                        id: "program", kind: .callback, audience: .account(account.number),
                        settings: Array(#"{"url":"http://127.0.0.1:9/hook","enabled":true}"#.utf8)))
            }
            let sender = CallbackSender(port: port) { call, _, send in
                await send([("signature", "\(call.body.count)")], call.body)
            }
            let deliveries = Deliveries(store: world.store, clock: world.clock, policies: [CallbackPolicy(sender)])
            if starts { try await deliveries.start() }
            try await body(Scene(world: world, port: port, deliveries: deliveries))
            await deliveries.stop()
        }
    }

    @Test func theBytesGoOutAsTheyAre() async throws {
        try await run { scene in
            try await scene.log(#"{"a":"1\/2 ä"}"#)
            await scene.deliveries.rest()
            let call = try #require(scene.port.calls.first)
            #expect(scene.port.calls.count == 1 && call.method == "POST" && call.url == "http://127.0.0.1:9/hook")
            #expect(call.body == Array(#"{"a":"1\/2 ä"}"#.utf8) && call.timeout == .seconds(5))
            #expect(call.headers == [HTTPCall.Header("signature", "15")])
            #expect(try await scene.states() == [.delivered])
        }
    }

    /// Only 200 is an answer that the platform takes.
    @Test(arguments: [0, 201, 204, 301, 400, 410, 429, 500])
    func aCallIsTriedThreeTimes(_ status: Int) async throws {
        try await run { scene in
            scene.port.answer("1", with: status)
            try await scene.log("1")
            try await scene.log("2")
            await scene.deliveries.rest()
            #expect(scene.port.bodies == ["1"], "The next one of the thread waits.")
            try await scene.log("3", in: "t2")
            await scene.deliveries.rest()
            #expect(scene.port.bodies == ["1", "3"], "Another thread goes on.")
            let first = try await scene.wait()
            #expect(first >= .milliseconds(750) && first <= .milliseconds(1250), "Retry-After is not heeded.")
            #expect(scene.port.bodies == ["1", "3", "1"])
            let second = try await scene.wait()
            #expect(second >= .milliseconds(3750) && second <= .milliseconds(6250))
            #expect(scene.port.bodies == ["1", "3", "1", "1", "2"])
            #expect(try await scene.states() == [.dead, .delivered, .delivered])
            #expect(try await scene.world.health("program") == TargetHealth(state: .active))
        }
    }

    @Test func whatWasLoggedBeforeTheStartGoesOutAfterIt() async throws {
        try await run(starts: false) { scene in
            for number in 1...3 { try await scene.log("\(number)") }
            try await scene.deliveries.start()
            await scene.deliveries.rest()
            #expect(scene.port.bodies == ["1", "2", "3"])
        }
    }

    @Test func aRemovedMessageIsNotToldAnyMore() async throws {
        try await run(starts: false) { scene in
            let number = try await scene.world.send("m1")
            try await scene.log("sent", about: number)
            try await scene.log("other")
            try await scene.world.remove("m1")
            try await scene.log("removed")
            try await scene.deliveries.start()
            await scene.deliveries.rest()
            #expect(scene.port.bodies == ["other", "removed"])
        }
    }

    /// Nobody else gets it: not the desk, whose webhook wants everything, and no stream of all events.
    @Test func nobodyElseIsTold() async throws {
        try await run { scene in
            try await scene.log("1")
            let entry = try await scene.world.store.replay([.everyone], after: 0, limit: 1 << 20).events.last
            #expect(entry?.type == .callback && entry?.audiences.contains(.desk) == false)
            #expect(!EventType.allCases.contains(.callback))
            #expect(EventType.allCases.count == 24)
        }
    }
}
