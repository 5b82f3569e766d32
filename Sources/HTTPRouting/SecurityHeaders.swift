import MicroHTTP

/// The headers that every answer has, errors included.
package enum SecurityHeaders {
    /// The Content-Security-Policy of the gateway's pages: they load from their own origin only, no page may frame them, and
    /// no text becomes HTML, a script or its address, except by the Trusted Types policy `parley` (`trusted.js`).
    package static let pagePolicy =
        "default-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
        + "require-trusted-types-for 'script'; trusted-types parley"
    /// The Content-Security-Policy of data: if a browser shows it as a document, nothing in it may load or run.
    package static let dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

    private static let fixed: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]

    /// Adds the headers that are missing. A `Content-Security-Policy` or `Cache-Control` of the handler stays; without
    /// one the answer is `no-store`.
    ///
    /// Call it once for each answer, after ``CrossOrigin/share(_:with:)``, whose headers decide the resource policy.
    package static func complete(_ answer: inout HTTPResponse, requestID: String) {
        if case .prepared = answer.body {} else { addShared(to: &answer) }
        answer.headers.append(("X-Request-Id", requestID))
    }

    /// An answer that can be sent again and again, with all the headers that every answer has, except the request's id.
    /// Not for answers to pages of other origins.
    package static func prepared(headers: [(String, String)], body: [UInt8]) -> PreparedResponse {
        var answer = HTTPResponse(status: 200, headers: headers)
        addShared(to: &answer)
        return PreparedResponse(headers: answer.headers, body: body)
    }

    private static func addShared(to answer: inout HTTPResponse) {
        var hasPolicy = false
        var hasCaching = false
        var isShared = false
        var hasResourcePolicy = false
        for header in answer.headers {
            if header.0 == "Content-Security-Policy" { hasPolicy = true }
            if header.0 == "Cache-Control" { hasCaching = true }
            if header.0 == CrossOrigin.allowOrigin { isShared = true }
            if header.0 == "Cross-Origin-Resource-Policy" { hasResourcePolicy = true }
        }
        answer.headers.append(contentsOf: fixed)
        if !hasResourcePolicy {
            answer.headers.append(("Cross-Origin-Resource-Policy", isShared ? "cross-origin" : "same-origin"))
        }
        if !hasPolicy { answer.headers.append(("Content-Security-Policy", dataPolicy)) }
        if !hasCaching { answer.headers.append(("Cache-Control", "no-store")) }
    }
}

/// The CORS headers (Fetch standard) that let a page of another origin read an answer. Only shared routes send them,
/// and only to origins that passed the origin check.
package enum CrossOrigin {
    package static let allowOrigin = "Access-Control-Allow-Origin"

    /// Names the origin itself, because browsers do not accept `*` for requests with credentials.
    package static func share(_ answer: inout HTTPResponse, with origin: String) {
        answer.headers += [(allowOrigin, origin), ("Access-Control-Allow-Credentials", "true"), ("Vary", "Origin")]
    }

    /// The further headers that a preflight request gets; empty for other requests.
    ///
    /// It allows every header that the request names, if the list has at most 1,024 bytes. With credentials, `*` would
    /// be read as the name of a header.
    package static func preflight(_ request: HTTPRequest, methods: String) -> [(String, String)] {
        guard request.headers["Access-Control-Request-Method"] != nil else { return [] }
        var headers = [("Access-Control-Allow-Methods", methods), ("Access-Control-Max-Age", "600")]
        // A longer list would not fit in the answer's head.
        if let names = request.headers["Access-Control-Request-Headers"], names.utf8.count <= 1024 {
            headers.append(("Access-Control-Allow-Headers", names))
        }
        return headers
    }
}
