import Chat
@testable import CXoneSandbox
import CXoneWire
import Formats
import HTTPRouting
import TestSupport
import Testing

/// What can be seen of the sandbox from outside.
@Suite struct InspectionTests {
    @Test func framesOfBothDirectionsAreKept() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            let frames = scene.sandbox.frames.items(after: 0).items.map(\.item)
            let first = try #require(frames.first)
            #expect(first.direction == .toSandbox && first.socket == ada.session.number)
            #expect(frames.count { $0.direction == .toSandbox } == 2 && frames.contains { $0.direction == .toClient })
            var json = JSONWriter()
            first.encode(number: 1, to: &json)
            let shown = try JSONParser.parse(json.bytes)
            #expect(shown["type"]?.string == "AuthorizeCustomer" && shown["direction"]?.string == "toSandbox")
        }
    }

    @Test func socketsAreListedAsLongAsTheyAreOpen() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada"), bob = try scene.open("bob", "android")
            let sockets = await scene.sandbox.sockets()
            #expect(sockets.map(\.number) == [ada.session.number, bob.session.number])
            #expect(sockets[0].customer == "ada" && sockets[1].customer == nil && sockets[1].platform == "android")
            #expect(sockets[0].received == 1 && sockets[0].sent >= 1)
            ada.session.inbox.put(.closed(.client))
            try #require(await eventually { scene.sandbox.sessionCount == 1 })
            #expect(await scene.sandbox.sockets().map(\.number) == [bob.session.number])
        }
    }

    /// A request over HTTP names no customer but by its visitor.
    @Test func aVisitorsCustomerIsThatOfAnOpenSocket() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada", visitor: "v1"), bob = try await scene.client("bob", visitor: "v2")
            _ = try scene.open("nobody", visitor: "v3")
            #expect(
                scene.sandbox.customer(ofVisitor: "v1") == "ada" && scene.sandbox.customer(ofVisitor: "v2") == "bob")
            #expect(scene.sandbox.customer(ofVisitor: "v3") == nil && scene.sandbox.customer(ofVisitor: "") == nil)
            #expect(scene.sandbox.accounts(of: "v1").count == 1 && scene.sandbox.accounts(of: "v3").isEmpty)
            ada.session.inbox.put(.closed(.client))
            try #require(await eventually { scene.sandbox.sessionCount == 2 })
            #expect(scene.sandbox.customer(ofVisitor: "v1") == nil && scene.sandbox.customer(ofVisitor: "v2") == "bob")
            bob.session.inbox.put(.closed(.client))
        }
    }

    @Test(arguments: [
        (#"{"accessToken":"S","a":1}"#, #"{"accessToken":"...","a":1}"#),
        (#"{"a":{"token" : "S\"S","expiresIn":3}}"#, #"{"a":{"token" : "...","expiresIn":3}}"#),
        (#"{"authorizationCode":"S","codeVerifier":"S"}"#, #"{"authorizationCode":"...","codeVerifier":"..."}"#),
        (#"{"x":"token","y":"S"}"#, #"{"x":"token","y":"S"}"#),
        (#"{"list":["token","S"],"token":null}"#, #"{"list":["token","S"],"token":null}"#),
        (#"{"refreshToken":"S"#, #"{"refreshToken":"..."#),
        ("no JSON", "no JSON"), ("", ""),
    ])
    func tokensAreTakenOut(_ text: String, _ kept: String) {
        #expect(String(decoding: FrameSecrets.removed(from: Array(text.utf8)), as: UTF8.self) == kept)
    }

    private func filter(_ query: (name: String, value: String)...) throws -> FrameFilter {
        try FrameFilter(QueryReader(query, known: .only(FrameFilter.query)))
    }

    @Test func aFilterLetsThroughWhatItNames() throws {
        let asked = SandboxFrame(
            .frame, [], .toSandbox, type: "SendMessage", socket: 7, customer: "ada", at: Timestamp(milliseconds: 0))
        var answer = SandboxFrame(
            .frame, [], .toClient, type: "Acknowledged", socket: 7, customer: "ada", at: Timestamp(milliseconds: 0))
        (answer.answers, answer.asked) = (1, "SendMessage")
        #expect(try filter().wants(asked) && filter().wants(answer))
        #expect(try filter(("customer", "ada")).wants(asked) && !filter(("customer", "bob")).wants(asked))
        #expect(try filter(("socket", "7")).wants(asked) && !filter(("socket", "8")).wants(asked))
        #expect(
            try filter(("direction", "toSandbox")).wants(asked) && !filter(("direction", "toSandbox")).wants(answer))
        #expect(try filter(("direction", "toClient")).wants(answer) && !filter(("direction", "toClient")).wants(asked))
        let event = try filter(("event", "SendMessage"))
        #expect(event.wants(asked) && event.wants(answer), "an event comes with its answer")
        #expect(try !filter(("event", "Acknowledged")).wants(asked))
        #expect(try !filter(("customer", "ada"), ("socket", "8")).wants(asked), "all conditions apply")
        let unknown = SandboxFrame(.request, [], .toSandbox, type: "x", at: Timestamp(milliseconds: 0))
        #expect(try !filter(("customer", "ada")).wants(unknown) && !filter(("socket", "7")).wants(unknown))
        for (name, value) in [("direction", "in"), ("socket", "0"), ("customer", ""), ("event", "")] {
            #expect(throws: Problem.self) { try filter((name, value)) }
        }
    }

    @Test func theFramesOfTheSandboxAreBounded() async throws {
        try await Scene.run { scene in
            func note(_ count: Int, of bytes: Int) {
                for _ in 0..<count {
                    scene.sandbox.record(
                        SandboxFrame(
                            .frame, Array(repeating: 120, count: bytes), .toClient, at: Timestamp(milliseconds: 0)))
                }
            }
            note(2001, of: 1)
            #expect(scene.sandbox.frames.items(after: 0).items.count == 2000)
            note(600, of: SandboxFrame.limit)
            let page = scene.sandbox.frames.items(after: 0)
            let bytes = page.items.map(\.item.weight).reduce(0, +)
            #expect(bytes <= 4 << 20 && bytes > 4 << 20 - 10_000 && page.missed == 2601 - page.items.count)
        }
    }

    @Test func aLongFrameIsCut() {
        let frame = SandboxFrame(
            .frame, Array(repeating: 120, count: 100_000), .toClient, socket: 1, at: Timestamp(milliseconds: 0))
        #expect(frame.text.count == SandboxFrame.limit && frame.size == 100_000)
    }

    @Test func aFrameIsShownWithoutItsTokens() {
        // The limit cuts the second one.
        let secret = String(repeating: "S", count: SandboxFrame.limit)
        let frame = SandboxFrame(
            .frame, Array(#"{"token":"SSS","accessToken":"\#(secret)"}"#.utf8), .toClient, socket: 1,
            at: Timestamp(milliseconds: 0))
        var json = JSONWriter()
        frame.encode(number: 1, to: &json)
        #expect(!String(decoding: json.bytes, as: UTF8.self).contains("S"))
        #expect(frame.size > SandboxFrame.limit)
    }
}
