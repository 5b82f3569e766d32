import Formats
import MicroHTTP
@testable import SandboxKit
import SendbirdWire
import TestSupport
import Testing

/// What faults do to requests, as a program sees it.
@Suite struct RequestFaultTests {
    private func add(_ kind: Fault.Kind, _ event: String? = nil, count: Int? = 1, to scene: SendbirdScene) {
        #expect(scene.sandbox.faults.add(Fault(id: "\(kind.rawValue)", kind: kind, event: event, count: count)))
    }

    private func users(_ scene: SendbirdScene) async throws {
        for name in ["ada", "bob", "cy"] {
            _ = try await scene.ask("POST", "/v3/users", #"{"user_id":"\#(name)","nickname":"N"}"#)
        }
    }

    private func next(_ path: String, _ scene: SendbirdScene) async throws -> String {
        let separator = path.contains("?") ? "&" : "?"
        let answer = try await scene.ask("GET", "\(path)\(separator)limit=1")
        return "\(path)\(separator)limit=1&token=\(try #require(answer["next"]?.string))"
    }

    @Test func pagesThatWereGivenOutExpire() async throws {
        try await SendbirdScene.run { scene in
            try await users(scene)
            let path = try await scene.channel("ada", "bob", "cy")
            let lists = ["/v3/users", "\(path)/members", "/v3/users?active_mode=all"]
            var old: [String] = []
            for list in lists { old.append(try await next(list, scene)) }
            for page in old { _ = try await scene.ask("GET", page) }
            add(.expirePage, to: scene)
            #expect(scene.sandbox.faults.pending.isEmpty)
            for page in old { #expect(try await scene.code("GET", page) == 400109) }
            for list in lists { _ = try await scene.ask("GET", next(list, scene)) }
        }
    }

    @Test func onlyTheListsThatAreMeantExpire() async throws {
        try await SendbirdScene.run { scene in
            try await users(scene)
            let path = try await scene.channel("ada", "bob", "cy")
            let (all, members) = (try await next("/v3/users", scene), try await next("\(path)/members", scene))
            add(.expirePage, "listMembers", to: scene)
            _ = try await scene.ask("GET", all)
            #expect(try await scene.code("GET", members) == 400109)
        }
    }

    @Test func aPageLeadsOnForADay() async throws {
        try await SendbirdScene.run { scene in
            try await users(scene)
            let page = try await next("/v3/users", scene)
            scene.environment.advance(milliseconds: 86_399_000)
            _ = try await scene.ask("GET", page)
            scene.environment.advance(milliseconds: 1000)
            #expect(try await scene.code("GET", page) == 400109)
        }
    }

    /// With the digest of a true one in front.
    @Test(arguments: [
        "", ".", "1", "1.", ".1", "-1.1", "1.-1", "1.1.1", "2001.1", "1.9223372036854775807", "1. 1", "1.é",
    ])
    func noOtherTokenIsTaken(end: String) async throws {
        try await SendbirdScene.run { scene in
            try await users(scene)
            let page = try await next("/v3/users", scene)
            let digest = page.prefix { $0 != "=" }.count
            #expect(digest > 0)
            let token = try #require(page.split(separator: "token=").last).prefix(16)
            #expect(try await scene.code("GET", "/v3/users?limit=1&token=\(token)\(end.percentEncoded)") == 400109)
        }
    }

    /// A page that is exactly full has no next one.
    @Test(arguments: [(1, 3), (2, 2), (3, 1), (4, 1)]) func aListEndsAtItsEnd(limit: Int, count: Int) async throws {
        try await SendbirdScene.run { scene in
            try await users(scene)
            var (found, pages, token) = ([String](), 0, "")
            repeat {
                let page = try await scene.ask("GET", "/v3/users?limit=\(limit)&token=\(token)")
                found += page["users"]?.array?.compactMap { $0["user_id"]?.string } ?? []
                token = page["next"]?.string ?? ""
                pages += 1
            } while !token.isEmpty && pages < 10
            #expect(found == ["ada", "bob", "cy"] && pages == count)
        }
    }

    @Test func whatIsBeyondTheRateGets429() async throws {
        try await SendbirdScene.run { scene in
            try await users(scene)
            add(.limitRate, count: 2, to: scene)
            func name(_ header: String, _ answer: HTTPResponse) -> String? {
                answer.headers.first { $0.0 == "X-RateLimit-\(header)" }?.1
            }
            for _ in 0..<2 { #expect(try await scene.answer("GET", "/v3/users").status == 200) }
            let refused = try await scene.answer("GET", "/v3/users/ada")
            #expect(refused.status == 429 && name("RetryAfter", refused) == "1" && name("Limit", refused) == "2")
            let second = scene.environment.now.milliseconds / 1000
            #expect(name("Remaining", refused) == "0" && name("Reset", refused) == "\(second + 1)")
            #expect(SendbirdOutcome(status: refused.status, body: [], retryAfter: "1") == .limited(afterSeconds: 1))
            #expect(try await scene.code("GET", "/v3/users") == 500910)
            #expect(try await scene.answer("PUT", "/v3/users/ada", "{}").status == 200)
            scene.environment.advance(milliseconds: 1000)
            #expect(try await scene.answer("GET", "/v3/users").status == 200)
        }
    }

    @Test(arguments: [("500910", true), ("400201", false)])
    func whatIsRefusedForTheRateTellsWhenToComeAgain(code: String, isTold: Bool) async throws {
        try await SendbirdScene.run { scene in
            #expect(scene.sandbox.faults.add(Fault(id: "f", kind: .refuse, event: "listUsers", errorCode: code)))
            let refused = try await scene.answer("GET", "/v3/users")
            #expect(refused.headers.contains { $0.0 == "X-RateLimit-RetryAfter" } == isTold)
        }
    }

    private func isBroken(_ answer: HTTPResponse) -> Bool {
        if case .broken = answer.body { true } else { false }
    }

    /// A program sends again what was not answered, with an id or without.
    @Test(arguments: [(Fault.Kind.loseAnswer, "", 2), (.loseAnswer, #","dedup_id":"1""#, 1), (.loseRequest, "", 1)])
    func aMessageThatIsSentAgain(_ kind: Fault.Kind, more: String, count: Int) async throws {
        try await SendbirdScene.run { scene in
            let path = try await scene.channel("ada", "bob")
            add(kind, "sendMessage", to: scene)
            let body = #"{"message_type":"MESG","user_id":"ada","message":"Hello"\#(more)}"#
            #expect(try await isBroken(scene.answer("POST", "\(path)/messages", body)))
            _ = try await scene.ask("POST", "\(path)/messages", body)
            #expect(try await scene.ask("GET", "\(path)/messages?message_ts=0")["messages"]?.array?.count == count)
            #expect(
                try await scene.ask("GET", "/v3/users/bob/unread_message_count")["unread_count"]?.integer
                    == Int64(count))
        }
    }

    /// Each kind of fault over HTTP once, one after the other.
    @Test func aScriptGoesThroughAllKinds() async throws {
        try await SendbirdScene.run { scene in
            try await users(scene)
            let steps = FaultRunner.kindsOfRequests.map { kind in
                var fault = Fault(id: kind.rawValue, kind: kind, event: "listUsers", milliseconds: 0)
                if kind == .limitRate { fault.lasts = 5000 }
                if kind == .expirePage { fault.nth = 1 }
                return FaultScript.Step(fault: fault)
            }
            let script = FaultScript(id: "s", name: nil, createdAt: scene.environment.now, steps: steps)
            let runner = scene.sandbox.faults
            #expect(runner.add(script))
            var seen: [String] = []
            for kind in FaultRunner.kindsOfRequests {
                #expect(runner.pending.map(\.kind) == [kind])
                let page = "/v3/users?limit=1"
                var answer = try await scene.answer("GET", page)
                if kind == .limitRate {
                    answer = try await scene.answer("GET", page)
                    try #require(await eventually { scene.clock.sleeperCount == 1 })
                    scene.clock.advance(by: .milliseconds(5000))
                    try #require(await eventually { runner.pending.map(\.kind) != [kind] })
                }
                if case .broken(_, let end) = answer.body {
                    seen.append(end > 0 ? "cut" : "lost")
                } else {
                    seen.append("\(answer.status)")
                }
            }
            #expect(seen == ["500", "429", "200", "lost", "lost", "200", "lost", "cut"])
            #expect(runner.scripts.script("s")?.isDone == true)
        }
    }
}
