import MicroHTTP

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
