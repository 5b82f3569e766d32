import Bounds
import ChatModel
import GatewaySupport
import HTTPRouting
import MicroHTTP
import TestSupport
import Testing

@testable import Gateway

/// In whose share of the places a request stands, and how much a session's token may write.
@Suite struct ShareTests {
    private struct Unexpected: Error {}

    private static let gateway = ("Authorization", "Bearer \(TestGateway.token)")

    @Test func theHolderOfARequestIsWhoseTokenItHas() async throws {
        try await TestGateway.run { gateway in
            let own = ("Authorization", "Bearer \(gateway.sessionToken)")
            let wrong = ("Authorization", "Bearer \(gateway.session).wrong")
            let login = try await TestLogin(at: gateway)
            let path = "/v1/sessions/\(gateway.session)"
            let rows: [(target: String, header: (String, String)?, holder: Holder)] = [
                (path, own, .named(gateway.session)), (path, Self.gateway, .root), (path, wrong, .nobody),
                (path, nil, .nobody), ("/v1/sessions/another", own, .named(gateway.session)),
                ("/docs?q=x", nil, .nobody), ("/docs?q=x", own, .named(gateway.session)),
                ("/docs?q=x", Self.gateway, .root), ("/docs?q=x", wrong, .nobody),
                // A browser asks for a page without the half that the page sends.
                ("/docs", login.cookie, .root), ("/docs", ("Cookie", "\(login.cookie.1)x"), .nobody),
                ("/nowhere", nil, .nobody), ("/openapi.json", ("Authorization", "Basic x"), .nobody),
            ]
            for row in rows {
                var head = HTTPRequest(
                    method: "GET", target: row.target,
                    headers: [("Host", "localhost")] + (row.header.map { [$0] } ?? []),
                    peer: .tcp(.loopback(port: 1)))
                _ = gateway.application.admit(&head)
                #expect(gateway.application.holder(of: head) == row.holder, "\(row)")
            }
            // A wrong token on an open route is looked at, and is no try to log in.
            #expect(gateway.application.core.failures.countFailure(.tcp(.loopback(port: 2))) == nil)
        }
    }

    @Test func aSessionsTokenWritesSoMuchAndNoMore() async throws {
        var rates = WritingRates()
        rates.messages = Rate(burst: 2, perHour: 60)
        rates.threads = Rate(burst: 1, perHour: 60)
        rates.uploads = Rate(burst: 1, perHour: 60)
        rates.changes = Rate(burst: 2, perHour: 60)
        try await TestGateway.run(writing: rates) { gateway in
            let path = "/v1/sessions/\(gateway.session)"
            func post(_ tail: String, _ body: String, _ token: String, type: String = "application/json") -> Request {
                Request(
                    method: "POST", path: "\(path)/\(tail)",
                    headers: [("Authorization", "Bearer \(token)"), ("Content-Type", type)], body: body)
            }
            let own = gateway.sessionToken
            let (send, thread) = (post("threads/t1/messages", "{\"text\":\"x\"}", own), post("threads", "{}", own))
            let upload = post("attachments", "hello", own, type: "text/plain")
            let reply = post("threads/t1/messages/m1/replies", "{\"text\":\"x\"}", own)
            let answers = try await Driver.socket.answers(
                to: [
                    send, reply, send, reply, thread, thread, upload, upload,
                    post("threads/t1/messages", "{\"text\":\"y\"}", TestGateway.token),
                    post("threads", "{}", TestGateway.token),
                    Request(method: "GET", path: path, headers: [("Authorization", "Bearer \(own)")]),
                ], at: gateway)
            #expect(answers.map(\.status) == [201, 201, 429, 429, 201, 429, 201, 429, 201, 201, 200])
            #expect(answers[2].body.contains("\"code\":\"tooManyWrites\""))
            #expect(answers[2].body.contains("2 messages at once, and 60 an hour"))
            let typing = post("threads/t1/typing", "{\"isTyping\":true}", own)
            let fields = Request(
                method: "PUT", path: "\(path)/customer/customFields",
                headers: [("Authorization", "Bearer \(own)"), ("Content-Type", "application/json")], body: "{}")
            let changes = try await Driver.socket.answers(to: [typing, fields, fields, typing], at: gateway)
            #expect(changes.map { $0.status == 429 } == [false, false, true, true])
            #expect(changes[2].body.contains("2 changes at once, and 60 an hour"))
            #expect(answers[2].headers.contains { $0.0 == "Retry-After" && (1...60).contains(Int($0.1) ?? 0) })
        }
    }

    @Test func thePlacesOfSearchesAreGivenBack() async throws {
        try await TestGateway.run { gateway in
            let path = "/v1/sessions/\(gateway.session)/search?q=x"
            let search = Request(
                method: "GET", path: path, headers: [("Authorization", "Bearer \(gateway.sessionToken)")])
            let answers = try await Driver.socket.answers(to: [search, search, search], at: gateway)
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(gateway.application.core.searches.counts == (0, 0))
        }
    }

    /// A page that was not made before waits for its turn, and the gateway's own token has one of its own.
    @Test func strangersWhoWaitForPagesKeepNobodyOut() async throws {
        try await TestGateway.run { gateway in
            let line = gateway.documents.turns
            try await line.enter(.nobody)
            let application = gateway.application
            @Sendable func ask(_ target: String, _ header: (String, String)? = nil) async -> Int {
                var head = HTTPRequest(
                    method: "GET", target: target, headers: [("Host", "chat.example")] + (header.map { [$0] } ?? []),
                    peer: .tcp(.loopback(port: 1)))
                _ = application.admit(&head)
                return switch application.respond(to: head) {
                case .now(let answer): answer.status
                case .later(let work), .prompt(let work): await work().status
                }
            }
            let strangers = (0..<20).map { number in Task { await ask("/docs?q=w\(number)") } }
            #expect(await eventually { line.counts.waiting == 20 })
            #expect(await ask("/docs?q=operator", Self.gateway) == 200)
            #expect(line.counts == (1, 20))
            // A stranger for whom there is no place is refused on the loop's thread, without a task.
            let crowd = (0..<108).map { number in Task { await ask("/docs?q=c\(number)") } }
            #expect(await eventually { line.counts.waiting == 128 })
            var head = HTTPRequest(
                method: "GET", target: "/openapi.json", headers: [("Host", "chat.example")],
                peer: .tcp(.loopback(port: 1)))
            _ = application.admit(&head)
            guard case .now(let refused) = application.respond(to: head) else { throw Unexpected() }
            #expect(refused.status == 429)
            for stranger in strangers + crowd { stranger.cancel() }
            for stranger in strangers + crowd { #expect(await stranger.value == 504) }
            #expect(line.counts == (1, 0))
            let own = ("Authorization", "Bearer \(gateway.sessionToken)")
            let customer = Task { await ask("/docs?q=customer", own) }
            #expect(await eventually { line.counts.waiting == 1 })
            line.leave(.nobody)
            #expect(await customer.value == 200)
            #expect(line.counts == (0, 0))
        }
    }

    /// What one holder's transcripts fill is told as its share; what all fill together is told as the gateway's.
    @Test func transcriptsBeyondAShareAreTheHoldersOwnMatter() async throws {
        try await TestGateway.run { gateway in
            let ask = Request(
                method: "GET", path: "/v1/sessions/\(gateway.session)/threads/t1/transcript",
                headers: [("Authorization", "Bearer \(gateway.sessionToken)")])
            let shares = gateway.application.core.transcripts
            let own = shares.counter(of: .named("session \(gateway.session)"))
            own.reserveAnyway(own.limit)
            let (another, root) = (shares.counter(of: .named("another")), shares.counter(of: .root))
            let first = try await Driver.socket.answers(to: [ask], at: gateway)[0]
            own.giveBack(own.limit)
            another.reserveAnyway(another.limit)
            let second = try await Driver.socket.answers(to: [ask], at: gateway)[0]
            root.reserveAnyway(root.limit)
            let third = try await Driver.socket.answers(to: [ask], at: gateway)[0]
            #expect([first.status, second.status, third.status] == [429, 200, 503])
            #expect(first.body.contains("\"code\":\"shareExceeded\""))
            #expect(third.body.contains("\"code\":\"tooManyRequests\""))
            for answer in [first, third] { #expect(answer.headers.contains { $0 == ("Retry-After", "1") }) }
        }
    }
}
