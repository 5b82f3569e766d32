import Chat
@testable import CXoneSandbox
import CXoneWire
import Formats
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
