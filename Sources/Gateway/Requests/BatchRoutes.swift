import Formats
import HTTPRouting
import MicroHTTP

/// Several requests as one, for whoever is at the end of a slow line.
///
/// Each is checked, answered, counted and remembered as if it had come alone, with the credential of the whole
/// (``GatewayApplication/answer(_:room:)``). One is answered after the other: so a batch takes no more of the gateway at a time
/// than any request, and what stands first happens first.
struct BatchRoutes: RouteGroup {
    /// In bytes of answers. When there are more, the rest is not carried out.
    static let answerLimit = 1 << 20
    /// The same where a part writes: the server gives an answer of this length also when its memory is full. What was done
    /// must be told.
    static let writingLimit = 60 << 10

    var routes: [Route] {
        [
            Route(
                .post, "/v1/batch", "runBatch", access: .known, body: .json,
                handler: .aside { call in
                    let batch: Batch = try call.body()
                    guard let application = call.core.life.application else { throw Problem(.internalError) }
                    var json = JSONWriter(reservingCapacity: 16 << 10)
                    json.beginObject()
                    json.name("items")
                    json.beginArray()
                    let limit = batch.requests.allSatisfy(\.isReading) ? Self.answerLimit : Self.writingLimit
                    for (index, part) in batch.requests.enumerated() {
                        // Whoever waits no more gets no answer: what was not begun is not done.
                        if Task.isCancelled { break }
                        let (request, room) = (part.request(index, of: call), max(0, limit - json.bytes.count))
                        let answer =
                            part.isReading
                            ? await application.answer(request, room: room)
                            // A write that has begun ends, also when its client leaves.
                            : await Task { await application.answer(request, room: room) }.value
                        json.batchedAnswer(answer)
                    }
                    json.endArray()
                    json.endObject()
                    return call.json(json.bytes)
                }
            ).forCustomers().traced(.secret).endingWithClient()
        ]
    }
}

/// `{"requests"}`.
struct Batch: RequestBody {
    private static let count = 1...20
    let requests: [BatchedRequest]

    init(reading object: inout ObjectReader) {
        requests = object.objects(object.required("requests"), "requests", count: Self.count) ?? []
    }
}

/// `{"method","path","body"?,"idempotencyKey"?,"ifMatch"?}`
struct BatchedRequest: RequestBody {
    private static let pathLength = 1...8192
    private let method: Method?
    /// Whether it changes nothing.
    var isReading: Bool { method == .get }
    private let target: String
    private let body: JSONValue?
    /// By the names of their headers.
    private let headers: [(String, String)]

    init(reading object: inout ObjectReader) {
        method = object.requiredChoice("method", of: Method.allCases)
        target = object.requiredString("path", length: Self.pathLength)
        body = object.optional("body")
        var headers: [(String, String)] = []
        for (member, header) in [("idempotencyKey", "Idempotency-Key"), ("ifMatch", "If-Match")] {
            guard let text = object.optionalString(member, length: 1...255) else { continue }
            if !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
                object.reject(member, "a text of printable ASCII characters was expected")
            }
            headers.append((header, text))
        }
        self.headers = headers
        let isPath = target.hasPrefix("/v1/") && target.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x23 }
        if !target.isEmpty, !isPath {
            object.reject("path", "a path below /v1/ was expected, and its query, as they would be requested")
        }
    }

    /// Headers of the batch that describe its own body or its own answer. Its requests do not get them.
    private static let ofBatch: Set<String> = [
        "accept", "accept-encoding", "connection", "content-digest", "content-disposition", "content-encoding",
        "content-length", "content-type", "digest", "expect", "idempotency-key", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "last-event-id", "prefer", "range", "repr-digest", "te",
        "transfer-encoding", "upgrade", "x-request-id",
    ]

    /// Characters of the batch's id that its requests' ids begin with: with a position, an id has 128 at most.
    private static let idLength = 125

    /// The request as it would have come alone. Its id is that of the batch with its position.
    func request(_ index: Int, of batch: Call) -> HTTPRequest {
        let whole = batch.request
        let id = "\((batch.core.life.application?.requestID(whole) ?? "").prefix(Self.idLength)).\(index + 1)"
        var fields = whole.headers.filter { !Self.ofBatch.contains($0.name.lowercased()) }.map { ($0.name, $0.value) }
        fields += [("Accept", "application/json"), ("X-Request-Id", id)] + headers
        var bytes: [UInt8] = []
        if let body {
            fields.append(("Content-Type", "application/json"))
            var json = JSONWriter()
            json.value(body)
            bytes = json.bytes
        }
        return HTTPRequest(
            method: method?.rawValue ?? "", target: target, headers: fields, body: bytes, peer: whole.peer,
            number: 1 << 63 | whole.number << 8 | UInt64(index + 1))
    }
}

extension JSONWriter {
    /// `{"status","location"?,"version"?,"retryAfter"?,"body"?}`
    fileprivate mutating func batchedAnswer(_ answer: HTTPResponse) {
        func header(_ name: String) -> String? { answer.headers.first { $0.0 == name }?.1 }
        beginObject()
        name("status")
        value(answer.status)
        if let location = header("Location") { member("location", location) }
        if let version = header("ETag") { member("version", version) }
        if let seconds = header("Retry-After").flatMap({ Int($0) }) { member("retryAfter", seconds) }
        if case .bytes(let bytes) = answer.body, !bytes.isEmpty {
            name("body")
            raw(bytes)
        }
        endObject()
    }
}
