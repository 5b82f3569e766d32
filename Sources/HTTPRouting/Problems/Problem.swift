import ChatModel
import Formats

/// A problem as it is answered (RFC 9457), thrown by routes.
public struct Problem: Error, Sendable {
    /// One thing that is wrong with a request.
    public struct Item: Sendable, Equatable {
        /// A JSON Pointer into the body (RFC 6901), or `?name` for a query parameter.
        public var pointer: String
        public var code: String
        public var detail: String

        public init(pointer: String, code: String, detail: String) {
            self.pointer = pointer
            self.code = code
            self.detail = detail
        }
    }

    public var kind: ProblemKind
    /// The answer's status: the kind's, but for the few cases where the place decides.
    public var status: Int
    public var detail: String?
    public var items: [Item]
    /// Seconds after which a repetition makes sense.
    public var retryAfter: Int?
    /// Further headers of the answer (`Allow`, `Accept`, `WWW-Authenticate`).
    public var headers: [(String, String)]

    public init(
        _ code: GatewayProblem, _ detail: String? = nil, items: [Item] = [], retryAfter: Int? = nil,
        headers: [(String, String)] = []
    ) {
        self.init(kind: ProblemKind(code), detail: detail, items: items, retryAfter: retryAfter, headers: headers)
    }

    init(kind: ProblemKind, detail: String?, items: [Item] = [], retryAfter: Int? = nil, headers: [(String, String)] = []) {
        self.kind = kind
        self.status = kind.status
        self.detail = detail
        self.items = items
        self.retryAfter = retryAfter
        self.headers = headers
    }

    /// A chat's error. One that is about a query parameter is 400, as all problems of a query are.
    public init(_ error: ChatError) {
        self.init(kind: ProblemKind(error.code), detail: error.detail)
        items = error.faults.map { Item(pointer: $0.pointer, code: $0.code.rawValue, detail: $0.detail) }
        if error.pointer?.hasPrefix("?") == true { status = 400 }
        if error.code == .shuttingDown { retryAfter = 5 }
        if error.code == .searchUnavailable { retryAfter = 2 }
    }

    /// Several things that are wrong with a body; the first gives the code.
    init(items: [Item]) {
        let kind = items.first.flatMap { ProblemKind.all[$0.code] } ?? ProblemKind(.invalidValue)
        self.init(kind: kind, detail: items.first?.detail, items: items)
    }

    /// A query parameter with a value that is not taken.
    static func parameter(_ name: String, _ detail: String) -> Problem {
        Problem(ChatError(.invalidParameter, detail, pointer: "?\(name)"))
    }

    /// Whatever a route threw, as a problem. Errors that nobody foresaw tell nothing of their inside.
    static func from(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let error as ChatError: Problem(error)
        default: Problem(.internalError)
        }
    }

    /// The problem's JSON.
    /// - Parameters:
    ///   - base: where the documentation is, `http://<host>`.
    ///   - requestID: the value of `X-Request-Id`.
    func json(base: String, requestID: String) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("type", "\(base)/docs/problems/\(kind.code)")
        json.member("title", kind.title)
        json.member("status", status)
        json.member("code", kind.code)
        json.member("detail", detail.map(Self.bounded))
        json.member("instance", "urn:parley:request:\(requestID)")
        if !items.isEmpty {
            json.name("errors")
            json.beginArray()
            for item in items {
                json.beginObject()
                // In the body a JSON Pointer as a URI fragment (RFC 6901, 6); in the query `?name`.
                json.member("pointer", Self.bounded(item.pointer.hasPrefix("?") ? item.pointer : "#" + item.pointer))
                json.member("code", item.code)
                json.member("detail", Self.bounded(item.detail))
                json.endObject()
            }
            json.endArray()
        }
        if let retryAfter { json.member("retryAfter", retryAfter) }
        json.endObject()
        return json.bytes
    }

    /// A text with words of the request in it: what came in a megabyte must not go back as one.
    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > maximumLength else { return text }
        return String(decoding: text.utf8.prefix(maximumLength), as: UTF8.self) + "..."
    }

    /// Bytes of one text in a problem.
    private static let maximumLength = 1024
}
