import GatewaySupport
import Testing

/// Each scenario at a gateway of its own, by every driver; one after the other, for each has threads and files of its
/// own.
@Suite(.serialized) struct ScenarioTests {
    @Test(arguments: Driver.allCases, Scenario.all)
    func scenario(driver: Driver, scenario: Scenario) async throws {
        try await TestGateway.run { gateway in
            let live = try await scenario.usesLiveChat ? gateway.liveSession() : nil
            let requests = scenario.requests(at: gateway, live: live)
            let answers = try await driver.answers(to: requests, at: gateway)
            #expect(answers.count == requests.count)
            #expect(answers.dropLast().allSatisfy { $0.status < 300 })
            if let answer = answers.last { scenario.check(answer, at: gateway, live: live) }
        }
    }
}

extension Scenario {
    static let all =
        gate + collections + deskCollections + sessions + viewing + threads + messages + replies + members + agentNotes
        + files
        + searches + synchronization + desk
        + live + settings + devices + webhooks + pushSettings + others
        + streams + http

    private static let t = "/v1/sessions/$S/threads/t1"
    private static let json = ("Content-Type", "application/json")

    private static let notes = "/v1/desk/threads/t1/notes"

    /// Notes among agents, over HTTP.
    static let agentNotes: [Scenario] = [
        Scenario(
            "POST", notes, 201, body: "{\"text\":\"kaleidoscope\",\"agent\":{\"id\":\"a1\",\"name\":\"Bob\"}}",
            contains: [
                "\"threadId\":\"t1\"", "\"author\":{\"id\":\"a1\",\"name\":\"Bob\",\"kind\":\"agent\"}",
                "\"text\":\"kaleidoscope\"",
            ]),
        Scenario(
            "GET", notes, 200, contains: ["\"text\":\"kaleidoscope\""], after: (notes, "{\"text\":\"kaleidoscope\"}")),
        Scenario("GET", "\(t)/messages", 200, lacks: ["kaleidoscope"], after: (notes, "{\"text\":\"kaleidoscope\"}")),
        Scenario("POST", notes, 403, as: .session, body: "{\"text\":\"kaleidoscope\"}", code: "forbidden"),
        Scenario("GET", notes, 403, as: .session, code: "forbidden"),
        Scenario("POST", notes, 422, body: "{\"text\":\"\"}", code: "invalidParameter"),
        Scenario("POST", notes, 422, body: "{\"id\":\"n1\",\"text\":\"kaleidoscope\"}", code: "unknownMember"),
        Scenario("GET", "\(notes)/none", 404, code: "unknownNote"),
        Scenario("DELETE", "\(notes)/none", 404, code: "unknownNote"),
        Scenario("GET", "/v1/desk/threads/none/notes", 404, code: "unknownThread"),
        Scenario("GET", "\(notes)?cursor=x", 400, code: "invalidParameter"),
    ]

    /// On the embedded service, where nothing is synchronized and nothing fails to be sent.
    static let synchronization: [Scenario] = [
        Scenario("POST", "/v1/sessions/$S/sync", 200, body: "{\"state\":\"paused\"}", lacks: ["\"sync\""]),
        Scenario(
            "POST", "/v1/sessions/$S/sync", 422, body: "{\"state\":\"stopped\"}", code: "invalidValue",
            contains: ["\"pointer\":\"#/state\""]),
        Scenario("POST", "/v1/sessions/$S/clearCache", 204),
        Scenario("POST", "\(t)/messages/m1/resend", 409, code: "messageNotFailed"),
        Scenario("POST", "\(t)/messages/m2/resend", 404, code: "unknownMessage"),
        Scenario("GET", "/v1/sessions/$S", 200, contains: ["\"resend\":{\"policy\":\"manual\"}"]),
        Scenario(
            "POST", "/v1/sessions", 201, body: "{\"channel\":\"multi\",\"resend\":{\"policy\":\"automatic\"}}",
            contains: ["\"resend\":{\"policy\":\"automatic\",\"attempts\":10}"]),
        Scenario(
            "POST", "/v1/sessions", 422,
            body: "{\"channel\":\"multi\",\"resend\":{\"policy\":\"automatic\",\"attempts\":51}}",
            code: "invalidValue", contains: ["\"pointer\":\"#/resend/attempts\""]),
        Scenario(
            "POST", "/v1/sessions", 422,
            body: "{\"channel\":\"multi\",\"resend\":{\"policy\":\"manual\",\"attempts\":5}}",
            code: "invalidValue", contains: ["\"pointer\":\"#/resend/attempts\""]),
    ]

    static let gate: [Scenario] = [
        Scenario("GET", "/v1/info", 421, headers: [("Host", "evil.example")], code: "misdirectedHost"),
        Scenario("GET", "/v1/info", 421, headers: [("Host", "127.0.0.1:1")], code: "misdirectedHost"),
        Scenario("GET", "/v1/info", 200, headers: [("Host", "chat.example")]),
        Scenario("GET", "/v1/info", 200, headers: [("Host", "CHAT.example:99")]),
        Scenario("GET", "/v1/info", 403, headers: [("Origin", "http://evil.example")], code: "foreignOrigin"),
        Scenario("GET", "/v1/info", 403, headers: [("Origin", "null")], code: "foreignOrigin"),
        Scenario("GET", "/v1/info", 200, headers: [("Origin", "http://chat.example"), ("Host", "chat.example")]),
        Scenario(
            "POST", "/v1/sessions", 403, headers: [("Sec-Fetch-Site", "cross-site")], body: "{}", code: "foreignOrigin"),
        Scenario("GET", "/v1/info", 403, headers: [("Sec-Fetch-Mode", "no-cors")], code: "foreignOrigin"),
        Scenario("GET", "/nowhere", 404, as: .nobody, code: "notFound"),
        Scenario("GET", "/v1/sessions/", 404, code: "notFound"),
        Scenario("OPTIONS", "/v1/sessions", 204, as: .nobody, expects: [("Allow", "GET, HEAD, POST, DELETE, OPTIONS")]),
        Scenario("OPTIONS", "/nowhere", 404, as: .nobody),
        Scenario(
            "PUT", "/v1/sessions", 405, as: .nobody, headers: [("Content-Type", "text/plain")], body: "x",
            code: "methodNotAllowed", expects: [("Allow", "GET, HEAD, POST, DELETE, OPTIONS")]),
        Scenario(
            "GET", "/v1/sessions", 401, as: .nobody, code: "unauthorized", expects: [("WWW-Authenticate", "Bearer")]),
        Scenario(
            "GET", "/v1/sessions", 401, as: .nobody, headers: [("Authorization", "Bearer nonsense")],
            code: "unauthorized"),
        Scenario(
            "GET", "/v1/sessions", 401, as: .nobody, headers: [("Authorization", "Basic \(TestGateway.token)")],
            code: "unauthorized"),
        Scenario("GET", "/v1/sessions", 200, as: .nobody, headers: [("Authorization", "bearer \(TestGateway.token)")]),
        Scenario("GET", "/v1/sessions", 403, as: .session, code: "forbidden"),
        Scenario("GET", "/v1/desk/threads", 403, as: .session, code: "forbidden"),
        Scenario("GET", "/v1/sessions/other", 403, as: .session, code: "forbidden"),
        Scenario(
            "GET", "/v1/info", 200, as: .session,
            contains: ["\"name\":\"Parley\"", "\"epoch\":\"$EPOCH\"", "\"services\":[\"local\"]"]),
        Scenario(
            "POST", "/v1/sessions", 415, headers: [("Content-Type", "text/plain")], body: "{}",
            code: "unsupportedMediaType", expects: [("Accept", "application/json")]),
        Scenario(
            "POST", "/v1/sessions", 415, headers: [("Content-Type", "text/plain")], body: "{}",
            contains: ["application/json", "It came as text/plain."]),
        Scenario(
            "POST", "/v1/sessions/$S/attachments", 415, headers: [("Content-Type", "multipart/mixed; boundary=x")],
            body: "--x--", code: "unsupportedMediaType", contains: ["-F file=@photo.png", "--data-binary @photo.png"]),
        Scenario(
            "POST", "/v1/sessions/$S/attachments", 415,
            headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "a=b", code: "unsupportedMediaType",
            contains: ["--data-binary @photo.png"]),
        Scenario(
            "POST", "/v1/sessions/$S/attachments", 415, headers: [("Content-Type", "photo")], body: "x",
            code: "unsupportedMediaType", contains: ["--data-binary @photo.png"]),
        Scenario("POST", "/v1/sessions", 413, body: String(repeating: " ", count: (1 << 20) + 1), code: "bodyTooLarge"),
        Scenario("POST", "/v1/sessions", 400, body: "{", code: "invalidJSON", contains: ["At byte 1"]),
        Scenario("POST", "/v1/sessions", 400, body: String(repeating: "[", count: 10_000), code: "invalidJSON"),
        Scenario("POST", "/v1/sessions", 400, body: "{\"channel\":\"\\ud800\"}", code: "invalidJSON"),
        Scenario("POST", "/v1/sessions", 400, body: "", code: "invalidJSON"),
        Scenario(
            "POST", "/v1/sessions", 400, body: "{\"\(String(repeating: "\u{301}\u{323}", count: 200))\":1}",
            code: "invalidJSON", contains: ["At byte 2: ", "256 combining marks"]),
        Scenario("GET", "/v1/sessions?x=1", 400, code: "unknownParameter", contains: ["\"pointer\":\"?x\""]),
        Scenario("GET", "/v1/info", 200, headers: [("X-Request-Id", "my-id")], expects: [("X-Request-Id", "my-id")]),
        Scenario(
            "GET", "/nowhere", 404, headers: [("X-Request-Id", "my-id")],
            contains: ["urn:parley:request:my-id", "/docs/problems/notFound\""]),
        Scenario("GET", "/nowhere", 404, headers: [("X-Request-Id", "a b")], lacks: ["request:a b"]),
        Scenario("HEAD", "/v1/info", 200),
        Scenario("HEAD", "/v1/sessions", 401, as: .nobody),
        Scenario("GET", "/%761/info", 200),
    ]

    static let sessions: [Scenario] = [
        Scenario(
            "POST", "/v1/sessions", 201,
            body: "{\"channel\":\"multi\",\"customer\":{\"id\":\"c9\",\"firstName\":\"Ann\"}}",
            contains: ["\"token\":\"id", "\"state\":\"ready\"", "\"firstName\":\"Ann\""],
            expects: [
                ("Location", "/v1/sessions/id"), ("Parley-Cursor", "$EPOCH-$HEAD"), ("Cache-Control", "no-store"),
            ]),
        Scenario(
            "POST", "/v1/sessions", 201, body: "{\"channel\":\"multi\",\"connect\":false}",
            contains: ["\"state\":\"prepared\""]),
        Scenario("POST", "/v1/sessions", 404, body: "{\"channel\":\"nope\"}", code: "unknownChannel"),
        Scenario(
            "POST", "/v1/sessions", 404, body: "{\"channel\":\"multi\",\"service\":\"x\"}", code: "unknownService",
            contains: ["\"pointer\":\"#/service\""]),
        Scenario(
            "POST", "/v1/sessions", 422, body: "{}", code: "missingMember", contains: ["\"pointer\":\"#/channel\""]),
        Scenario("POST", "/v1/sessions", 422, body: "[]", code: "invalidValue", contains: ["\"pointer\":\"#\""]),
        Scenario(
            "POST", "/v1/sessions", 422, body: "{\"channel\":\"multi\",\"a/b\":1}", code: "unknownMember",
            contains: ["\"pointer\":\"#/a~1b\""]),
        Scenario(
            "POST", "/v1/sessions", 422, body: "{\"channel\":1,\"customer\":{\"id\":\"\",\"x\":1},\"connect\":\"yes\"}",
            code: "invalidValue", contains: ["\"#/channel\"", "\"#/customer/id\"", "\"#/customer/x\"", "\"#/connect\""]),
        Scenario(
            "GET", "/v1/sessions", 200, contains: ["\"items\":[{\"id\":\"$S\"", "\"cursor\":\"$EPOCH-$HEAD\""],
            lacks: ["token"]),
        Scenario("GET", "/v1/sessions/$S", 200, as: .session, contains: ["\"state\":\"ready\""], lacks: ["token"]),
        Scenario("GET", "/v1/sessions/nope", 404, code: "unknownSession"),
        Scenario("DELETE", "/v1/sessions/$S", 204, as: .session),
        Scenario("POST", "/v1/sessions/$S/disconnect", 200, contains: ["\"state\":\"prepared\""]),
        Scenario("POST", "/v1/sessions/$S/connect", 200, contains: ["\"state\":\"ready\""]),
        Scenario("POST", "/v1/sessions/$S/connect", 200, body: "{}"),
        Scenario("POST", "/v1/sessions/$S/connect", 422, body: "{\"x\":1}", code: "unknownMember"),
        Scenario(
            "POST", "/v1/sessions/$S/connect", 415, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: "a=b", code: "unsupportedMediaType"),
        Scenario("POST", "/v1/sessions/$S/sync", 200, body: "{\"state\":\"paused\"}"),
        Scenario("POST", "/v1/sessions/$S/sync", 422, body: "{\"state\":\"x\"}", code: "invalidValue"),
        Scenario("POST", "/v1/sessions/$S/clearCache", 204),
        Scenario(
            "GET", "/v1/sessions?limit=1&customer=c1", 200, contains: ["\"items\":[{\"id\":", "\"cursor\":"],
            expects: [("Parley-Cursor", "-")]),
        Scenario("GET", "/v1/sessions?service=nobody", 200, contains: ["\"items\":[]"]),
        Scenario("GET", "/v1/sessions?cursor=s1", 400, code: "invalidParameter"),
        Scenario("GET", "/v1/sessions?unusedSince=yesterday", 400, code: "invalidParameter"),
        Scenario("GET", "/v1/sessions?channel=", 400, code: "invalidParameter", contains: ["?channel"]),
        Scenario(
            "DELETE", "/v1/sessions?service=" + String(repeating: "s", count: 257), 400, code: "invalidParameter",
            contains: ["?service"]),
        Scenario("DELETE", "/v1/sessions", 400, code: "invalidParameter", contains: ["?unusedSince"]),
        Scenario("DELETE", "/v1/sessions?customer=c1", 403, as: .session, code: "forbidden"),
        Scenario("DELETE", "/v1/sessions?unusedSince=2000-01-01T00:00:00Z", 200, contains: ["{\"deleted\":0}"]),
        Scenario("DELETE", "/v1/sessions?customer=c1", 200, contains: ["{\"deleted\":1}"]),
        Scenario("GET", "/v1/sessions/$S/customer", 200, contains: ["{\"id\":\"c1\"}"]),
        Scenario(
            "PUT", "/v1/sessions/$S/customer", 200, body: "{\"firstName\":\"Bo\"}", contains: ["\"firstName\":\"Bo\""]),
        Scenario(
            "PUT", "/v1/sessions/$S/customer/customFields", 200, body: "{\"customFields\":{\"a\":\"1\",\"b\":\"\"}}",
            contains: ["{\"customFields\":{\"a\":\"1\"}}"]),
        Scenario(
            "PUT", "/v1/sessions/$S/customer/customFields", 422, body: "{\"customFields\":{\"a\":1}}",
            code: "invalidValue", contains: ["\"#/customFields/a\""]),
        Scenario("GET", "/v1/sessions/$S/customer/customFields", 200, contains: ["{\"customFields\":{}}"]),
    ]

    static let threads: [Scenario] = [
        Scenario(
            "GET", "/v1/sessions/$S/threads", 200, as: .session,
            contains: ["\"items\":[{\"id\":\"t1\"", "\"unreadCount\":0", ",\"cursor\":\"$EPOCH-$HEAD\"}"],
            expects: [("ETag", "W/\""), ("Parley-Cursor", "$EPOCH-$HEAD"), ("Cache-Control", "private, no-cache")]),
        Scenario("GET", "/v1/sessions/$S/threads?state=closed", 200, contains: ["\"items\":[]"]),
        Scenario(
            "GET", "/v1/sessions/$S/threads?state=x", 400, code: "invalidParameter",
            contains: ["\"pointer\":\"?state\""]),
        Scenario(
            "GET", "/v1/sessions/$S/threads?limit=201", 400, code: "invalidParameter",
            contains: ["\"pointer\":\"?limit\""]),
        Scenario("GET", "/v1/sessions/$S/threads?limit=0", 400, code: "invalidParameter"),
        Scenario("GET", "/v1/sessions/$S/threads?limit=1&limit=2", 400, code: "invalidParameter"),
        Scenario(
            "GET", "/v1/sessions/$S/threads?cursor=zzz", 400, code: "invalidParameter",
            contains: ["\"pointer\":\"?cursor\""]),
        Scenario(
            "POST", "/v1/sessions/$S/threads", 201, contains: ["\"state\":\"pending\""],
            expects: [("Location", "/threads/id")]),
        Scenario(
            "POST", "/v1/sessions/$S/threads", 201, body: "{\"id\":\"a/b c\"}",
            expects: [("Location", "/threads/a%2Fb%20c")]),
        Scenario(
            "POST", "/v1/sessions/$S/threads", 422, body: "{\"name\":\"\(String(repeating: "x", count: 257))\"}",
            code: "invalidValue"),
        Scenario("POST", "/v1/sessions/$S/threads", 422, body: "{\"id\":\"\u{e9}\"}", code: "invalidValue"),
        Scenario("GET", t, 200, contains: ["\"name\":\"First\""], expects: [("ETag", "W/\"")]),
        Scenario("GET", "/v1/sessions/$S/threads/none", 404, code: "unknownThread"),
        Scenario("PATCH", t, 200, body: "{\"name\":\"New\"}", contains: ["\"name\":\"New\""]),
        Scenario("PATCH", t, 200, body: "{\"name\":null}", lacks: ["\"name\""]),
        Scenario("PATCH", t, 422, body: "{}", code: "missingMember"),
        Scenario("PATCH", t, 422, body: "{\"name\":5}", code: "invalidValue"),
        Scenario(
            "PATCH", t, 412, headers: [("If-Match", "W/\"999-0\"")], body: "{\"name\":\"New\"}",
            code: "preconditionFailed"),
        Scenario(
            "PATCH", t, 412, headers: [("If-Match", "\"other\"")], body: "{\"name\":\"New\"}",
            code: "preconditionFailed"),
        Scenario("PATCH", t, 200, headers: [("If-Match", "*")], body: "{\"name\":\"New\"}"),
        Scenario("POST", "\(t)/load", 200),
        Scenario("POST", "\(t)/archive", 200, contains: ["\"state\":\"closed\""]),
        Scenario("POST", "\(t)/read", 204),
        Scenario("POST", "\(t)/typing", 204, body: "{\"isTyping\":true}"),
        Scenario("POST", "\(t)/typing", 422, body: "{\"isTyping\":1}", code: "invalidValue"),
        Scenario("POST", "\(t)/typing", 204, body: "{\"isTyping\":false}", after: ("\(t)/archive", nil)),
        Scenario(
            "POST", "\(t)/typing", 409, body: "{\"isTyping\":true}", code: "illegalThreadState",
            after: ("\(t)/archive", nil)),
        Scenario("POST", "\(t)/end", 409, code: "illegalChatState"),
        Scenario(
            "POST", "/v1/sessions/$S/analytics", 409,
            body: "{\"type\":\"pageView\",\"title\":\"Cart\",\"url\":\"/cart\"}",
            code: "unsupportedCapability", contains: ["analytics"]),
        Scenario("POST", "/v1/sessions/$S/triggers/x", 409, code: "unsupportedCapability", contains: ["triggers"]),
        Scenario(
            "POST", "\(t)/transcript", 409, body: "{\"email\":\"ann@example.com\"}", code: "unsupportedCapability",
            contains: ["transcript"]),
        Scenario("GET", "\(t)/customFields", 200, contains: ["{\"customFields\":{}}"]),
        Scenario(
            "PUT", "\(t)/customFields", 200, body: "{\"customFields\":{\"k\":\"v\"}}",
            contains: ["{\"customFields\":{\"k\":\"v\"}}"]),
    ]

    static let messages: [Scenario] = [
        Scenario(
            "GET", "\(t)/messages", 200, as: .session,
            contains: ["\"items\":[{\"id\":\"m1\"", "\"cursor\":\"$EPOCH-$HEAD\"}"], lacks: ["\"next\""]),
        Scenario("GET", "\(t)/messages?replies=all&limit=1", 200),
        Scenario("GET", "\(t)/messages?replies=x", 400, code: "invalidParameter"),
        Scenario("HEAD", "\(t)/messages", 200, expects: [("ETag", "W/\"")]),
        Scenario(
            "POST", "\(t)/messages", 201, body: "{\"id\":\"m2\",\"text\":\"hi\"}", contains: ["\"text\":\"hi\""],
            expects: [("Location", "/threads/t1/messages/m2")]),
        Scenario("POST", "\(t)/messages", 200, body: "{\"id\":\"m1\",\"text\":\"hello\"}", contains: ["\"id\":\"m1\""]),
        Scenario("POST", "\(t)/messages", 409, body: "{\"id\":\"m1\",\"text\":\"other\"}", code: "messageIdConflict"),
        Scenario("POST", "\(t)/messages", 422, body: "{}", code: "invalidParameter"),
        Scenario("POST", "\(t)/messages", 422, body: "{\"text\":\"\"}", code: "invalidParameter"),
        Scenario(
            "POST", "\(t)/messages", 422, body: "{\"text\":\"\(String(repeating: "x", count: 65_537))\"}",
            code: "textTooLong"),
        Scenario("POST", "\(t)/messages", 201, body: "{\"text\":\"\(String(repeating: "x", count: 65_536))\"}"),
        Scenario("POST", "/v1/sessions/$S/threads/none/messages", 404, body: "{\"text\":\"a\"}", code: "unknownThread"),
        Scenario("GET", "\(t)/messages/m1", 200, contains: ["\"text\":\"hello\""]),
        Scenario("GET", "\(t)/messages/none", 404, code: "unknownMessage"),
        Scenario("PATCH", "\(t)/messages/m1", 200, body: "{\"text\":\"edited\"}", contains: ["edited"]),
        Scenario(
            "PATCH", "\(t)/messages/m1", 412, headers: [("If-Match", "W/\"1-0\"")], body: "{\"text\":\"edited\"}",
            code: "preconditionFailed"),
        Scenario("PATCH", "\(t)/messages/d1", 403, body: "{\"text\":\"edited\"}", code: "notAuthor", after: answered),
        Scenario(
            "POST", "\(t)/messages", 409, body: "{\"text\":\"late\"}", code: "illegalThreadState",
            after: ("\(t)/archive", nil)),
        Scenario(
            "POST", "\(t)/messages", 409, body: "{\"text\":\"alone\"}", code: "notConnected",
            after: ("/v1/sessions/$S/disconnect", nil)),
        Scenario("DELETE", "\(t)/messages/m1", 204),
        Scenario("DELETE", "\(t)/messages/m1", 412, headers: [("If-Match", "W/\"1-0\"")], code: "preconditionFailed"),
    ]

    private static let answered: (path: String, body: String?) = (
        path: "/v1/desk/threads/t1/messages", body: "{\"id\":\"d1\",\"text\":\"answer\"}"
    )

    private static let a = "/v1/sessions/$S/attachments"
    private static let text = ("Content-Type", "text/plain")
    private static let form = ("Content-Type", "multipart/form-data; boundary=x")
    private static let formBody = """
        --x\r
        Content-Disposition: form-data; name="file"; filename="a.txt"\r
        Content-Type: text/plain\r
        \r
        hello\r
        --x--\r

        """
    private static func named(_ name: String) -> (String, String) {
        ("Content-Disposition", "attachment; filename=\(name)")
    }

    static let files: [Scenario] = [
        Scenario(
            "POST", a, 201, as: .session, headers: [text, named("a.txt")], body: "hello",
            contains: ["\"name\":\"a.txt\",\"mimeType\":\"text/plain\",\"size\":5}"],
            expects: [("Location", "/v1/sessions/$S/attachments/id-")]),
        Scenario(
            "POST", a, 201, headers: [text, ("Repr-Digest", "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:")],
            body: "hello", contains: ["\"name\":\"file\""]),
        Scenario(
            "POST", a, 422, headers: [text, ("Repr-Digest", "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:")],
            body: "hallo", code: "digestMismatch"),
        Scenario("POST", a, 400, headers: [text, ("Repr-Digest", "x")], body: "hello", code: "invalidHeader"),
        Scenario("POST", a, 400, headers: [text, named("a b")], body: "hello", code: "invalidHeader"),
        Scenario("POST", a, 415, headers: [("Content-Type", "x")], body: "hello", code: "unsupportedMediaType"),
        Scenario("POST", a, 422, headers: [text], body: "", code: "emptyFile"),
        Scenario(
            "POST", a, 400, headers: [text, ("Idempotency-Key", "")], body: "hello", code: "invalidIdempotencyKey"),
        Scenario("POST", a, 401, as: .nobody, headers: [text], body: "hello", code: "unauthorized"),
        Scenario("POST", "/v1/sessions/none/attachments", 404, headers: [text], body: "hello", code: "unknownSession"),
        Scenario("POST", "\(a)?x=1", 400, headers: [text], body: "hello", code: "unknownParameter"),
        Scenario("GET", "\(a)/none", 404, code: "unknownAttachment"),
        Scenario(
            "POST", a, 201, as: .session, headers: [form], body: formBody,
            contains: ["\"name\":\"a.txt\",\"mimeType\":\"text/plain\",\"size\":5}"],
            expects: [("Location", "/v1/sessions/$S/attachments/id-")]),
        Scenario(
            "POST", a, 201,
            headers: [form, ("Repr-Digest", "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:")], body: formBody),
        Scenario(
            "POST", a, 422,
            headers: [form, ("Repr-Digest", "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:")],
            body: formBody.replacing("hello", with: "hallo"), code: "digestMismatch"),
        Scenario(
            "POST", a, 422, headers: [form], body: formBody.replacing("hello", with: ""), code: "emptyFile"),
        Scenario(
            "POST", a, 422, headers: [form], body: formBody.replacing("\"file\"", with: "\"a/b\""),
            code: "unknownMember", contains: ["\"pointer\":\"#/a~1b\""]),
        Scenario("POST", a, 400, headers: [form], body: "hello", code: "invalidForm", contains: ["No line", "--x"]),
        Scenario(
            "POST", a, 400, headers: [("Content-Type", "multipart/form-data")], body: formBody, code: "invalidForm"),
        Scenario("POST", a, 401, as: .nobody, headers: [form], body: formBody, code: "unauthorized"),
        Scenario(
            "POST", "/v1/desk/attachments", 201, headers: [form], body: formBody, contains: ["\"name\":\"a.txt\""],
            expects: [("Location", "/v1/desk/attachments/id-")]),
        Scenario(
            "POST", "/v1/desk/attachments", 201, headers: [text], body: "hello",
            expects: [("Location", "/v1/desk/attachments/id-")]),
        Scenario("POST", "/v1/desk/attachments", 403, as: .session, headers: [text], body: "hello", code: "forbidden"),
        Scenario("GET", "/v1/desk/attachments/none", 404, code: "unknownAttachment"),
        Scenario(
            "POST", "\(t)/messages", 404, body: "{\"attachments\":[{\"id\":\"none\"}]}", code: "unknownAttachment",
            contains: ["\"pointer\":\"#/attachments/0/id\""]),
        Scenario(
            "POST", "\(t)/messages", 422, body: "{\"attachments\":[{\"name\":\"x\"}]}", code: "missingMember",
            contains: ["#/attachments/0/id", "#/attachments/0/name"]),
        Scenario("POST", "\(t)/messages", 422, body: "{\"attachments\":{}}", code: "invalidValue"),
        Scenario(
            "POST", "\(t)/messages", 422, body: "{\"attachments\":[{\"id\":\"x\"},{\"id\":\"x\"}]}",
            code: "invalidParameter"),
        Scenario(
            "POST", "/v1/desk/channels", 201,
            body:
                "{\"id\":\"f\",\"mode\":\"multithread\",\"fileRestrictions\":{\"maximumSize\":100.0,\"allowedTypes\":[\"Image/*\"]}}",
            contains: [
                "\"fileRestrictions\":{\"isAttachmentsEnabled\":true,\"maximumSize\":100,\"allowedTypes\":[\"image/*\"]}"
            ]),
        Scenario(
            "POST", "/v1/desk/channels", 422,
            body:
                "{\"id\":\"f\",\"mode\":\"multithread\",\"fileRestrictions\":{\"maximumSize\":0,\"allowedTypes\":[\"image\"]}}",
            code: "invalidValue", contains: ["#/fileRestrictions/maximumSize", "#/fileRestrictions/allowedTypes"]),
    ]

    static let searches: [Scenario] = [
        // What is found depends on how far the index has come; SearchTests and the contract's tests look at that.
        Scenario(
            "GET", "/v1/sessions/$S/search?q=hello", 200, as: .session,
            contains: ["\"items\":[", "\"indexedTo\":\"$EPOCH-", "\"cursor\":\"$EPOCH-"]),
        Scenario("GET", "/v1/sessions/$S/search", 400, code: "invalidParameter", contains: ["?q"]),
        Scenario("GET", "/v1/sessions/$S/search?q=a&cursor=s+5", 400, code: "invalidParameter", contains: ["?cursor"]),
        Scenario(
            "GET", "/v1/sessions/$S/search?q=a&cursor=s%2B5", 400, code: "invalidParameter", contains: ["?cursor"]),
        Scenario("GET", "/v1/sessions/$S/search?q=a&cursor=s05", 400, code: "invalidParameter", contains: ["?cursor"]),
        Scenario("GET", "/v1/sessions/$S/search?q=a&limit=%2B5", 400, code: "invalidParameter", contains: ["?limit"]),
        Scenario("GET", "/v1/sessions/$S/search?q=a&cursor=x", 400, code: "invalidParameter", contains: ["?cursor"]),
        Scenario("GET", "\(t)/messages?q=nothing", 200, contains: ["\"items\":[]", "\"indexedTo\""]),
        Scenario(
            "GET", "/v1/sessions/$S/search?q=a&types=text,note", 400, code: "invalidParameter", contains: ["?types"]),
        Scenario(
            "GET", "/v1/sessions/$S/search?q=a&senderKinds=robot", 400, code: "invalidParameter",
            contains: ["?senderKinds", "customer, agent"]),
        Scenario(
            "GET", "/v1/desk/search?q=a&types=text&types=file&senderIds=c1&senderKinds=customer", 200,
            contains: ["\"items\":["]),
        Scenario("GET", "\(t)/messages?senderIds=c1", 400, code: "invalidParameter", contains: ["?q"]),
        Scenario("GET", "/v1/desk/threads/t1/messages?types=text", 400, code: "invalidParameter", contains: ["?q"]),
        Scenario("GET", "/v1/sessions/$S/threads/none/messages?q=a", 404, code: "unknownThread"),
        Scenario("GET", "/v1/desk/search?q=%22", 200, contains: ["\"items\":[]"]),
        Scenario("GET", "/v1/desk/search?q=a", 403, as: .session, code: "forbidden"),
        Scenario("GET", "/v1/desk/threads/none/messages?q=a", 404, code: "unknownThread"),
    ]

    static let desk: [Scenario] = [
        Scenario("GET", "/v1/desk/threads", 200, contains: ["\"id\":\"t1\""]),
        // The thread's latest activity is at 09:15:04.512.
        Scenario("GET", "/v1/desk/threads?since=2026-03-02T09:15:04.512Z", 200, contains: ["\"id\":\"t1\""]),
        Scenario("GET", "/v1/desk/threads?since=2026-03-02T10:15:04.513%2B01:00", 200, contains: ["\"items\":[]"]),
        Scenario("GET", "/v1/desk/threads?until=2026-03-02T09:15:04.512Z", 200, contains: ["\"items\":[]"]),
        Scenario("GET", "/v1/sessions/$S/threads?until=2026-03-02T09:15:04.513Z", 200, contains: ["\"id\":\"t1\""]),
        Scenario("GET", "\(t)/messages?since=2026-03-02T09:15:04.513Z", 200, contains: ["\"items\":[]"]),
        Scenario(
            "GET", "/v1/desk/threads/t1/messages?since=2026-03-02T09:15:04Z&until=2026-03-02T09:15:05Z", 200,
            contains: ["\"m1\""]),
        Scenario("GET", "/v1/desk/threads?since=yesterday", 400, code: "invalidParameter", contains: ["?since"]),
        Scenario(
            "GET", "/v1/sessions/$S/threads?since=2026-03-02T09:15:05Z&until=2026-03-02T09:15:04Z", 400,
            code: "invalidParameter", contains: ["?until", "not before since"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?since=2026-03-02T09:15:05Z&until=2026-03-02T09:15:04Z", 400,
            headers: [("Accept", "application/json")], code: "invalidParameter", contains: ["?until"]),
        Scenario(
            "GET", "/v1/desk/threads?since=2026-03-02T09:15:05Z&until=2026-03-02T09:15:05Z", 200,
            contains: ["\"items\":[]"]),
        Scenario("GET", "/v1/desk/threads?member=c1&customTypePrefix=x", 200, contains: ["\"items\":[]"]),
        Scenario("GET", "/v1/sessions/$S/threads?member=c1", 200, contains: ["\"id\":\"t1\""]),
        Scenario("GET", "/v1/sessions/$S/threads?member=c1&member=c2", 200, contains: ["\"items\":[]"]),
        Scenario(
            "GET", "/v1/sessions/$S/threads?customTypePrefix=%00", 400, code: "invalidParameter",
            contains: ["?customTypePrefix"]),
        Scenario(
            "GET", "/v1/sessions/$S/threads?\(String(repeating: "member=c&", count: 11))limit=5", 400,
            code: "invalidParameter", contains: ["?member"]),
        Scenario("GET", "/v1/desk/threads/t1", 200),
        Scenario("GET", "/v1/desk/threads/none", 404, code: "unknownThread"),
        Scenario("GET", "/v1/desk/threads/t1/messages", 200, contains: ["\"m1\""]),
        Scenario("GET", "/v1/desk/threads/t1/messages/m1?channel=multi&customer=c1", 200),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 201, body: "{\"text\":\"answer\"}",
            contains: ["\"id\":\"agent\"", "\"direction\":\"toClient\""]),
        Scenario(
            "POST", "/v1/desk/threads/t1/messages", 422, body: "{\"text\":\"answer\",\"agent\":{\"id\":\"a\"}}",
            code: "missingMember", contains: ["\"#/agent/name\""]),
        Scenario(
            "PATCH", "/v1/desk/threads/t1/messages/d1", 200, body: "{\"text\":\"x\"}", contains: ["\"text\":\"x\""],
            after: answered),
        Scenario("PATCH", "/v1/desk/threads/t1/messages/m1", 403, body: "{\"text\":\"x\"}", code: "notAuthor"),
        Scenario("DELETE", "/v1/desk/threads/t1/messages/d1", 204, after: answered),
        Scenario("DELETE", "/v1/desk/threads/t1/messages/m1", 204),
        Scenario("POST", "/v1/desk/threads/t1/typing", 204, body: "{\"isTyping\":false}"),
        Scenario("POST", "/v1/desk/threads/t1/read", 204),
        Scenario(
            "POST", "/v1/desk/threads/t1/assign", 200, body: "{\"agent\":{\"id\":\"a1\",\"name\":\"Ada\"}}",
            contains: ["Ada"]),
        Scenario("POST", "/v1/desk/threads/t1/assign", 422, body: "{\"agent\":5}", code: "invalidValue"),
        Scenario("POST", "/v1/desk/threads/t1/close", 200, contains: ["\"state\":\"closed\""]),
        Scenario("GET", "/v1/desk/channels", 200, contains: ["\"items\":[{\"id\":\"single\""]),
        Scenario(
            "POST", "/v1/desk/channels", 201, body: "{\"id\":\"new\",\"mode\":\"multithread\"}",
            expects: [("Location", "/v1/services/local/channels/new")]),
        Scenario(
            "POST", "/v1/desk/channels", 422, body: "{\"id\":\"-x\",\"mode\":\"telepathy\"}", code: "invalidValue",
            contains: ["\"#/id\"", "\"#/mode\""]),
    ]

    static let others: [Scenario] = [
        Scenario(
            "GET", "/v1/services", 200, as: .session,
            contains: ["\"id\":\"local\"", "\"channels\":[{\"id\":\"single\""]),
        Scenario("GET", "/v1/services/local/channels/multi", 200, contains: ["\"mode\":\"multithread\""]),
        Scenario("GET", "/v1/services/local/channels/none", 404, code: "unknownChannel"),
        Scenario("GET", "/v1/services/none/channels/multi", 404, code: "unknownService"),
        Scenario("GET", "/v1/streams", 200, contains: ["\"items\":[]"]),
        Scenario("GET", "/v1/log", 200, contains: ["{\"level\":\"info\",\"verbosity\":\"simple\"}"]),
        Scenario("PUT", "/v1/log", 200, body: "{\"level\":\"debug\"}", contains: ["\"level\":\"debug\""]),
        Scenario("PUT", "/v1/log", 422, body: "{\"level\":\"loud\"}", code: "invalidValue"),
        Scenario("GET", "/livez", 200, as: .nobody, contains: ["ok"], expects: [("Content-Type", "text/plain")]),
        Scenario("GET", "/readyz", 200, as: .nobody, contains: ["ok"]),
        Scenario(
            "GET", "/readyz?verbose", 200, as: .nobody,
            contains: ["{\"name\":\"store\",\"status\":\"ok\"}", "\"sessions\""]),
        Scenario("GET", "/readyz?verbose=maybe", 400, as: .nobody, code: "invalidParameter"),
        Scenario("GET", "/metrics", 401, as: .nobody, code: "unauthorized"),
        Scenario(
            "GET", "/metrics", 200,
            contains: [
                "parley_build_info{version=\"1.2.3\"} 1", "# TYPE parley_log_head gauge", "parley_log_head $HEAD\n",
                "# EOF\n",
            ], expects: [("Content-Type", "application/openmetrics-text")]),
        Scenario(
            "GET", "/auth/status", 200, as: .nobody, contains: ["{\"authenticated\":false,\"methods\":[\"code\"]}"]),
        Scenario("GET", "/auth/status", 200, contains: ["{\"authenticated\":true,\"as\":\"gateway\",\"scopes\":["]),
        Scenario("POST", "/auth/logout", 204, as: .nobody, expects: [("Set-Cookie", "parley_p_$INSTANCE=; Max-Age=0")]),
        Scenario(
            "GET", "/auth/wrong", 410, as: .nobody, contains: ["parley open"], expects: [("Content-Type", "text/html")]),
        Scenario("HEAD", "/auth/wrong", 410, as: .nobody, lacks: ["parley open"]),
        Scenario("POST", "/auth/codes", 201, contains: ["\"url\":\"http://127.0.0.1:", "/auth/", "\"expiresAt\":\""]),
        Scenario("POST", "/auth/codes", 403, as: .session, code: "forbidden"),
        Scenario("GET", "/docs", 200, as: .nobody, contains: ["<h1>"], lacks: ["<script>", "onclick"]),
        Scenario("GET", "/docs/problems/unknownThread", 200, as: .nobody, contains: ["There is no such thread"]),
        Scenario("GET", "/docs/problems/nope", 404, as: .nobody, code: "notFound"),
        // An address that people type leads to the page.
        Scenario("GET", "/docs/", 308, as: .nobody, expects: [("Location", "/docs")]),
        Scenario("GET", "/docs/?q=a%20b", 308, as: .nobody, expects: [("Location", "/docs?q=a%20b")]),
        Scenario(
            "HEAD", "/docs/problems/unknownThread//", 308, as: .nobody,
            expects: [("Location", "/docs/problems/unknownThread")]),
        Scenario("GET", "/desk/", 308, as: .nobody, expects: [("Location", "/desk")]),
        Scenario("GET", "//evil.example/", 404, as: .nobody, code: "notFound"),
        Scenario("POST", "/docs/", 404, as: .nobody, code: "notFound"),
        Scenario("GET", "/metrics/", 404, as: .nobody, code: "notFound"),
        Scenario("GET", "/openapi.json", 404, as: .nobody, code: "notFound"),
    ]

    private static let page = [("Accept", "application/json")]

    static let streams: [Scenario] = [
        Scenario(
            "GET", "/v1/sessions/$S/events", 200, as: .session,
            contains: [
                "retry: 2500\nid: $EPOCH-$HEAD\nevent: ready\ndata: {\"cursor\":\"$EPOCH-$HEAD\",\"state\":\"ready\",\"mode\":\"multithread\"}"
            ], expects: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")], events: ["ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=$EPOCH-0", 200,
            contains: ["id: $EPOCH-$SENT\nevent: message.created\n"],
            events: ["thread.created", "message.created", "thread.updated", "ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events", 200, headers: [("Last-Event-ID", "$EPOCH-$SENT")],
            events: ["thread.updated", "ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=$EPOCH-0&types=message.created,ping", 200,
            events: ["message.created", "ready"]),
        Scenario("GET", "/v1/sessions/$S/events?types=nope", 400, code: "invalidParameter", contains: ["\"?types\""]),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=zz-1", 200,
            contains: ["\"reason\":\"foreignEpoch\"", "\"snapshot\":\"/v1/sessions/$S/threads\""],
            events: ["reset", "ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=$EPOCH-999", 200, contains: ["\"reason\":\"ahead\""],
            events: ["reset", "ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=", 200, contains: ["\"reason\":\"malformed\""],
            events: ["reset", "ready"]),
        Scenario("HEAD", "/v1/sessions/$S/events", 200, expects: [("Content-Type", "text/event-stream")]),
        Scenario(
            "HEAD", "/v1/sessions/$S/events", 200, headers: [("Accept", "application/jsonl")],
            expects: [("Content-Type", "application/jsonl")]),
        Scenario(
            "HEAD", "/v1/sessions/$S/events?wait=50", 200, headers: page,
            expects: [("Content-Type", "application/json"), ("Parley-Cursor", "$EPOCH-$HEAD")]),
        Scenario(
            "GET", "/v1/sessions/$S/events", 406, headers: [("Accept", "text/html")], code: "notAcceptable",
            contains: ["text/event-stream, application/json, application/jsonl, application/x-ndjson"]),
        Scenario(
            "GET", "/v1/sessions/$S/events", 200, as: .session, headers: page,
            contains: ["{\"items\":[],\"cursor\":\"$EPOCH-$HEAD\",\"hasMore\":false}"],
            expects: [
                ("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("Parley-Cursor", "$EPOCH-$HEAD"),
            ]),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=$EPOCH-0&limit=2&types=thread.created,thread.updated,message.created",
            200,
            headers: page,
            contains: [
                "{\"items\":[{\"id\":\"$EPOCH-$CREATED\",\"type\":\"thread.created\",\"data\":{\"actor\":{",
                ",{\"id\":\"$EPOCH-$SENT\",\"type\":\"message.created\",\"data\":{",
                "],\"cursor\":\"$EPOCH-$SENT\",\"hasMore\":true}",
            ],
            expects: [
                (
                    "Link",
                    "</v1/sessions/$S/events?limit=2&types=thread.created%2Cthread.updated%2Cmessage.created&after=$EPOCH-$SENT>; rel=\"next\""
                )
            ]),
        Scenario(
            "GET", "/v1/sessions/$S/events?earliest=true&limit=1", 200, headers: page,
            contains: ["thread.created", "\"hasMore\":true"], expects: [("Link", "?limit=1&after=$EPOCH-$CREATED>")]),
        Scenario(
            "GET", "/v1/sessions/$S/events?last=1", 200, headers: page,
            contains: ["{\"items\":[{\"id\":\"$EPOCH-$HEAD\",\"type\":\"thread.updated\""]),
        Scenario(
            "GET", "/v1/sessions/$S/events?since=2026-03-02T09:15:04.512Z&limit=1", 200, headers: page,
            contains: ["thread.created"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?since=2026-03-02T09:15:04.513Z", 200, headers: page,
            contains: ["{\"items\":[],\"cursor\":\"$EPOCH-$HEAD\""]),
        Scenario("GET", "/v1/sessions/$S/events?last=1", 200, events: ["thread.updated", "ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?last=1&types=message.created", 200, events: ["message.created", "ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?since=2026-03-02T09:15:04Z", 200,
            events: ["thread.created", "message.created", "thread.updated", "ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?earliest=true", 200, headers: [("Last-Event-ID", "$EPOCH-$SENT")],
            events: ["thread.updated", "ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=zz-1&wait=50", 200, headers: page,
            contains: [
                "{\"items\":[],\"cursor\":\"$EPOCH-$HEAD\",\"hasMore\":false,\"reset\":{\"reason\":\"foreignEpoch\",\"snapshot\":\"/v1/sessions/$S/threads\"}}"
            ]),
        Scenario(
            "GET", "/v1/sessions/$S/events?earliest=true", 200, headers: page + [("Prefer", "wait=900")],
            contains: ["thread.created"], expects: [("Preference-Applied", "wait=50")]),
        Scenario(
            "GET", "/v1/events?session=$S&desk=true&after=$EPOCH-$CREATED&limit=1", 200, headers: page,
            contains: ["\"data\":{\"desk\":true,\"actor\":{"]),
        Scenario(
            "GET", "/v1/desk/events?after=$EPOCH-$SENT", 200, headers: page,
            contains: ["\"channel\":\"multi\",\"customer\":{\"id\":\"c1\"}}}}]"], lacks: ["unreadCount\":0"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?wait=25", 400, headers: [("Accept", "text/event-stream")],
            code: "invalidParameter", contains: ["\"?wait\""]),
        Scenario(
            "GET", "/v1/sessions/$S/events?wait=51", 400, headers: page, code: "invalidParameter",
            contains: ["\"?wait\"", "0 to 50"]),
        Scenario("GET", "/v1/sessions/$S/events?limit=501", 400, headers: page, code: "invalidParameter"),
        Scenario("GET", "/v1/sessions/$S/events?last=0", 400, code: "invalidParameter"),
        Scenario("GET", "/v1/sessions/$S/events?since=yesterday", 400, code: "invalidParameter"),
        Scenario(
            "GET", "/v1/sessions/$S/events?after=$EPOCH-0&last=3", 400, code: "invalidParameter",
            contains: ["\"?last\""]),
        Scenario(
            "GET", "/v1/sessions/$S/events?earliest=false&after=$EPOCH-$SENT", 200,
            events: ["thread.updated", "ready"]),
        Scenario(
            "GET", "/v1/sessions/$S/events?collections=true", 400, headers: page, code: "invalidParameter",
            contains: ["\"?collections\""]),
        Scenario("GET", "/v1/sessions/$S/events?holder=h", 400, headers: page, code: "invalidParameter"),
        Scenario("GET", "/v1/events?session=$S&desk=true", 403, as: .session, headers: page, code: "forbidden"),
        Scenario("GET", "/v1/sessions/none/events", 404, code: "unknownSession"),
        Scenario(
            "GET", "/v1/events?session=$S", 200, as: .session, contains: ["\"sessions\":{\"$S\":{\"state\":\"ready\""],
            events: ["ready"]),
        Scenario("GET", "/v1/events?session=$S&desk=true", 403, as: .session, code: "forbidden"),
        Scenario(
            "GET", "/v1/events?session=$S&desk=true&after=$EPOCH-$CREATED", 200,
            contains: [
                "data: {\"desk\":true,\"actor\":{",
                "data: {\"sessions\":[\"$S\"],\"desk\":true,\"channel\":\"multi\",\"customer\":{\"id\":\"c1\"},\"threadId\":\"t1\"",
            ], events: ["thread.created", "message.created", "thread.updated", "ready"]),
        Scenario("GET", "/v1/events", 400, code: "invalidParameter"),
        Scenario("GET", "/v1/events?desk=maybe", 400, code: "invalidParameter"),
        Scenario(
            "GET", "/v1/desk/events?after=$EPOCH-$SENT", 200,
            contains: ["\"channel\":\"multi\",\"customer\":{\"id\":\"c1\"}}}\n"],
            lacks: ["unreadCount\":0", "sessions"], events: ["thread.updated", "ready"]),
        Scenario("GET", "/v1/desk/events", 403, as: .session, code: "forbidden"),
    ]
}
