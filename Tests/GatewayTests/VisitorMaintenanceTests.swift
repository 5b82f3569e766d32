import ChatModel
import ChatStore
import Formats
import GatewaySupport
import HTTPRouting
import TestSupport
import Testing

@testable import Chat
@testable import Gateway

/// What is done for customers who have come by themselves, and are away.
@Suite struct VisitorMaintenanceTests {
    private static let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)

    private func request(_ method: String, _ path: String, _ body: String? = nil, token: String? = nil) -> Request {
        var headers = body == nil ? [] : [("Content-Type", "application/json")]
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return Request(method: method, path: path, headers: headers, body: body)
    }

    private func ask(_ gateway: TestGateway, _ request: Request) async throws -> Answer {
        try await Driver.process.answers(to: [request], at: gateway)[0]
    }

    private func open(
        _ gateway: TestGateway, _ change: @escaping @Sendable (inout VisitorSettings) -> Void
    ) async throws {
        let channel = try await gateway.store.write { transaction in
            var channel = try #require(try transaction.channel("multi", of: "local"))
            var visitors = VisitorSettings()
            visitors.isPublic = true
            change(&visitors)
            channel.visitors = visitors
            try transaction.save(channel, of: "local")
            return channel
        }
        gateway.application.core.visitorSettings.takeSettings(of: channel)
    }

    /// A visitor's session and token.
    private func begin(_ gateway: TestGateway) async throws -> (session: String, token: String, customer: String) {
        let answer = try await ask(gateway, request("POST", "/v1/visitors", #"{"channel":"multi"}"#))
        #expect(answer.status == 201, "\(answer.body)")
        let json = try JSONParser.parse(Array(answer.body.utf8))
        return (
            try #require(json["session"]?.string), try #require(json["token"]?.string),
            try #require(json["customer"]?["id"]?.string)
        )
    }

    private func maintain(_ gateway: TestGateway) async throws {
        gateway.application.noteSessionUse()
        try await gateway.application.maintain()
        try await gateway.application.applyRetention()
    }

    @Test func aSessionThatNobodyUsesLeavesMemoryAndComesBack() async throws {
        try await TestGateway.run { gateway in
            try await open(gateway) { _ in }
            let visitor = try await begin(gateway)
            gateway.environment.advance(milliseconds: Self.hour - 60_000)
            try await maintain(gateway)
            #expect(gateway.sessions.client(visitor.session) != nil, "not yet")
            gateway.environment.advance(milliseconds: 120_000)
            try await maintain(gateway)
            #expect(gateway.sessions.client(visitor.session) == nil)
            #expect(gateway.sessions.client(gateway.session) != nil, "this one was not begun by a customer")
            let read = request("GET", "/v1/sessions/\(visitor.session)", token: visitor.token)
            let answer = try await ask(gateway, read)
            #expect(answer.status == 200 && answer.body.contains(#""state":"ready""#), "\(answer.body)")
            #expect(gateway.sessions.client(visitor.session)?.term.kind == .visitor)
        }
    }

    /// The stored time of the last use is some hours old otherwise, and by it the session would end too early.
    @Test func whenASessionWasUsedIsKnownAlsoAfterIt() async throws {
        try await TestGateway.run { gateway in
            try await open(gateway) { $0.visitorDays = 1 }
            let visitor = try await begin(gateway)
            gateway.environment.advance(milliseconds: Self.hour / 2)
            gateway.application.noteSessionUse()
            let read = request("GET", "/v1/sessions/\(visitor.session)", token: visitor.token)
            #expect(try await ask(gateway, read).status == 200)
            gateway.environment.advance(milliseconds: 2 * Self.hour)
            try await maintain(gateway)
            #expect(gateway.sessions.client(visitor.session) == nil)
            gateway.environment.advance(milliseconds: Self.day - 2 * Self.hour)
            #expect(try await ask(gateway, read).status == 200)
        }
    }

    @Test func aCollectionThatIsInUseKeepsItsSession() async throws {
        try await TestGateway.run { gateway in
            try await open(gateway) { _ in }
            let visitor = try await begin(gateway)
            let path = "/v1/sessions/\(visitor.session)/collections"
            let made = try await ask(gateway, request("POST", path, #"{"kind":"threads"}"#, token: visitor.token))
            #expect(made.status == 201)
            let client = try #require(gateway.sessions.client(visitor.session))
            let collection = try #require(gateway.sessions.collections.all(of: client.collectionOwner).first)
            collection.hold()
            gateway.environment.advance(milliseconds: 2 * Self.hour)
            try await maintain(gateway)
            #expect(gateway.sessions.client(visitor.session) != nil)
            collection.release()
            gateway.environment.advance(milliseconds: Self.hour)
            try await maintain(gateway)
            #expect(gateway.sessions.client(visitor.session) == nil)
            #expect(gateway.sessions.collections.all(of: client.collectionOwner).isEmpty)
            let list = try await ask(gateway, request("GET", path, token: visitor.token))
            #expect(list.body.contains(collection.id), "it comes back with its session")
        }
    }

    @Test(arguments: [0, 30]) func conversationsGoAfterTheChannelsDays(days: Int) async throws {
        try await TestGateway.run { gateway in
            try await open(gateway) { $0.retentionDays = days }
            let visitor = try await begin(gateway)
            let threads = "/v1/sessions/\(visitor.session)/threads"
            let made = try await ask(gateway, request("POST", threads, "{}", token: visitor.token))
            let thread = try #require(try JSONParser.parse(Array(made.body.utf8))["id"]?.string)
            let said = try await ask(
                gateway, request("POST", "\(threads)/\(thread)/messages", #"{"text":"Hello"}"#, token: visitor.token))
            #expect(said.status == 201)
            let atDesk = "/v1/desk/threads/\(thread)"
            #expect(try await ask(gateway, request("POST", "\(atDesk)/close", token: TestGateway.token)).status == 200)
            func isThere() async throws -> Bool {
                try await ask(gateway, request("GET", atDesk, token: TestGateway.token)).status == 200
            }
            func isKnown() async throws -> Bool {
                let key = AccountKey(service: "local", channel: "multi", customer: visitor.customer)
                return try await gateway.store.read { try $0.account(key) } != nil
            }
            gateway.environment.advance(milliseconds: 29 * Self.day)
            try await maintain(gateway)
            #expect(try await isThere())
            gateway.environment.advance(milliseconds: 2 * Self.day)
            try await maintain(gateway)
            #expect(try await isThere() == (days == 0))
            #expect(try await isKnown() == (days == 0), "its session has ended, too")
        }
    }
}
