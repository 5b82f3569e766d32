import ChatModel
import GatewaySupport
import HTTPRouting
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct TokenTests {
    private let generation = Generations()

    private final class Generations: Sendable {
        let values = Mutex(["s1": 1, "s.2": 1])
    }

    private func authority(key: UInt8 = 7) -> TokenAuthority {
        let generation = generation
        return TokenAuthority(
            secrets: TokenSecrets(gatewayToken: "gate", key: Array(repeating: key, count: 32)),
            generation: { id in generation.values.withLock { $0[id] } })
    }

    @Test func tokensOpenTheirOwn() {
        let authority = authority()
        #expect(authority.holder(of: "gate")?.identity == .gateway)
        for id in ["s1", "s.2"] {
            let token = authority.token(session: id, generation: 1)
            #expect(token.hasPrefix("\(id)."))
            #expect(authority.holder(of: token)?.identity == .session(id))
            #expect(authority.holder(of: token)?.identity == .session(id), "from the cache")
        }
    }

    @Test func wrongTokensOpenNothing() {
        let authority = authority()
        let token = authority.token(session: "s1", generation: 1)
        for wrong in [
            "", "gat", "gate ", "s1.", "s1", ".", token + "x", String(token.dropLast()), "s.2" + token.dropFirst(2),
            token.lowercased(),
        ] {
            #expect(authority.holder(of: wrong)?.identity == nil, "\(wrong)")
        }
        #expect(self.authority(key: 8).holder(of: token) == nil)
    }

    @Test func aNewGenerationOrADeletionEndsATokenEvenOfTheCache() {
        let authority = authority()
        let token = authority.token(session: "s1", generation: 1)
        #expect(authority.holder(of: token)?.identity == .session("s1"))
        generation.values.withLock { $0["s1"] = 2 }
        #expect(authority.holder(of: token)?.identity == nil)
        #expect(authority.holder(of: authority.token(session: "s1", generation: 2))?.identity == .session("s1"))
        generation.values.withLock { $0["s1"] = nil }
        #expect(authority.holder(of: authority.token(session: "s1", generation: 2))?.identity == nil)
    }
}

@Suite struct LaunchCodeTests {
    @Test func worksOnceAndForTenMinutes() {
        let environment = TestEnvironment()
        let codes = LaunchCodes(environment: environment.environment)
        let first = codes.issue()
        #expect(first.expiresAt == environment.now.advanced(byMilliseconds: 600_000))
        #expect(codes.redeem("other") == false)
        #expect(codes.redeem(first.code) == true)
        #expect(codes.redeem(first.code) == false)
        let (second, third) = (codes.issue().code, codes.issue().code)
        #expect(second != third && second.count == 32)
        environment.advance(milliseconds: 599_000)
        #expect(codes.redeem(second) == true)
        environment.advance(milliseconds: 1_000)
        #expect(codes.redeem(third) == false)
    }
}

/// Whoever runs the gateway needs no token over its UNIX socket.
@Suite struct TrustedUserTests {
    @Test(
        arguments: [
            (Peer.unix(uid: 7), [], true),
            (.unix(uid: 8), [], false),
            (.tcp(.loopback(port: 1)), [], false),
            // What a request carries counts, and no user covers up a wrong token.
            (.unix(uid: 7), [("Authorization", "Bearer wrong")], false),
            (.unix(uid: 7), [("Cookie", "COOKIE=wrong")], false),
            (.unix(uid: 7), [("Cookie", "another=1")], true),
        ] as [(Peer, [(String, String)], Bool)])
    func aTrustedUserIsLetInWithoutToken(peer: Peer, headers: [(String, String)], isLetIn: Bool) async throws {
        try await TestGateway.run(trustedUsers: [7]) { gateway in
            let core = gateway.application.core
            let headers = headers.map { ($0, $1.replacing("COOKIE", with: "parley_p_\(gateway.store.instance)")) }
            let request = HTTPRequest(
                method: "GET", target: "/v1/sessions", headers: [("Host", "localhost")] + headers, peer: peer)
            let found = try Credentials(core: core).status(of: request).identity != .nobody
            #expect(found == isLetIn)
        }
    }
}

@Suite struct FailureLimiterTests {
    @Test func countsAMinuteByAddress() {
        let clock = ManualClock()
        let limiter = FailureLimiter(limit: 3, elapsed: clock.stopwatch())
        let peer = Peer.tcp(.loopback(port: 1))
        for _ in 0..<2 { #expect(limiter.countFailure(peer) == nil) }
        clock.advance(by: .seconds(20))
        #expect(limiter.countFailure(.tcp(.loopback(port: 2))) == nil, "another port is the same address")
        #expect(limiter.countFailure(peer) == 40)
        #expect(limiter.countFailure(.unix(uid: 0)) == nil)
        clock.advance(by: .milliseconds(39_500))
        #expect(limiter.countFailure(peer) == 1)
        clock.advance(by: .milliseconds(500))
        #expect(limiter.countFailure(peer) == nil)
    }

    /// The time of day is set back by 300 days: nobody is refused for 300 days.
    @Test(arguments: Driver.allCases)
    func aClockThatIsSetBackLocksNobodyOut(driver: Driver) async throws {
        try await TestGateway.run(failuresPerMinute: 1) { gateway in
            let wrong = Request(method: "GET", path: "/v1/info", headers: [("Authorization", "Bearer wrong")])
            gateway.environment.advance(milliseconds: 300 * 86_400_000)
            #expect(try await driver.answers(to: [wrong], at: gateway).map(\.status) == [401])
            gateway.environment.advance(milliseconds: -300 * 86_400_000)
            let answer = try #require(try await driver.answers(to: [wrong], at: gateway).first)
            #expect(answer.status == 429)
            #expect((answer["Retry-After"].flatMap { Int($0) } ?? .max) <= 60)
        }
    }

    /// Others come and go by the thousand; whoever goes on trying stays remembered.
    @Test func theLimiterForgetsTheQuietestOnly() {
        let clock = ManualClock()
        let limiter = FailureLimiter(limit: 1, elapsed: clock.stopwatch())
        #expect(limiter.countFailure(.unix(uid: 0)) == nil)
        for uid in 1...1023 as ClosedRange<UInt32> { #expect(limiter.countFailure(.unix(uid: uid)) == nil) }
        clock.advance(by: .milliseconds(1))
        #expect(limiter.countFailure(.unix(uid: 2000)) == nil)
        // From the one that tried last: whoever is found forgotten pushes out another.
        let uids: ClosedRange<UInt32> = 0...1023
        let forgotten = uids.reversed().filter { limiter.countFailure(.unix(uid: $0)) == nil }
        #expect(forgotten == [0], "one was forgotten for the new one, not all")
    }

    @Test func launchCodesHaveALimit() {
        let environment = TestEnvironment()
        let codes = LaunchCodes(environment: environment.environment)
        let first = codes.issue().code
        environment.advance(milliseconds: 1)
        let others = (0..<LaunchCodes.capacity).map { _ in codes.issue().code }
        #expect(!codes.isGood(first))
        #expect(others.allSatisfy(codes.isGood))
    }

    @Test(arguments: Driver.allCases)
    func answers429AndStillTakesRightTokens(driver: Driver) async throws {
        try await TestGateway.run(failuresPerMinute: 3) { gateway in
            let wrong = Request(method: "GET", path: "/v1/info", headers: [("Authorization", "Bearer wrong")])
            let none = Request(method: "GET", path: "/v1/info", headers: [])
            let right = Request(
                method: "GET", path: "/v1/info", headers: [("Authorization", "Bearer \(TestGateway.token)")])
            let answers = try await driver.answers(to: [wrong, wrong, wrong, wrong, none, right], at: gateway)
            #expect(answers.map(\.status) == [401, 401, 401, 429, 401, 200])
            #expect(answers[3]["Retry-After"] == "60")
            #expect(answers[3].body.contains("\"retryAfter\":60"))
        }
    }
}

@Suite struct HostTests {
    @Test func thePortsAreThoseThatTheServerKnowsWhenTheFirstRequestComes() {
        let addresses = Mutex<[BoundAddress]>([])
        let list = HostList(allowed: [], isPublic: false) { addresses.withLock { $0 } }
        let peer = Peer.tcp(.loopback(port: 1))
        #expect(!list.contains("127.0.0.1:8787", peer: peer))
        addresses.withLock { $0 = [.tcp(host: "127.0.0.1", port: 8787)] }
        #expect(list.contains("127.0.0.1:8787", peer: peer))
    }

    private func list(isPublic: Bool = false) -> HostList {
        let list = HostList(allowed: ["Chat.example", "other.example:8443"], isPublic: isPublic) {
            [.tcp(host: "127.0.0.1", port: 8787), .unix(path: "/x")]
        }
        return list
    }

    @Test(arguments: [
        ("127.0.0.1:8787", true), ("localhost:8787", true), ("LOCALHOST:8787", true), ("[::1]:8787", true),
        ("127.0.0.1", false), ("localhost", false), ("localhost:80", false), ("127.0.0.1:8788", false),
        ("chat.example", true), ("chat.example:1", true), ("other.example:8443", true), ("other.example", false),
        ("evil.example:8787", false), ("localhost.evil.example:8787", false), ("127.0.0.1.evil.example:8787", false),
        ("10.0.0.5:8787", false), ("", false), (":8787", false), ("chat.example.evil", false),
    ])
    func hosts(host: String, isKnown: Bool) {
        #expect(list().contains(host, peer: .tcp(.loopback(port: 1))) == isKnown)
        #expect(list().contains(host, peer: .unix(uid: 0)))
    }

    @Test(arguments: [
        ("10.0.0.5:8787", true), ("[fe80::1]:8787", true), ("10.0.0.5:1", false), ("evil.example:8787", false),
    ])
    func publicGatewaysTakeNumericHosts(host: String, isKnown: Bool) {
        #expect(list(isPublic: true).contains(host, peer: .tcp(.loopback(port: 1))) == isKnown)
    }

    @Test(
        arguments: [
            ("GET", [:], true), ("POST", [:], true),
            ("POST", ["Origin": "http://127.0.0.1:8787"], true), ("POST", ["Origin": "http://LOCALHOST:8787"], true),
            ("GET", ["Origin": "https://chat.example"], true), ("GET", ["Origin": "https://127.0.0.1:8787"], false),
            ("GET", ["Origin": "null"], false), ("GET", ["Origin": "http://127.0.0.1:9999"], false),
            ("GET", ["Origin": "http://evil.example"], false),
            ("GET", ["Origin": "http://evil.example/127.0.0.1:8787"], false),
            ("GET", ["Origin": "file://"], false), ("GET", ["Origin": ""], false),
            ("GET", ["Sec-Fetch-Site": "cross-site"], true), ("POST", ["Sec-Fetch-Site": "cross-site"], false),
            ("DELETE", ["Sec-Fetch-Site": "same-site"], false), ("POST", ["Sec-Fetch-Site": "same-origin"], true),
            ("POST", ["Sec-Fetch-Site": "none"], true), ("GET", ["Sec-Fetch-Mode": "no-cors"], false),
            ("GET", ["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "same-origin"], true),
        ] as [(String, [String: String], Bool)])
    func origins(method: String, headers: [String: String], isTaken: Bool) {
        let request = HTTPRequest(method: method, target: "/v1/info", headers: headers.map { ($0.key, $0.value) })
        var problem: Problem?
        do throws(Problem) {
            try OriginCheck.check(request, host: "127.0.0.1:8787", hosts: list(), isShared: false)
        } catch { problem = error }
        #expect((problem == nil) == isTaken)
    }
}

/// The names that assistants get from `initialize`.
@Suite struct AssistantSessionTests {
    private func tokens(_ token: String = "t", key: UInt8 = 1, generation: Int = 1) -> TokenAuthority {
        TokenAuthority(
            secrets: TokenSecrets(gatewayToken: token, key: Array(repeating: key, count: 32)),
            generation: { _ in generation })
    }

    @Test func aNameHoldsForTheTokenThatMadeIt() {
        let (one, name) = (tokens(), tokens().bound("n", to: .gateway))
        #expect(one.isBound(name, to: .gateway))
        #expect(name.hasPrefix("n."))
        #expect(!one.isBound(name, to: .session("s")) && !one.isBound(name, to: .nobody))
        #expect(!tokens("another").isBound(name, to: .gateway), "the token was changed")
        #expect(!tokens(key: 2).isBound(name, to: .gateway))
        let own = one.bound("n", to: .session("s"))
        #expect(one.isBound(own, to: .session("s")))
        #expect(!one.isBound(own, to: .session("t")) && !one.isBound(own, to: .gateway))
        #expect(!tokens(generation: 2).isBound(own, to: .session("s")), "the session has another token")
    }

    @Test(arguments: ["", ".", "n", "n.", ".x", "n.x", "n.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    func whatNobodyMadeHoldsForNobody(name: String) {
        #expect(!tokens().isBound(name, to: .gateway))
    }
}
