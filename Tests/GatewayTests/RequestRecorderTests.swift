import Formats
import GatewaySupport
import HTTPRouting
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// What is remembered of requests, and what never is.
@Suite(.timeLimit(.minutes(5))) struct RequestRecorderTests {
    private let token = [("Authorization", "Bearer \(TestGateway.token)")]

    /// What the gateway remembers after these requests, over a socket.
    private func remembered(_ requests: [Request], count: Int) async throws -> [RequestRecord] {
        var found: [RequestRecord] = []
        try await TestGateway.run { gateway in
            _ = try await Driver.socket.answers(to: requests, at: gateway)
            let recent = gateway.application.core.requests.recent
            try #require(await eventually { recent.last == count })
            found = recent.items(after: 0).items.map(\.item)
        }
        return found
    }

    private func path(_ record: RequestRecord) -> String { String(decoding: record.target.bytes, as: UTF8.self) }

    @Test func aRequestIsRememberedWithWhatItDid() async throws {
        let body = "{\"name\":\"A thread\"}"
        try await TestGateway.run { gateway in
            let path = "/v1/sessions/\(gateway.session)/threads"
            _ = try await Driver.socket.answers(
                to: [
                    Request(
                        method: "POST", path: path,
                        headers: [
                            ("Authorization", "Bearer \(gateway.sessionToken)"), ("Content-Type", "application/json"),
                            ("X-Request-Id", "mine-1"),
                        ], body: body),
                    Request(method: "GET", path: "/v1/threads", headers: token),
                ], at: gateway)
            let recent = gateway.application.core.requests.recent
            try #require(await eventually { recent.last == 2 })
            let first = try #require(recent.item(1)), second = try #require(recent.item(2))
            #expect(self.path(first) == path && first.target.isWhole && first.method == "POST" && first.status == 201)
            #expect(first.route?.operationID == "createThread" && first.ownID == "mine-1")
            #expect(first.received == body.utf8.count && first.sent > 0 && first.refusal == nil)
            #expect(first.credential == .session(gateway.session))
            #expect(second.route == nil && second.status == 404 && second.credential == .none)
            #expect(second.refusal?.code == "notFound" && second.refusal?.detail != nil)
        }
    }

    @Test func whoseTheRequestIs() async throws {
        try await TestGateway.run(trustedUsers: [1000]) { gateway in
            func credential(_ headers: [(String, String)], _ peer: Peer) throws -> RequestRecord.Credential {
                let request = HTTPRequest(
                    method: "GET", target: "/v1/services", headers: [("Host", "localhost")] + headers, peer: peer)
                let route = try #require(gateway.application.routes.first { $0.operationID == "listServices" })
                return try Credentials(core: gateway.application.core).holder(
                    of: request, for: route,
                    parameters: try #require(gateway.application.table.match("/v1/services")).parameters
                ).holder.credential
            }
            let tcp = Peer.tcp(.loopback(port: 4000))
            let byToken = try credential(token, tcp)
            let login = try await TestLogin(at: gateway)
            let byLogin = try credential(login.halves + [("Sec-Fetch-Site", "same-origin")], tcp)
            let byUser = try credential([], .unix(uid: 1000))
            #expect(byToken == .gateway && byLogin == .page && byUser == .user)
        }
    }

    /// A token in a query, a code in a path, what no route knows, and what would push out all else.
    @Test func noSecretIsKept() async throws {
        let found = try await remembered(
            [
                Request(method: "GET", path: "/v1/services?access_token=S3CRET", headers: token),
                Request(method: "GET", path: "/v1/sessions?limit=2&token=S3CRET&customer=c1", headers: token),
                Request(method: "GET", path: "/auth/S3CRET", headers: []),
                Request(method: "POST", path: "/auth/S3CRET", headers: []),
                Request(method: "GET", path: "/auth/S3CRET/more", headers: []),
                Request(method: "GET", path: "/welcome/S3CRET", headers: []),
                Request(method: "POST", path: "/welcome/S3CRET", headers: []),
                Request(method: "GET", path: "/nowhere?token=S3CRET", headers: []),
                Request(method: "GET", path: "/v1/services", headers: [("Authorization", "Bearer S3CRET")]),
            ], count: 9)
        #expect(
            found.map(path) == [
                "/v1/services", "/v1/sessions?limit=2&customer=c1", "/auth/{code}", "/auth/", "/auth/",
                "/welcome/{code}", "/welcome/", "/nowhere",
                "/v1/services",
            ])
        #expect(found.map(\.target.isWhole) == [false, false, false, false, false, false, false, false, true])
        for record in found { #expect(record.refusal?.detail?.contains("S3CRET") != true, "\(record)") }
    }

    @Test func probesPagesAndTheQuestionItselfAreNotRemembered() async throws {
        let found = try await remembered(
            [
                Request(method: "GET", path: "/livez", headers: []),
                Request(method: "GET", path: "/?token=S3CRET", headers: []),
                Request(method: "GET", path: "/web/-/assets/base.css", headers: []),
                Request(method: "GET", path: "/v1/requests", headers: token),
                Request(method: "GET", path: "/v1/requests/1", headers: token),
                Request(method: "GET", path: "/v1/info", headers: token),
                Request(method: "GET", path: "/v1/push", headers: token),
            ], count: 2)
        #expect(found.map(path) == ["/v1/info", "/v1/push"])
    }

    @Test func aLongPathIsCut() {
        let long = KeptTarget(of: HTTPRequest(method: "GET", target: "/" + String(repeating: "x", count: 5000)), nil)
        #expect(long.bytes.count == 2048 && !long.isWhole)
        let short = KeptTarget(of: HTTPRequest(method: "GET", target: "/short"), nil)
        #expect(short.bytes == Array("/short".utf8) && short.isWhole)
    }

    /// The document says which operations have secrets in their bodies.
    @Test func operationsWithSecretsAreMarked() async throws {
        let secret = ["token", "secret", "keys", "codeVerifier", "auth"]
        let schemas = try DocumentSchemas()
        func names(_ value: JSONValue, _ seen: inout Set<String>) -> Set<String> {
            var found: Set<String> = []
            if let reference = value["$ref"]?.string {
                let parts = reference.split(separator: "/").map(String.init)
                guard parts.count == 4, parts[1] == "components", seen.insert(reference).inserted else { return found }
                return schemas.document["components"]?[parts[2]]?[parts[3]].map { names($0, &seen) } ?? found
            }
            for member in value.members ?? [] {
                // A session's token is in the answer to its creation alone.
                let isSession = seen.contains("#/components/schemas/Session")
                if isSession, member.name == "properties", member.value["resend"] != nil { continue }
                if member.name == "properties" { found.formUnion(member.value.members?.map(\.name) ?? []) }
                if member.name != "examples" { found.formUnion(names(member.value, &seen)) }
            }
            for element in value.array ?? [] { found.formUnion(names(element, &seen)) }
            return found
        }
        var marked = 0
        try await TestGateway.run { gateway in
            let creation = gateway.application.routes.first { $0.operationID == "createSession" }
            #expect(creation?.trace == .secret)
            for route in gateway.application.routes where route.trace == .full {
                let operation = schemas.document["paths"]?[route.template]?[route.method.rawValue.lowercased()]
                guard let operation else { continue }
                var seen: Set<String> = []
                var found: Set<String> = []
                if let body = operation["requestBody"] { found.formUnion(names(body, &seen)) }
                for answer in operation["responses"]?.members ?? [] where answer.name.hasPrefix("2") {
                    found.formUnion(names(answer.value["content"] ?? .null, &seen))
                }
                marked += 1
                #expect(found.isDisjoint(with: secret), "\(route.operationID): \(found.intersection(secret))")
            }
        }
        #expect(marked > 80)
    }
}

/// The bodies that are kept for a while.
@Suite(.timeLimit(.minutes(5))) struct RequestCaptureTests {
    private let clock = ManualClock()
    private let environment = TestEnvironment()
    private let full = Gateway.Route(.post, "/v1/x", "x", access: .scope(.deskRead), handler: .now { $0.noContent() })

    private func capture() -> RequestCapture {
        RequestCapture(now: environment.environment.now, clock: clock)
    }

    private func request(_ number: UInt64, _ body: String) -> HTTPRequest {
        HTTPRequest(method: "POST", target: "/v1/x", body: Array(body.utf8), number: number)
    }

    @Test func nothingIsKeptUnlessSomebodyAsks() {
        let capture = capture()
        #expect(!capture.isRunning)
        capture.captureBody(request(1, "a"), full)
        #expect(capture.bodies(of: 1) == nil)
        capture.run(minutes: 10)
        #expect(capture.isRunning)
        capture.captureBody(request(2, "b"), full)
        capture.captureBody(HTTPResponse(status: 200, body: .bytes(Array("c".utf8))), to: request(2, "b"), full)
        #expect(capture.bodies(of: 2) == .init(request: .init(text: "b", size: 1), answer: .init(text: "c", size: 1)))
        capture.run(minutes: 0)
        #expect(!capture.isRunning && capture.bodies(of: 2) == nil && capture.status.byteCount == 0)
    }

    @Test func smallBodiesHaveABoundToo() {
        let capture = capture()
        capture.run(minutes: 10)
        let most = UInt64(RequestCapture.requestLimit)
        for number in 1...(most + 5) { capture.captureBody(request(number, "a"), full) }
        #expect(capture.status.byteCount == Int(most))
        #expect(capture.bodies(of: 5) == nil && capture.bodies(of: 6) != nil && capture.bodies(of: most + 5) != nil)
    }

    @Test func allIsForgottenWhenTheTimeIsOver() async throws {
        let capture = capture()
        capture.run(minutes: 5)
        try #require(await eventually { clock.sleeperCount == 1 })
        capture.captureBody(request(1, "a"), full)
        // Asked again meanwhile: the end of the first period ends nothing.
        capture.run(minutes: 10)
        // One that is woken after the first period has ended.
        let later = Task { [clock] in try await clock.sleep(for: .milliseconds(5 * 60_000 + 1)) }
        try #require(await eventually { clock.sleeperCount == 3 })
        clock.advance(by: .seconds(5 * 60))
        #expect(clock.sleeperCount == 2)
        clock.advance(by: .milliseconds(1))
        try await later.value
        #expect(capture.isRunning && capture.bodies(of: 1) != nil)
        clock.advance(by: .seconds(5 * 60))
        try #require(await eventually { !capture.isRunning })
        #expect(capture.bodies(of: 1) == nil && capture.status.until == nil && capture.status.byteCount == 0)
    }

    @Test func afterTheTimeNothingMoreIsKept() {
        let capture = capture()
        capture.run(minutes: 1)
        environment.advance(milliseconds: 60_000)
        capture.captureBody(request(1, "a"), full)
        #expect(capture.bodies(of: 1) == nil)
    }

    @Test func aBodyIsCutAtACharacter() throws {
        let capture = capture()
        capture.run(minutes: 10)
        let text = String(repeating: "x", count: RequestCapture.bodyLimit - 1) + "ä" + "tail"
        capture.captureBody(request(1, text), full)
        let kept = try #require(capture.bodies(of: 1)?.request)
        #expect(kept.text.utf8.count == RequestCapture.bodyLimit - 1 && kept.size == text.utf8.count && !kept.isWhole)
        capture.captureBody(HTTPRequest(method: "POST", target: "/", body: [0xFF, 0x00], number: 2), full)
        #expect(capture.bodies(of: 2) == nil, "no text")
    }

    @Test func theOldestGoFirst() {
        let capture = capture()
        capture.run(minutes: 10)
        let body = String(repeating: "x", count: RequestCapture.bodyLimit)
        let count = UInt64(RequestCapture.limit / RequestCapture.bodyLimit)
        for number in 1...(count + 3) {
            capture.captureBody(request(number, body), full)
            #expect(capture.status.byteCount <= RequestCapture.limit)
        }
        #expect(capture.bodies(of: 3) == nil && capture.bodies(of: 4) != nil && capture.bodies(of: count + 3) != nil)
    }

    @Test func noBodyOfARouteWithSecretsIsKept() {
        let capture = capture()
        capture.run(minutes: 10)
        for trace in [Gateway.Route.Trace.secret, .none] {
            capture.captureBody(request(1, "{\"token\":\"S\"}"), full.traced(trace))
            capture.captureBody(HTTPResponse(status: 201, body: .bytes([65])), to: request(1, ""), full.traced(trace))
        }
        // Without a route nobody knows what it was.
        capture.captureBody(request(1, "S"), nil)
        #expect(capture.bodies(of: 1) == nil)
    }
}
