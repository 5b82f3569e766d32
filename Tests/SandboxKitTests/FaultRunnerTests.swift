import ChatModel
import Formats
import HTTPRouting
import MicroHTTP
@testable import SandboxKit
import Synchronization
import TestSupport
import Testing

/// How faults happen, on a platform that has only requests over HTTP.
@Suite struct FaultRunnerTests {
    private let environment = TestEnvironment()
    private let clock = ManualClock()
    private let runner: FaultRunner

    init() {
        runner = FaultRunner(
            [.refuse, .delayAnswer, .expireToken],
            frames: SandboxFrames(hiding: FrameSecrets(["token"]), environment.environment), clock: clock,
            environment: environment.environment)
    }

    private func script(_ id: String, _ steps: FaultScript.Step...) -> FaultScript {
        FaultScript(id: id, name: nil, createdAt: environment.now, steps: steps)
    }

    private var frames: [SandboxFrame] { runner.frames.recent.items(after: 0).items.map(\.item) }

    /// Asks for an operation.
    private func ask(
        _ operation: String, of customer: String? = nil, body: String = "",
        _ answer: @Sendable () async throws -> HTTPResponse = {
            HTTPResponse(status: 200, body: .bytes(Array("{}".utf8)))
        }
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method: "POST", target: "/v3/x?apiToken=S", headers: [("Host", "localhost")])
        request.body = Array(body.utf8)
        return try await runner.recorded(
            operation, request, customer: customer, channel: { "multi" },
            refusal: { HTTPResponse(status: 400, body: .bytes(Array(($0.errorCode ?? "none").utf8))) },
            customerOf: { $0.isEmpty ? nil : "of \(String(decoding: $0, as: UTF8.self))" }, answer)
    }

    @Test func stoppingAScriptTakesItsFault() {
        #expect(runner.add(Fault(id: "own", kind: .refuse, event: "x")))
        for id in ["s", "t"] {
            #expect(runner.add(script(id, FaultScript.Step(fault: Fault(id: "of \(id)", kind: .refuse)))))
        }
        #expect(runner.pending.map(\.id) == ["own", "of s", "of t"])
        #expect(runner.removeScript("s") && !runner.removeScript("s"))
        #expect(runner.pending.map(\.id) == ["own", "of t"])
        runner.removeAll()
        #expect(runner.pending.isEmpty && runner.scripts.all.isEmpty)
    }

    /// The fault, for a minute.
    private func lasting(_ fault: Fault) -> Fault {
        var fault = fault
        fault.lasts = 60_000
        return fault
    }

    @Test func nothingSleepsLongerThanItsFault() async throws {
        #expect(runner.add(lasting(Fault(id: "own", kind: .refuse, event: "x"))))
        #expect(runner.sleeps.count == 1)
        #expect(try await ask("x").status == 400)
        #expect(runner.sleeps.count == 0, "it has happened")
        let step = FaultScript.Step(fault: lasting(Fault(id: "of s", kind: .refuse, event: "x")))
        #expect(runner.add(script("s", step)))
        #expect(runner.sleeps.count == 1 && runner.removeScript("s") && runner.sleeps.count == 0)
        #expect(runner.add(lasting(Fault(id: "t", kind: .refuse, event: "x"))))
        runner.removeAll()
        #expect(runner.sleeps.count == 0)
    }

    @Test(arguments: [false, true]) func anAnswerIsNotDelayedLongerThanItsFaultOrTheGateway(stops: Bool) async throws {
        #expect(runner.add(Fault(id: "own", kind: .delayAnswer, event: "x", milliseconds: 60_000)))
        async let answer = ask("x")
        try #require(await eventually { clock.sleeperCount == 1 })
        if stops { runner.drain() } else { runner.removeAll() }
        #expect(try await answer.status == 200)
        if stops {
            #expect(runner.add(Fault(id: "late", kind: .delayAnswer, event: "x", milliseconds: 60_000)))
            #expect(try await ask("x").status == 200, "nothing begins to wait")
        }
    }

    @Test func thePlatformDoesWhatWaitsForNothing() {
        #expect(!runner.add(Fault(id: "early", kind: .expireToken)), "nobody does it")
        let done = Mutex<[String]>([])
        runner.onImmediate { fault in
            done.withLock { $0.append(fault.id) }
            return fault.customer != "full"
        }
        #expect(runner.add(Fault(id: "f", kind: .expireToken)))
        #expect(!runner.add(Fault(id: "g", kind: .expireToken, customer: "full")))
        #expect(done.withLock { $0 } == ["f", "g"] && runner.pending.isEmpty)
        #expect(frames.map(\.fault?.id) == ["early", "f", "g"])
    }

    @Test func aRequestAndItsAnswerAreKept() async throws {
        _ = try await ask("createUser", body: "asked")
        let (asked, answer) = (try #require(frames.first), try #require(frames.last))
        #expect(asked.kind == .request && asked.type == "createUser" && asked.http?.target == "/v3/x?apiToken=...")
        #expect(asked.text == Array("asked".utf8) && asked.customer == nil)
        #expect(answer.kind == .answer && answer.answers == 1 && answer.http?.status == 200)
        #expect(answer.customer == "of {}" && frames.count == 2)
    }

    @Test func aRefusedRequestIsNotDone() async throws {
        #expect(runner.add(Fault(id: "any", kind: .refuse)), "it does not name an operation")
        var fault = Fault(id: "f", kind: .refuse, customer: "ada", event: "createUser", errorCode: "400201")
        fault.channel = "multi"
        #expect(runner.add(fault))
        #expect(try await ask("createUser", of: "bob").status == 200)
        let refused = try await ask("createUser", of: "ada") {
            Issue.record("it was done")
            return HTTPResponse(status: 200)
        }
        #expect(refused.status == 400 && SandboxFrames.body(of: refused) == Array("400201".utf8))
        #expect(frames.suffix(3).map(\.kind) == [.request, .fault, .answer])
        #expect(try await ask("createUser", of: "ada").status == 200)
    }

    @Test func anAnswerIsDelayed() async throws {
        #expect(runner.add(Fault(id: "f", kind: .delayAnswer, event: "x", milliseconds: 500)))
        let isDone = Mutex(false)
        let asked = Task {
            let answer = try await ask("x")
            isDone.withLock { $0 = true }
            return answer
        }
        try #require(await eventually { clock.sleeperCount == 1 })
        #expect(!isDone.withLock { $0 })
        clock.advance(by: .milliseconds(500))
        #expect(try await asked.value.status == 200)
    }

    @Test func whatFailsIsKeptAsAnAnswer() async throws {
        await #expect(throws: Problem.self) {
            _ = try await ask("x") { throw Problem(.notFound, "Nothing is there.") }
        }
        let last = try #require(frames.last)
        #expect(last.kind == .answer && last.answers == 1 && last.http == nil && !last.text.isEmpty)
    }

    @Test func aRequestIsTheTriggerOfAScript() async throws {
        let trigger = FaultScript.Trigger(event: "x", customer: "ada")
        #expect(
            runner.add(
                script("s", FaultScript.Step(trigger: trigger, fault: Fault(id: "f", kind: .refuse, event: "y")))))
        _ = try await ask("x", of: "bob")
        #expect(runner.pending.isEmpty)
        _ = try await ask("x", of: "ada")
        #expect(runner.pending.map(\.id) == ["f"])
        #expect(try await ask("y").status == 400)
        #expect(runner.scripts.script("s")?.isDone == true)
    }

    @Test func onlyThePlatformsKindsAreTaken() throws {
        func read(_ kind: String) throws(Problem) -> Fault.Kind {
            let body = JSONValue.object([JSONMember(name: "kind", value: .string(kind))])
            return try ObjectReader.read(body) { FaultBody(reading: &$0, of: runner.kinds) }.fault(
                in: environment.environment
            ).kind
        }
        #expect(try read("refuse") == .refuse)
        let error = #expect(throws: Problem.self) { try read("dropSocket") }
        #expect(error?.items.map(\.detail) == ["one of refuse, delayAnswer, expireToken was expected"])
    }

    @Test func afterARestartFramesBeginWithOne() async throws {
        _ = try await ask("x")
        let before = runner.frames.recent.items(after: 0).incarnation
        runner.frames.restart()
        _ = try await ask("x")
        let page = runner.frames.recent.items(after: 0)
        #expect(page.items.map(\.number) == [1, 2] && page.incarnation != before)
    }
}
