import Formats
import Gateway
import HTTPRouting
import MicroHTTP

/// The newest requests, for the gateway's token alone.
struct RequestRoutes: RouteGroup {
    private static let list = "/v1/requests"

    var routes: [Route] {
        let routes = [
            Route(
                .get, Self.list, "listRequests", access: .scope(.inspectRead), query: .only(Call.recentQuery + ["id"]),
                handler: .stream { call in
                    let wanted = try call.query.text("id", length: 1...128)
                    let requests = call.core.requests
                    return try call.recent(requests.recent, on: call.core.clock) { record in
                        wanted == nil || wanted == requests.id(of: record)
                    } more: { _, json in
                        json.name("capture")
                        Self.encode(requests.capture, to: &json)
                    } write: { number, record, json in
                        json.beginObject()
                        record.encode(number: number, id: requests.id(of: record), to: &json)
                        json.endObject()
                    }
                }),
            Route(
                .get, "\(Self.list)/{request}", "getRequest", access: .scope(.inspectRead),
                handler: .now { call in
                    guard let number = Int(digits: call.parameters["request"]),
                        let record = call.core.requests.recent.item(number)
                    else { throw Problem(.notFound, "This request is not remembered, or not any more.") }
                    return Self.answer(record, number, call)
                }),
            Route(
                .put, "\(Self.list)/capture", "captureRequests", access: .scope(.inspectWrite), body: .json,
                handler: .aside { call in
                    let body: CaptureBody = try call.body()
                    let capture = call.core.requests.capture
                    capture.run(minutes: body.minutes)
                    return call.json { Self.encode(capture, to: &$0) }
                }
            ).audited(as: "capture.changed"),
        ]
        return routes.map { $0.traced(.none) }
    }

    /// One request with its bodies, as far as they are kept, and the line that makes it again.
    private static func answer(_ record: RequestRecord, _ number: Int, _ call: Call) -> HTTPResponse {
        let bodies = call.core.requests.capture.bodies(of: record.request)
        let curl = CurlLine(record, body: bodies?.request, key: call.core.environment.makeID)
        return call.json(headers: [("Cache-Control", "no-store")]) { json in
            json.beginObject()
            record.encode(number: number, id: call.core.requests.id(of: record), to: &json)
            json.member("curl", curl.text(origin: call.request.origin))
            if curl.body == "" { json.member("needsBody", true) }
            for (name, body) in [("requestBody", bodies?.request), ("answerBody", bodies?.answer)] {
                guard let body else { continue }
                json.name(name)
                json.beginObject()
                json.member("text", body.text)
                json.member("size", body.size)
                json.endObject()
            }
            json.endObject()
        }
    }

    private static func encode(_ capture: RequestCapture, to json: inout JSONWriter) {
        let (until, byteCount) = capture.status
        json.beginObject()
        if let until { json.member("until", until) }
        json.member("bytes", byteCount)
        json.endObject()
    }
}

/// `{"minutes"}`: how long bodies are kept; 0 ends it.
struct CaptureBody: RequestBody {
    let minutes: Int

    init(reading object: inout ObjectReader) {
        minutes = object.requiredInteger("minutes", in: 0...60)
    }
}

/// A request as a line for a shell that makes it again. The token is not in it: the shell asks for it.
struct CurlLine {
    let method: String
    /// Path and query as they came.
    let target: String
    let hasToken: Bool
    var accept: String?
    /// A new key for a request that writes: whoever runs the line twice has one effect.
    var idempotencyKey: String?
    var contentType: String?
    /// Nil: no body. An empty text: the shell's standard input.
    var body: String?

    /// - Parameter origin: where the gateway is, `http://<host>`.
    func text(origin: String) -> String {
        var words = ["curl", "-sS"]
        if method == "HEAD" { words.append("-I") } else if method != "GET" { words += ["-X", method] }
        // curl reads brackets and braces as patterns otherwise.
        if target.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("-g") }
        words.append(Self.quoted(origin + target))
        if hasToken { words += ["-H", "\"Authorization: Bearer $(parley token)\""] }
        for (name, value) in [
            ("Accept", accept), ("Idempotency-Key", idempotencyKey), ("Content-Type", contentType),
        ] {
            if let value { words += ["-H", Self.quoted("\(name): \(value)")] }
        }
        if let body { words += body.isEmpty ? ["--data-binary", "@-"] : ["--data-raw", Self.quoted(body)] }
        return words.joined(separator: " ")
    }

    /// The text as one word of a POSIX shell.
    static func quoted(_ text: String) -> String {
        // By bytes: a quote and an accent after it are one character.
        let inner = text.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array("'\\''".utf8) : [$0] }
        return "'\(String(decoding: inner, as: UTF8.self))'"
    }
}

extension CurlLine {
    /// The body as it may be pasted into a terminal; nil if it may not. A shell's line editor obeys control characters
    /// between quotes, too, and no word of a shell has a NUL.
    private static func pasted(_ body: String) -> String? {
        let hasControls = body.utf8.contains { ($0 < 0x20 && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\t")) }
        return hasControls ? nil : body.shownSafelyInJSON
    }

    /// The line for a request that is remembered.
    ///
    /// - Parameters:
    ///   - body: the request's body, if it was kept.
    ///   - key: makes a new idempotency key.
    init(_ record: RequestRecord, body: RequestCapture.Body?, key: () -> String) {
        method = record.method
        target = String(decoding: record.target.bytes, as: UTF8.self).escapingScalars { scalar in
            scalar.isObeyed ? String(scalar).percentEncoded : nil
        }
        hasToken = record.route.map { $0.access != .open } ?? false
        let isWriting = !["GET", "HEAD", "OPTIONS"].contains(method)
        if isWriting, method == "POST", record.route?.idempotency.hasEffect == true { idempotencyKey = key() }
        // A feed has several forms, and curl would get a stream that does not end. A feed without pages has no `wait`.
        if case .only(let names, _, _)? = record.route?.query, record.route?.isStream == true, !isWriting,
            names.contains("wait")
        {
            accept = "application/json"
        }
        guard isWriting, record.received > 0 else { return }
        if case .streamed? = record.route?.body {
            contentType = "application/octet-stream"
        } else {
            contentType = "application/json"
        }
        self.body = body.flatMap { $0.isWhole ? Self.pasted($0.text) : nil } ?? ""
    }
}
