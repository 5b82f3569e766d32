import MicroHTTP

/// What lets a page of another origin read an answer (CORS). Only shared routes say it, and only to origins that
/// passed the check.
package enum CrossOrigin {
    static let allowOrigin = "Access-Control-Allow-Origin"

    /// With credentials, so it names the origin itself.
    package static func share(_ answer: inout HTTPResponse, with origin: String) {
        answer.headers += [(allowOrigin, origin), ("Access-Control-Allow-Credentials", "true"), ("Vary", "Origin")]
    }

    /// What else a pre-flight is told: any header, since with credentials `*` would mean none.
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
