import ChatModel
import Formats
@testable import SandboxKit
@testable import SendbirdSandbox
import SendbirdWire
import Synchronization
import TestSupport
import Testing

/// What goes wrong with the calls of programs, and what is kept of them.
@Suite(.timeLimit(.minutes(5))) struct CallbackFaultTests {
    /// A program that is called. It takes what is signed.
    private final class Program: Sendable {
        private let token: String
        private let calls = Mutex([(body: String, isSigned: Bool)]())

        init(_ token: String) { self.token = token }

        var bodies: [String] { calls.withLock { $0.map(\.body) } }
        var signed: [Bool] { calls.withLock { $0.map(\.isSigned) } }

        func take(_ headers: [(name: String, value: String)], _ body: [UInt8]) -> CallbackAnswer {
            let signature = headers.first { $0.name == "x-sendbird-signature" }?.value ?? ""
            let isSigned = SendbirdSignature(masterToken: token).accepts(signature, of: body)
            calls.withLock { $0.append((String(decoding: body, as: UTF8.self), isSigned)) }
            return isSigned ? (200, [], nil) : (401, Array("Who?".utf8), nil)
        }
    }

    private struct Scene {
        let scene: SendbirdScene
        let program: Program
        private let course:
            @Sendable (
                CallbackEvent, String, @Sendable ([(name: String, value: String)], [UInt8]) async -> CallbackAnswer
            ) async -> CallbackAnswer?

        init(_ scene: SendbirdScene) {
            (self.scene, program) = (scene, Program(scene.sandbox.token))
            course = SendbirdSandbox.course(token: scene.sandbox.token, faults: scene.sandbox.faults)
        }

        /// Calls the program. Returns the status; nil for a call that did not go out.
        @discardableResult
        func call(
            _ body: String, _ category: String = "group_channel:message_send", in channel: String = "chan_1",
            at url: String = "http://127.0.0.1:9/hook?token=hidden"
        ) async -> Int? {
            await course(
                CallbackEvent(threadID: channel, category: category, body: Array(body.utf8)), url
            ) { [program] in program.take($0, $1) }?.status
        }

        func add(_ kind: Fault.Kind, event: String? = nil, channel: String? = nil, milliseconds: Int = 0) {
            var fault = Fault(id: "f-\(kind.rawValue)", kind: kind, event: event, milliseconds: milliseconds)
            fault.channel = channel
            #expect(scene.sandbox.faults.add(fault))
        }
    }

    private func run(_ body: (Scene) async throws -> Void) async throws {
        try await SendbirdScene.run { try await body(Scene($0)) }
    }

    @Test(arguments: [
        ("dropWebhook", ["2", "3"], [true, true]), ("duplicatePush", ["1", "1", "2", "3"], [true, true, true, true]),
        ("reorderPush", ["2", "1", "3"], [true, true, true]), ("badSignature", ["1", "2", "3"], [false, true, true]),
    ]) func eachKindHappensOnce(_ kind: String, _ bodies: [String], _ signed: [Bool]) async throws {
        try await run { scene in
            scene.add(Fault.Kind(rawValue: kind))
            let first = await scene.call("1")
            #expect(first == (kind == "badSignature" ? 401 : kind == "duplicatePush" ? 200 : nil))
            for body in ["2", "3"] { #expect(await scene.call(body) == 200) }
            #expect(scene.program.bodies == bodies && scene.program.signed == signed)
            let frame = try #require(try scene.scene.shownFrames().first { $0["kind"]?.string == "fault" })
            #expect(frame["faultKind"]?.string == kind && frame["text"]?.string == "1")
        }
    }

    @Test func aCallComesLate() async throws {
        try await run { scene in
            scene.add(.delayPush, milliseconds: 5000)
            async let answer = scene.call("1")
            #expect(await eventually { scene.scene.clock.nextWaking != nil })
            #expect(scene.program.bodies.isEmpty)
            scene.scene.clock.advance(by: .seconds(5))
            #expect(await answer == 200)
            #expect(scene.program.bodies == ["1"])
        }
    }

    /// A fault names a category and a channel, and no other call meets it. One that waits is told at its own address.
    @Test func onlyWhatIsMeantGoesWrong() async throws {
        try await run { scene in
            scene.add(.dropWebhook, event: "group_channel:join", channel: "chan_2")
            for (category, channel) in [("group_channel:join", "chan_1"), ("group_channel:leave", "chan_2")] {
                #expect(await scene.call("1", category, in: channel) == 200)
            }
            #expect(await scene.call("2", "group_channel:join", in: "chan_2") == nil)
            scene.add(.reorderPush)
            #expect(await scene.call("3") == nil)
            #expect(await scene.call("4", at: "http://127.0.0.1:9/other") == 200)
            #expect(await scene.call("5") == 200)
            #expect(scene.program.bodies == ["1", "1", "4", "5", "3"])
        }
    }

    /// Together with those of other URLs they have at most 4 MiB; one that has no room goes out.
    @Test func callsThatWaitAreBoundedInBytes() async throws {
        try await run { scene in
            let body = String(repeating: "x", count: 1 << 20)
            for number in 1...5 {
                scene.add(.reorderPush)
                let answer = await scene.call(body, at: "http://127.0.0.1:9/\(number)")
                #expect(answer == (number < 4 ? nil : 200), "\(number)")
            }
            #expect(await scene.call("1", at: "http://127.0.0.1:9/1") == 200)
            scene.add(.reorderPush)
            #expect(await scene.call(body) == nil, "there is room again")
        }
    }

    /// A call and its answer are frames, without what is secret, and lead a script.
    @Test func callsAreFramesAndLeadScripts() async throws {
        try await run { scene in
            var dropped = FaultScript.Step(fault: Fault(id: "s", kind: .dropWebhook))
            dropped.trigger = FaultScript.Trigger(event: "group_channel:join")
            let faults = scene.scene.sandbox.faults
            #expect(
                faults.add(
                    FaultScript(id: "script", name: nil, createdAt: faults.environment.now(), steps: [dropped])))
            #expect(await scene.call(#"{"bot_token":"hidden"}"#) == 200)
            let frames = try scene.scene.shownFrames()
            #expect(frames.map { $0["kind"]?.string } == ["request", "answer"])
            #expect(frames.map { $0["direction"]?.string } == ["toClient", "toSandbox"])
            #expect(frames.allSatisfy { $0["type"]?.string == "group_channel:message_send" })
            #expect(frames[0]["path"]?.string == "http://127.0.0.1:9/hook?token=...")
            #expect(frames[0]["text"]?.string == #"{"bot_token":"..."}"# && frames[1]["status"]?.integer == 200)
            #expect(await scene.call("join", "group_channel:join") == 200)
            #expect(await scene.call("2") == nil, "The script's fault is due.")
            #expect(await scene.call("3") == 200)
        }
    }

    /// By script, as people ask for it over HTTP.
    @Test func aCallOfTheProgramIsRefusedAndDelayedByScript() async throws {
        try await run { scene in
            let (faults, clock) = (scene.scene.sandbox.faults, scene.scene.clock)
            var refused = Fault(id: "r", kind: .refuse, event: "createUser", errorCode: "500910")
            refused.count = 2
            let steps = [
                FaultScript.Step(fault: refused),
                FaultScript.Step(fault: Fault(id: "d", kind: .delayAnswer, event: "listUsers", milliseconds: 3000)),
            ]
            #expect(faults.add(FaultScript(id: "s", name: nil, createdAt: faults.environment.now(), steps: steps)))
            let user = #"{"user_id":"ada","nickname":"","profile_url":""}"#
            for _ in 1...2 {
                let answer = try await scene.scene.call("POST", "/v3/users", user)
                #expect(answer.status == 429 && answer.json["code"]?.integer == 500910)
            }
            _ = try await scene.scene.ask("POST", "/v3/users", user)
            let late = Task { [scene = scene.scene] in try await scene.ask("GET", "/v3/users") }
            #expect(await eventually { clock.nextWaking != nil })
            clock.advance(by: .seconds(3))
            #expect(try await late.value["users"]?.array?.count == 1)
        }
    }
}
