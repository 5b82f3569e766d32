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
