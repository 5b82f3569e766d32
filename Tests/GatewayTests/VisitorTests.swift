import ChatModel
import ChatStore
import Formats
import GatewaySupport
import HTTPRouting
import TestSupport
import Testing

@testable import Chat
@testable import Gateway

/// How long customers who come by themselves stay, and what a restart leaves of them.
@Suite struct VisitorTests {
    private static let day: Int64 = 86_400_000
    private static let secret = "s1"

    private func request(_ method: String, _ path: String, _ body: String? = nil, token: String? = nil) -> Request {
        var headers = body == nil ? [] : [("Content-Type", "application/json")]
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return Request(method: method, path: path, headers: headers, body: body)
    }

    /// A JWT for the channel `multi`.
    private func identity(of customer: String, at gateway: TestGateway, seconds: Int64 = 3600) -> String {
        let end = gateway.environment.now.milliseconds / 1000 + seconds
        let parts = [#"{"alg":"HS256"}"#, #"{"sub":"\#(customer)","exp":\#(end)}"#].map {
            Base64URL.encode(Array($0.utf8))
        }
        let key = gateway.application.core.tokens.identitySecret(Self.secret, of: "multi")
        let signed = parts.joined(separator: ".")
        return signed + "."
            + Base64URL.encode(MessageAuthentication(key: Array(key.utf8)).code(for: Array(signed.utf8)))
    }

    /// Makes the channel `multi` public.
    private func open(_ gateway: TestGateway) async throws {
        try await gateway.store.write { transaction in
            var channel = try #require(try transaction.channel("multi", of: "local"))
            var visitors = VisitorSettings()
            (visitors.isPublic, visitors.identity) = (true, .optional)
            channel.visitors = visitors
            try transaction.save(channel, of: "local")
            _ = try transaction.addIdentitySecret(Self.secret, of: "multi")
        }
    }

    private func begin(_ gateway: TestGateway, _ members: String = "") async throws -> (path: String, token: String) {
        let body = #"{"channel":"multi"\#(members)}"#
        let answer = try await Driver.process.answers(to: [request("POST", "/v1/visitors", body)], at: gateway)[0]
        #expect(answer.status == 201, "\(answer.body)")
        let json = try JSONParser.parse(Array(answer.body.utf8))
        return ("/v1/sessions/\(try #require(json["session"]?.string))", try #require(json["token"]?.string))
    }

    private func status(_ gateway: TestGateway, _ visitor: (path: String, token: String)) async throws -> Int {
        let read = request("GET", visitor.path, token: visitor.token)
        return try await Driver.process.answers(to: [read], at: gateway)[0].status
    }

    @Test func aSessionEndsWhenNobodyUsesIt() async throws {
        try await TestGateway.run { gateway in
            try await open(gateway)
            let visitor = try await begin(gateway)
            gateway.environment.advance(milliseconds: 29 * Self.day)
            gateway.application.noteSessionUse()
            #expect(try await status(gateway, visitor) == 200)
            // The use counts: it has 30 days again.
            gateway.environment.advance(milliseconds: 29 * Self.day)
            gateway.application.noteSessionUse()
            #expect(try await status(gateway, visitor) == 200)
            gateway.environment.advance(milliseconds: 31 * Self.day)
            #expect(try await status(gateway, visitor) == 401)
            gateway.application.noteSessionUse()
            #expect(try await status(gateway, visitor) == 401, "who asks too late does not use it")
            try await gateway.application.maintain()
            #expect(try await gateway.store.read { try $0.session(String(visitor.path.dropFirst(13))) } == nil)
            #expect(gateway.sessions.client(gateway.session) != nil, "another session stays for ever")
        }
    }

    @Test func aKnownCustomerIsVouchedForAgain() async throws {
        try await TestGateway.run { gateway in
            try await open(gateway)
            let visitor = try await begin(gateway, #","identity":"\#(identity(of: "4711", at: gateway))""#)
            gateway.environment.advance(milliseconds: 7 * Self.day - 1)
            #expect(try await status(gateway, visitor) == 200)
            gateway.environment.advance(milliseconds: 1)
            let read = request("GET", visitor.path, token: visitor.token)
            let refused = try await Driver.process.answers(to: [read], at: gateway)[0]
            #expect(refused.status == 401 && refused.body.contains("identityExpired"))
            let fresh = #"{"identity":"\#(identity(of: "4711", at: gateway))"}"#
            let answers = try await Driver.process.answers(
                to: [request("POST", "\(visitor.path)/identity", fresh, token: visitor.token), read], at: gateway)
            #expect(answers.map(\.status) == [200, 200])
        }
    }

    @Test func aRestartLeavesWhatWasSaidOfASession() async throws {
        try await TestGateway.run { first in
            try await open(first)
            let known = try await begin(first, #","identity":"\#(identity(of: "4711", at: first))""#)
            let anonymous = try await begin(first)
            let gateway = try await first.restarted()
            try await gateway.application.loadAccess()
            #expect(try await status(gateway, known) == 200)
            first.environment.advance(milliseconds: 8 * Self.day)
            #expect(try await status(gateway, known) == 401)
            #expect(try await status(gateway, anonymous) == 200)
            first.environment.advance(milliseconds: 31 * Self.day)
            #expect(try await status(gateway, anonymous) == 401)
        }
    }

    /// Streams end with what has opened them.
    @Test func aStreamEndsWhenTheCustomerHasToBeVouchedForAgain() async throws {
        try await TestGateway.run { gateway in
            try await open(gateway)
            let visitor = try await begin(gateway, #","identity":"\#(identity(of: "4711", at: gateway))""#)
            let client = try #require(gateway.sessions.client(String(visitor.path.dropFirst(13))))
            #expect(client.term.verifiedUntil != nil && client.term.kind == .visitor)
            gateway.environment.advance(milliseconds: 8 * Self.day)
            #expect(client.term.isUnverified(at: gateway.environment.now))
            let holder = TokenAuthority.Holder(
                identity: .session(client.id), proof: .session(generation: Int(client.generation)))
            #expect(!gateway.application.core.isValid(holder))
        }
    }
}
