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
            FaultRunner.kindsOfRequests + [.expireToken],
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
        method: String = "POST",
        _ answer: @escaping @Sendable () async throws -> HTTPResponse = {
            HTTPResponse(status: 200, body: .bytes(Array("{}".utf8)))
        }
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method: method, target: "/v3/x?apiToken=S", headers: [("Host", "localhost")])
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

    /// What a client gets: the bytes, and whether its connection breaks.
    private func sent(_ answer: HTTPResponse) -> (bytes: String, isBroken: Bool) {
        switch answer.body {
        case .bytes(let bytes): (String(decoding: bytes, as: UTF8.self), false)
        case .broken(let bytes, let end): (String(decoding: bytes.prefix(end), as: UTF8.self), true)
        default: ("none", false)
        }
    }

    @Test(
        arguments: [
            (Fault.Kind.loseRequest, 0, "", []), (.loseAnswer, 1, "", [123, 125]), (.cutAnswer, 1, "{", [123, 125]),
        ] as [(Fault.Kind, Int, String, [UInt8])])
    func theConnectionBreaks(kind: Fault.Kind, deeds: Int, bytes: String, lost: [UInt8]) async throws {
        #expect(runner.add(Fault(id: "any", kind: kind)), "it does not name an operation")
        #expect(runner.add(Fault(id: "f", kind: kind, event: "x")))
        let done = Mutex(0)
        func ask() async throws -> HTTPResponse {
            try await self.ask("x") {
                done.withLock { $0 += 1 }
                return HTTPResponse(status: 200, body: .bytes(Array("{}".utf8)))
            }
        }
        #expect(try await sent(ask()) == (bytes, true))
        #expect(done.withLock { $0 } == deeds)
        let fault = try #require(frames.first { $0.kind == .fault })
        #expect(fault.text == lost && fault.type == "x")
        #expect(frames.contains { $0.kind == .answer } == (kind == .cutAnswer))
        #expect(try await sent(ask()) == ("{}", false))
        #expect(runner.pending.map(\.id) == ["any"])
    }

    @Test(arguments: [1, 2]) func aLateDeedIsDoneAfterItsTime(deeds: Int) async throws {
        #expect(runner.add(Fault(id: "f", kind: .lateDeed, event: "x", count: deeds, milliseconds: 500)))
        let done = Watched(0)
        for _ in 0..<deeds {
            let answer = try await ask("x") {
                done.change { $0 += 1 }
                return HTTPResponse(status: 200)
            }
            #expect(sent(answer) == ("", true))
        }
        try #require(await eventually { clock.sleeperCount == deeds })
        clock.advance(by: .milliseconds(499))
        #expect(done.withLock { $0 } == 0)
        clock.advance(by: .milliseconds(1))
        #expect(await eventually { done.withLock { $0 } == deeds })
    }

    @Test(arguments: [false, true]) func aLateDeedIsNotDoneWhenItsFaultIsTakenBack(stops: Bool) async throws {
        #expect(runner.add(Fault(id: "f", kind: .lateDeed, event: "x", milliseconds: 500)))
        _ = try await ask("x", body: "body") {
            Issue.record("it was done")
            return HTTPResponse(status: 200)
        }
        try #require(await eventually { clock.sleeperCount == 1 })
        #expect(runner.late.bytes > 0)
        if stops { runner.drain() } else { runner.removeAll() }
        #expect(await eventually { runner.late.bytes == 0 && clock.sleeperCount == 0 })
        clock.advance(by: .seconds(1))
    }

    @Test func moreThanMayWaitIsDoneAtOnce() async throws {
        #expect(runner.add(Fault(id: "f", kind: .lateDeed, event: "x", count: 3, milliseconds: 500)))
        let done = Mutex([String]())
        for name in ["first", "second", "third"] {
            let body = name == "third" ? "" : String(repeating: "x", count: 40 << 20)
            _ = try await ask("x", body: body) {
                done.withLock { $0.append(name) }
                return HTTPResponse(status: 200)
            }
        }
        #expect(done.withLock { $0 } == ["second"])
        runner.removeAll()
        #expect(await eventually { runner.late.bytes == 0 })
    }

    @Test func theLastFaultEndsNoEarlierDelay() async throws {
        #expect(runner.add(Fault(id: "f", kind: .delayAnswer, event: "x", count: 2, milliseconds: 500)))
        async let first = ask("x")
        async let second = ask("x")
        #expect(await eventually { clock.sleeperCount == 2 })
        clock.advance(by: .milliseconds(500))
        #expect(try await [first.status, second.status] == [200, 200])
    }

    @Test func requestsOfASecondAreCounted() async throws {
        var fault = Fault(id: "f", kind: .limitRate, customer: "ada", count: 2)
        fault.channel = "multi"
        #expect(runner.add(fault))
        func statuses(_ method: String, of customer: String = "ada") async throws -> [Int] {
            var statuses: [Int] = []
            for operation in ["x", "y", "x"] {
                statuses.append(try await ask(operation, of: customer, method: method).status)
            }
            return statuses
        }
        #expect(try await statuses("POST") == [200, 200, 400])
        #expect(try await statuses("GET") == [200, 200, 400], "readers are counted on their own")
        #expect(try await statuses("POST", of: "bob") == [200, 200, 200])
        #expect(runner.pending.map(\.count) == [2])
        #expect(frames.filter { $0.kind == .fault }.map(\.fault?.kind) == [.limitRate, .limitRate])
        environment.advance(milliseconds: 1000)
        #expect(try await statuses("DELETE") == [200, 200, 400])
    }

    @Test func pagesExpireAtARequestThatFits() async throws {
        let happened = Mutex([String]())
        runner.onImmediate { fault in
            happened.withLock { $0.append(fault.id) }
            return true
        }
        var fault = Fault(id: "f", kind: .expirePage, event: "x")
        fault.nth = 2
        #expect(runner.add(fault) && runner.add(Fault(id: "now", kind: .expirePage, event: "x")))
        #expect(happened.withLock { $0 } == ["now"])
        for operation in ["x", "y", "x"] { #expect(try await ask(operation).status == 200) }
        #expect(happened.withLock { $0 } == ["now", "f"] && runner.pending.isEmpty)
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
        #expect(
            error?.items.map(\.detail) == [
                "one of refuse, limitRate, expirePage, loseRequest, lateDeed, delayAnswer, loseAnswer, cutAnswer, expireToken"
                    + " was expected"
            ])
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
