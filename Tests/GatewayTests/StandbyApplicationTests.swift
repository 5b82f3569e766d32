import Bounds
import HTTPRouting
import MicroHTTP
import Synchronization
import Testing

@testable import Gateway

/// What a standby passes on, for whom, and what it answers itself.
@Suite struct StandbyApplicationTests {
    /// Answers with what it got.
    private final class Forwarder: RequestForwarder {
        let asked = Mutex<[(request: HTTPRequest, fields: [(String, String)])]>([])
        let isThere = Mutex(true)
        let failure = Mutex<ForwardingFailure?>(nil)
        let headers = Mutex<[(String, String)]>([])
        var hasTarget: Bool { isThere.withLock { $0 } }

        final class Sink: BodySink {
            func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDemand { .more }
            func abandoned() {}
        }
        func sink(for head: HTTPRequest, adding fields: [(String, String)], flow: BodyFlow) -> any BodySink { Sink() }

        func answer(
            to request: HTTPRequest, adding fields: [(String, String)]
        ) async throws(ForwardingFailure) -> HTTPResponse {
            asked.withLock { $0.append((request, fields)) }
            if let failure = failure.withLock({ $0 }) { throw failure }
            return HTTPResponse(status: 299, headers: headers.withLock { $0 })
        }
    }

    private let forwarder = Forwarder()
    private let secrets = TokenSecrets(gatewayToken: "gateway", key: [UInt8](repeating: 1, count: 32))
    private let standby: StandbyApplication
    private let tokens: TokenAuthority

    init() {
        standby = StandbyApplication("Waiting.", version: "1", secrets: secrets, forwarder: forwarder)
        standby.listens(at: [.tcp(host: "127.0.0.1", port: 80)])
        tokens = TokenAuthority(secrets: secrets, generation: { _ in nil })
    }

    private func request(
        _ method: String = "GET", _ target: String = "/v1/sessions", _ headers: [(String, String)] = [],
        host: String? = "127.0.0.1", peer: String = "192.0.2.7"
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, target: target, headers: (host.map { [("Host", $0)] } ?? []) + headers,
            peer: .tcp(SocketAddress(host: peer)!))
    }

    private func ask(_ request: HTTPRequest) async -> HTTPResponse {
        var request = request
        if case .refuse(let response) = standby.admit(&request) { return response }
        switch standby.respond(to: request) {
        case .now(let response): return response
        case .later(let work), .prompt(let work): return await work()
        }
    }

    @Test func theActiveGatewayLearnsForWhomItIsAsked() async throws {
        #expect(await ask(request()).status == 299)
        let fields = try #require(forwarder.asked.withLock { $0.first?.fields })
        var passed = request(headers: fields)
        #expect(ForwardedMark.apply(to: &passed, tokens))
        #expect(passed.peer.description == "192.0.2.7")
        // Not with another key, and not for another address.
        var forged = request("GET", "/", [(fields[0].0, fields[0].1.replacingOccurrences(of: "192", with: "193"))])
        #expect(!ForwardedMark.apply(to: &forged, tokens))
        let others = TokenAuthority(
            secrets: TokenSecrets(gatewayToken: "gateway", key: [UInt8](repeating: 2, count: 32)),
            generation: { _ in nil })
        #expect(!ForwardedMark.apply(to: &passed, others))
    }

    private func request(headers: [(String, String)]) -> HTTPRequest {
        request("GET", "/v1/sessions", headers, peer: "10.0.0.2")
    }

    @Test(
        arguments: [
            ("GET", "/livez", [], 200), ("GET", "/metrics", [], 503),
            ("GET", "/v1/sessions", [("Parley-Forwarded", "192.0.2.1 x")], 503),
            ("POST", "/v1/sessions", [("Parley-Forwarded", "192.0.2.1 x")], 503),
            ("GET", "/v1/cxone", [("Upgrade", "websocket")], 503), ("OPTIONS", "*", [], 503),
        ] as [(String, String, [(String, String)], Int)])
    func thisIsItsOwn(method: String, path: String, headers: [(String, String)], status: Int) async {
        #expect(await ask(request(method, path, headers)).status == status)
        #expect(forwarder.asked.withLock { $0.isEmpty })
    }

    @Test func nothingIsPassedOnForAForeignHost() async {
        #expect(await ask(request(host: "evil.example")).status == 421)
        #expect(await ask(request("POST", host: "evil.example")).status == 421)
        #expect(await ask(request(host: nil)).status == 400)
        #expect(forwarder.asked.withLock { $0.isEmpty })
    }

    @Test func aLargeBodyIsNotKept() {
        func admission(_ headers: [(String, String)]) -> String {
            var head = request("POST", "/v1/sessions", headers)
            switch standby.admit(&head) {
            case .accept: return "accept"
            case .stream: return "stream"
            case .refuse, .later: return "other"
            }
        }
        #expect(admission([]) == "accept")
        #expect(admission([("Content-Length", "65536")]) == "accept")
        #expect(admission([("Content-Length", "65537")]) == "stream")
        #expect(admission([("Content-Length", "99999999999999999999")]) == "stream")
        #expect(admission([("Transfer-Encoding", "chunked")]) == "stream")
    }

    @Test func whoIsAwayIsSaid() async throws {
        for failure in [ForwardingFailure.untaken, .unanswered] {
            forwarder.failure.withLock { $0 = failure }
            #expect(await ask(request()).status == 503)
        }
        // What may have been done is not answered at all.
        guard case .broken(_, at: 0) = await ask(request("POST")).body else {
            Issue.record("an answer")
            return
        }
        forwarder.failure.withLock { $0 = .untaken }
        #expect(await ask(request("POST")).status == 503)
        forwarder.isThere.withLock { $0 = false }
        #expect(await ask(request("POST")).status == 503)
        #expect(await ask(request()).status == 503)
    }

    @Test func theActiveGatewayTellsWhoseShareItIs() async {
        let own = request("GET", "/v1/sessions", [("Authorization", "Bearer one")])
        let other = request("GET", "/v1/sessions", [("Authorization", "Bearer two")])
        let holder = Holder.named("session \u{1F600}")
        #expect(standby.holder(of: own) == .nobody)
        forwarder.headers.withLock { $0 = [("parley-forwarded", ForwardedMark.name(of: holder)), ("X-More", "1")] }
        // What the gateways tell each other does not go to the client.
        let answer = await ask(own)
        #expect(!answer.headers.contains { $0.0.lowercased() == "parley-forwarded" })
        #expect(answer.headers.contains { $0.0 == "X-More" })
        #expect(standby.holder(of: own) == holder)
        #expect(standby.holder(of: other) == .nobody)
        #expect(standby.holder(of: request("GET", "/", [("Authorization", "Bearer gateway")])) == .root)
        // A credential that is not valid any more.
        forwarder.headers.withLock { $0 = [("parley-forwarded", "nobody")] }
        _ = await ask(own)
        #expect(standby.holder(of: own) == .nobody)
    }

    @Test(arguments: ["named", "named %", "other", ""]) func anUnknownNameIsNobodys(name: String) {
        #expect(ForwardedMark.holder(named: name) == nil)
    }

    @Test func noMoreCredentialsAreKnownThanFit() {
        let senders = KnownSenders(key: [1])
        for index in 0..<10_000 { senders.note("\(index)", of: .named("\(index)")) }
        #expect(senders.holder(of: "9999") == .named("9999"))
        #expect(senders.holder(of: "0") == .nobody)
    }

    /// Such as a cookie with ever other additions.
    @Test func manyCredentialsOfOneTakeNobodysPlace() {
        let senders = KnownSenders(key: [1])
        senders.note("eva", of: .named("eva"))
        for index in 0..<10_000 { senders.note("\(index)", of: .named("mallory")) }
        #expect(senders.holder(of: "eva") == .named("eva"))
        #expect(senders.holder(of: "9999") == .named("mallory"))
        #expect(senders.holder(of: "9000") == .nobody)
    }
}
