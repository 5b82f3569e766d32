import MicroHTTP

/// The headers that every answer has, whatever it is.
package enum SecurityHeaders {
    /// Pages load from here alone, and nobody frames them.
    package static let pagePolicy = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    /// Data is no document: should a browser show it as one, nothing in it may run.
    package static let dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

    private static let fixed: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]

    package static func complete(_ answer: inout HTTPResponse, requestID: String) {
        var hasPolicy = false
        var hasCaching = false
        var isShared = false
        for header in answer.headers {
            if header.0 == "Content-Security-Policy" { hasPolicy = true }
            if header.0 == "Cache-Control" { hasCaching = true }
            if header.0 == CrossOrigin.allowOrigin { isShared = true }
        }
        answer.headers.append(contentsOf: fixed)
        answer.headers.append(("Cross-Origin-Resource-Policy", isShared ? "cross-origin" : "same-origin"))
        if !hasPolicy { answer.headers.append(("Content-Security-Policy", dataPolicy)) }
        if !hasCaching { answer.headers.append(("Cache-Control", "no-store")) }
        answer.headers.append(("X-Request-Id", requestID))
    }
}
