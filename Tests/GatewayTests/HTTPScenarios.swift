import GatewaySupport
import Testing

@testable import Gateway

/// What HTTP says of requests and answers, whatever they are about.
extension Scenario {
    private static let t = "/v1/sessions/$S/threads/t1"
    private static let file = ("Content-Type", "text/plain")
    private static let gzip = ("Content-Encoding", "gzip")
    private static let merge = ("Content-Type", "application/merge-patch+json; charset=utf-8")
    private static let absent = ("If-None-Match", "*")
    private static let stale = ("If-Match", "W/\"1-0\"")
    /// Of `hello`.
    private static let digest = "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:"
    private static let lines = [("Accept", "application/jsonl")]

    static let http = bodies + preconditions + versions + methods + proxies + feeds

    private static let bodies: [Scenario] = [
        Scenario(
            "POST", "/v1/sessions/$S/attachments", 415, headers: [file, gzip], body: "packed",
            code: "unsupportedMediaType", contains: ["in the coding gzip"], expects: [("Accept-Encoding", "identity")]),
        Scenario(
            "POST", "\(t)/messages", 415, headers: [gzip], body: "packed", code: "unsupportedMediaType",
            expects: [("Accept-Encoding", "identity")]),
        Scenario("POST", "\(t)/messages", 201, headers: [("Content-Encoding", "Identity")], body: "{\"text\":\"x\"}"),
        Scenario(
            "PATCH", t, 415, headers: [merge, ("Content-Encoding", "identity, br")], body: "{}",
            code: "unsupportedMediaType", contains: ["in the coding br"]),
        Scenario("PATCH", t, 200, headers: [merge], body: "{\"name\":\"New\"}", contains: ["\"name\":\"New\""]),
        Scenario(
            "PATCH", t, 415, headers: [file], body: "{}", code: "unsupportedMediaType",
            expects: [("Accept-Patch", "application/merge-patch+json, application/json")]),
        Scenario("POST", "\(t)/messages", 415, headers: [merge], body: "{}", code: "unsupportedMediaType"),
        Scenario(
            "POST", "\(t)/messages", 422, headers: [("Content-Digest", digest)], body: "{\"text\":\"x\"}",
            code: "digestMismatch", contains: ["Content-Digest"]),
        Scenario(
            "POST", "\(t)/messages", 422, headers: [("Repr-Digest", digest)], body: "{\"text\":\"x\"}",
            code: "digestMismatch"),
        Scenario(
            "PATCH", t, 422, headers: [("Content-Digest", digest)], body: "{\"name\":\"x\"}", code: "digestMismatch"),
        Scenario(
            "PUT", "\(t)/customFields", 400, headers: [("Content-Digest", "x")], body: "{\"customFields\":{}}",
            code: "invalidHeader", contains: ["Content-Digest"]),
        Scenario(
            "POST", "\(t)/messages", 201,
            headers: [("Content-Digest", "sha-256=:/NHM7Ajbb3ioH+5sJtqea40NO6WLRANxP//rz6ps8Rk=:, md5=:AA==:")],
            body: "{\"text\":\"x\"}"),
        Scenario(
            "POST", "/v1/sessions/$S/attachments", 201, headers: [file, ("Content-Digest", digest)], body: "hello"),
        Scenario(
            "POST", "/v1/sessions/$S/attachments", 422, headers: [file, ("Content-Digest", digest)], body: "hallo",
            code: "digestMismatch", contains: ["Content-Digest"]),
        // They say something of what is written. A request that only reads is answered whatever they say.
        Scenario("GET", t, 200, headers: [("Content-Digest", "x"), ("Idempotency-Key", "")]),
        Scenario("GET", "\(t)/messages?replies=all", 200, headers: [("Repr-Digest", "x"), ("Idempotency-Key", "")]),
    ]

    private static let preconditions: [Scenario] = [
        Scenario("PATCH", t, 412, headers: [absent], body: "{\"name\":\"New\"}", code: "preconditionFailed"),
        Scenario("POST", "\(t)/messages", 412, headers: [absent], body: "{\"text\":\"x\"}", code: "preconditionFailed"),
        Scenario(
            "PUT", "/v1/sessions/$S/customer", 412, headers: [absent], body: "{\"firstName\":\"New\"}",
            code: "preconditionFailed"),
        Scenario("DELETE", "\(t)/messages/m1", 412, headers: [absent], code: "preconditionFailed"),
        Scenario("POST", "\(t)/archive", 412, headers: [stale], code: "preconditionFailed"),
        Scenario("POST", "\(t)/archive", 200, headers: [("If-Match", "*")]),
        Scenario(
            "PUT", "\(t)/customFields", 412, headers: [stale], body: "{\"customFields\":{\"a\":\"1\"}}",
            code: "preconditionFailed"),
        Scenario(
            "PUT", "/v1/sessions/$S/customer", 412, headers: [stale], body: "{\"firstName\":\"New\"}",
            code: "preconditionFailed"),
        Scenario(
            "PUT", "/v1/sessions/$S/customer/customFields", 412, headers: [stale],
            body: "{\"customFields\":{\"a\":\"1\"}}", code: "preconditionFailed"),
        Scenario(
            "PATCH", "\(t)/messages/none", 404, headers: [absent], body: "{\"text\":\"x\"}", code: "unknownMessage"),
        Scenario("POST", "\(t)/read", 204, headers: [absent]),
        Scenario("PATCH", t, 200, headers: [("If-None-Match", "\"1-0\"")], body: "{\"name\":\"New\"}"),
    ]

    /// What was written can be changed next only as long as it is the newest.
    private static let versions: [Scenario] = [
        Scenario("PATCH", t, 200, body: "{\"name\":\"New\"}", expects: [("ETag", "W/\"")]),
        Scenario("PATCH", "\(t)/messages/m1", 200, body: "{\"text\":\"New\"}", expects: [("ETag", "W/\"")]),
        Scenario("POST", "\(t)/messages", 201, body: "{\"text\":\"x\"}", expects: [("ETag", "W/\"")]),
        Scenario(
            "POST", "\(t)/messages", 200, body: "{\"id\":\"x1\",\"text\":\"x\"}", expects: [("ETag", "W/\"")],
            after: ("\(t)/messages", "{\"id\":\"x1\",\"text\":\"x\"}")),
        Scenario("POST", "\(t)/load", 200, expects: [("ETag", "W/\"")]),
        Scenario("POST", "/v1/sessions/$S/threads", 201, body: "{}", expects: [("ETag", "W/\"")]),
        Scenario("PATCH", "/v1/desk/threads/t1", 200, body: "{\"name\":\"New\"}", expects: [("ETag", "W/\"")]),
        Scenario(
            "POST", "/v1/desk/threads/t1/assign", 200, body: "{\"agent\":{\"id\":\"bo\",\"name\":\"Bo\"}}",
            expects: [("ETag", "W/\"")]),
        Scenario("POST", "/v1/desk/threads/t1/messages", 201, body: "{\"text\":\"x\"}", expects: [("ETag", "W/\"")]),
        Scenario("POST", "/v1/desk/threads/t1/notes", 201, body: "{\"text\":\"x\"}", expects: [("ETag", "W/\"")]),
    ]

    private static let methods: [Scenario] = [
        Scenario(
            "TRACE", t, 405, code: "methodNotAllowed", expects: [("Allow", "GET, HEAD, PATCH, OPTIONS")]),
        Scenario("TRACE", "/nowhere", 404, code: "notFound"),
        Scenario(
            "OPTIONS", t, 204, as: .nobody,
            expects: [("Accept-Patch", "application/merge-patch+json, application/json")]),
        Scenario("POST", "/auth/codes", 201, expects: [("Location", "/auth/")]),
        Scenario(
            "GET", "/v1/sessions", 401, as: .nobody, headers: [("Authorization", "Bearer nonsense")],
            code: "unauthorized", expects: [("WWW-Authenticate", "error=\"invalid_token\"")]),
    ]

    /// What proxies and libraries make of a request on its way.
    private static let proxies: [Scenario] = [
        Scenario("GET", "/v1/sessions?unusedSince=2026-05-04T09:30:00+02:00", 200),
        Scenario("GET", "\(t)/messages/m1/replies?from=2026-05-04T09:30:00+02:00", 200),
        Scenario(
            "GET", "/v1/events?desk=true&since=2020-05-04T09:30:00+02:00&limit=9", 200, contains: ["\"items\":[{"]),
        Scenario(
            "GET", "/v1/desk/threads?customer=+4912", 400, code: "invalidParameter",
            contains: ["%2B", "\"pointer\":\"?customer\""]),
        Scenario("GET", "/v1/desk/threads?customer=%2B4912", 200),
        Scenario("PATCH", t, 200, headers: [("If-Match", "W/\"$HEAD-0-gzip\"")], body: "{\"name\":\"New\"}"),
        Scenario("GET", t, 304, headers: [("If-None-Match", "W/\"$HEAD-0;gzip\"")]),
    ]

    private static let feeds: [Scenario] = [
        Scenario(
            "GET", "/v1/desk/events?after=$EPOCH-0&types=message.created&types=thread.created&limit=9", 200,
            contains: ["message.created", "thread.created"], lacks: ["thread.updated"],
            expects: [("Content-Type", "application/json")]),
        Scenario(
            "GET", "/v1/desk/events?limit=9", 200, headers: [("Accept", "*/*")],
            expects: [("Content-Type", "application/json")]),
        Scenario(
            "GET", "/v1/desk/events?wait=0", 200, headers: [("Accept", "application/json, */*")],
            expects: [("Content-Type", "application/json")]),
        Scenario(
            "GET", "/v1/desk/events?limit=9", 400, headers: [("Accept", "text/event-stream")],
            code: "invalidParameter"),
        Scenario(
            "GET", "/v1/desk/events?lastEventId=$EPOCH-0&after=$EPOCH-$HEAD", 200, headers: lines,
            contains: ["message.created"]),
        Scenario(
            "GET", "/v1/desk/events?lastEventId=$EPOCH-0&limit=1", 200, contains: ["\"hasMore\":true"],
            lacks: ["reset"]),
        Scenario("GET", "/v1/desk/threads?lastEventId=$EPOCH-0", 400, code: "unknownParameter"),
        Scenario(
            "GET", "\(t)/messages/m1/replies?types=text&types=file", 200, contains: ["\"items\":[]"]),
    ]
}

/// The head of a stream tells no length: that of its body is not known.
@Suite struct StreamHeadTests {
    @Test func headOfAStreamHasNoLength() async throws {
        try await TestGateway.run { gateway in
            let token = [("Authorization", "Bearer \(TestGateway.token)")]
            let paths = ["/v1/desk/events", "/v1/sessions/\(gateway.session)/events", "/v1/events?desk=true"]
            let requests = paths.map { Request(method: "HEAD", path: $0, headers: token) }
            for answer in try await Driver.socket.answers(to: requests, at: gateway) {
                #expect(answer.status == 200 && answer["Content-Type"] == "text/event-stream")
                #expect(answer["Content-Length"] == nil && answer["Transfer-Encoding"] == nil)
            }
        }
    }
}
