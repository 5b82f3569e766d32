import Formats
import HTTPRouting
@testable import SandboxKit
import Testing

/// What is kept and shown of what came from apps and went to them.
@Suite struct FrameTests {
    private let secrets = FrameSecrets(["token", "secret", "authorizationcode", "codeverifier", "password"])

    @Test(arguments: [
        (#"{"accessToken":"S","a":1}"#, #"{"accessToken":"...","a":1}"#),
        (#"{"a":{"token" : "S\"S","expiresIn":3}}"#, #"{"a":{"token" : "...","expiresIn":3}}"#),
        (#"{"authorizationCode":"S","codeVerifier":"S"}"#, #"{"authorizationCode":"...","codeVerifier":"..."}"#),
        (#"{"x":"token","y":"S"}"#, #"{"x":"token","y":"S"}"#),
        (#"{"list":["token","S"],"token":null}"#, #"{"list":["token","S"],"token":null}"#),
        (#"{"refreshToken":"S"#, #"{"refreshToken":"..."#),
        (#"{"access\u005ftoken":"S"}"#, #"{"access\u005ftoken":"..."}"#),
        (#"{"\u0074\u006Fken":"S","to\/ken":"S"}"#, #"{"\u0074\u006Fken":"...","to\/ken":"S"}"#),
        (#"{"to\u00zzken":"S","token\u":"S"}"#, #"{"to\u00zzken":"S","token\u":"..."}"#),
        ("no JSON", "no JSON"), ("", ""),
    ])
    func tokensAreTakenOut(_ text: String, _ kept: String) {
        #expect(String(decoding: secrets.removed(from: Array(text.utf8)), as: UTF8.self) == kept)
    }

    @Test func tokensAreTakenOutOfTargets() {
        let shown = [
            "/a?apiToken=S&x=1": "/a?apiToken=...&x=1", "/a?PASSWORD=S": "/a?PASSWORD=...",
            "/a?x=token&y": "/a?x=token&y",
            "/a?%74oken=S&t%6fken=S": "/a?%74oken=...&t%6fken=...", "/a?%C3%A9=S&%7=S": "/a?%C3%A9=S&%7=S",
            "/token/S": "/token/S", "/a?": "/a?",
        ]
        for (target, kept) in shown { #expect(secrets.removed(fromTarget: target) == kept) }
        #expect(FrameSecrets(["key"]).removed(fromTarget: "/a?token=T&key=S") == "/a?token=T&key=...")
        let inPaths = FrameSecrets([], behind: ["tokens"])
        #expect(inPaths.removed(fromTarget: "/a/tokens/T/b?c=1") == "/a/tokens/.../b?c=1")
        #expect(inPaths.removed(fromTarget: "/a/tokens") == "/a/tokens")
        let known = FrameSecrets(["token"], values: ["S3"])
        #expect(known.removed(fromTarget: "/a/S3/b?x=S3") == "/a/.../b?x=...")
        #expect(
            String(decoding: known.removed(from: Array(#"{"a":"S3","tokn":S3S3 "#.utf8)), as: UTF8.self)
                == #"{"a":"...","tokn":...... "#)
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
        frame.encode(number: 1, without: secrets, to: &json)
        #expect(!String(decoding: json.bytes, as: UTF8.self).contains("S"))
        #expect(frame.size > SandboxFrame.limit)
    }
}
