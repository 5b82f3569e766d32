import Formats

/// A problem as it is answered (RFC 9457), thrown by routes.
package struct Problem: Error, Sendable {
    /// One thing that is wrong with a request.
    package struct Item: Sendable, Equatable {
        /// A JSON Pointer into the body (RFC 6901), or `?name` for a query parameter.
        package var pointer: String
        package var kind: ProblemKind
        package var detail: String

        package init(_ kind: ProblemKind, pointer: String, _ detail: String) {
            self.kind = kind
            self.pointer = pointer
            self.detail = detail
        }

        package init(_ problem: HTTPProblem, pointer: String, _ detail: String) {
            self.init(ProblemKind(problem), pointer: pointer, detail)
        }
    }

    package var kind: ProblemKind
    /// The answer's status: the kind's, but for the few cases where the place decides.
    package var status: Int
    package var detail: String?
    package var items: [Item]
    /// Seconds after which a repetition makes sense.
    package var retryAfter: Int?
    /// Further headers of the answer (`Allow`, `Accept`, `WWW-Authenticate`).
    package var headers: [(String, String)]

    package init(
        _ problem: HTTPProblem, _ detail: String? = nil, items: [Item] = [], retryAfter: Int? = nil,
        headers: [(String, String)] = []
    ) {
        self.init(kind: ProblemKind(problem), detail: detail, items: items, retryAfter: retryAfter, headers: headers)
    }

    package init(
        kind: ProblemKind, detail: String?, items: [Item] = [], retryAfter: Int? = nil, headers: [(String, String)] = []
    ) {
        self.kind = kind
        self.status = kind.status
        self.detail = detail
        self.items = items
        self.retryAfter = retryAfter
        self.headers = headers
    }

    /// Several things that are wrong with a body; the first gives the kind.
    package init(items: [Item]) {
        let kind = items.first?.kind ?? ProblemKind(.invalidValue)
        self.init(kind: kind, detail: items.first?.detail, items: items)
    }

    /// A query parameter with a value that is not taken: 400, as all problems of a query are.
    package static func parameter(_ name: String, _ detail: String) -> Problem {
        var problem = Problem(.invalidParameter, detail, items: [Item(.invalidParameter, pointer: "?\(name)", detail)])
        problem.status = 400
        return problem
    }

    /// The problem's JSON.
    /// - Parameters:
    ///   - base: where the documentation is, `http://<host>`.
    ///   - requestID: the value of `X-Request-Id`.
    package func json(base: String, requestID: String) -> [UInt8] {
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
                json.member("code", item.kind.code)
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
