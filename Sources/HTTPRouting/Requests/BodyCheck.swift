import MicroHTTP

/// The checks on a body before a handler reads it.
package enum BodyCheck {
    /// Checks the content coding, `Content-Type` and the size. It works on the head alone and on a complete request,
    /// and does nothing for GET. Streamed and foreign bodies have rules of their own for all but the coding.
    ///
    /// - Parameter limit: bytes.
    /// - Throws: `unsupportedMediaType` for a body in a coding, and unless it is `application/json` (for PATCH also
    ///   `application/merge-patch+json`, RFC 7396); `bodyTooLarge`.
    @inlinable
    package static func head<Context>(_ request: HTTPRequest, for route: Route<Context>, limit: Int) throws(Problem) {
        if route.method == .get { return }
        try coding(request)
        switch route.body {
        case .streamed, .foreign: return
        case .none, .optionalJSON, .json: try head(request, isPatch: route.method == .patch, limit: limit)
        }
    }

    /// Refuses a body in a content coding, such as gzip: nothing here unpacks it, and packed bytes must not be taken
    /// for what they show. Throws `unsupportedMediaType` with `Accept-Encoding` (RFC 9110, 12.5.3).
    @usableFromInline
    static func coding(_ request: HTTPRequest) throws(Problem) {
        guard request.headers["Content-Encoding"] != nil else { return }
        let codings = request.headers.all("Content-Encoding").flatMap { $0.split(separator: ",") }.map(\.trimmed)
        guard let coding = codings.first(where: { !$0.isEmpty && $0.lowercased() != "identity" }) else { return }
        throw Problem(
            .unsupportedMediaType,
            "The body is in the coding \(coding.prefix(64)). Send it as it is, without Content-Encoding.",
            headers: [("Accept-Encoding", "identity")])
    }

    @usableFromInline
    static func head(_ request: HTTPRequest, isPatch: Bool, limit: Int) throws(Problem) {
        let announced = request.headers["Content-Length"].flatMap { Int($0) } ?? 0
        let isChunked = request.headers["Transfer-Encoding"] != nil
        guard announced > 0 || isChunked || !request.body.isEmpty else { return }
        let type = request.headers["Content-Type"]
        guard let type, isJSON(type, isPatch: isPatch) else {
            let came = type.map { " It came as \($0.prefix(64))." } ?? " It came without a type."
            let accepted = isPatch ? ("Accept-Patch", Self.patchTypes) : ("Accept", "application/json")
            throw Problem(
                .unsupportedMediaType, "The body must be JSON, with Content-Type: application/json.\(came)",
                headers: [accepted])
        }
        if max(announced, request.body.count) > limit {
            throw Problem(.bodyTooLarge, "The body has more than \(limit) bytes.")
        }
    }

    /// Checks the body of a route that takes none: it may be empty or an object without members. Throws
    /// `unknownMember`, `invalidValue` or `invalidJSON`.
    @inlinable
    package static func emptiness<Context>(_ call: Call<Context>) throws(Problem) {
        guard case .none = call.route.body, call.route.method != .get, !call.request.body.isEmpty else { return }
        try emptiness(call.request)
    }

    @usableFromInline
    static func emptiness(_ request: HTTPRequest) throws(Problem) {
        var reader = ObjectReader(try request.json())
        reader.finish()
        if !reader.problems.isEmpty { throw Problem(items: reader.problems) }
    }

    /// Compares the body, which is complete, with the digests that its head announces; nothing is computed without
    /// them. A body that went to a sink is the sink's to compare. Throws `digestMismatch` and `invalidHeader`.
    package static func digest(_ request: HTTPRequest) throws(Problem) {
        if request.sink != nil { return }
        for name in DigestField.Name.allCases where request.headers[name.rawValue] != nil {
            let field = try DigestField(name, of: request)
            if field.isEmpty { continue }
            var digest = BodyDigest(needsSHA512: field.needsSHA512)
            digest.update(request.body)
            try field.check(digest.finish())
        }
    }

    /// What the body of a PATCH may be, for `Accept-Patch` (RFC 5789, 3.1). Both have the meaning of a merge patch.
    package static let patchTypes = "application/merge-patch+json, application/json"

    /// Whether the type is one of those that the operation takes, with any parameters and in any case.
    private static func isJSON(_ type: String, isPatch: Bool) -> Bool {
        if type == "application/json" { return true }
        let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return essence == "application/json" || isPatch && essence == "application/merge-patch+json"
    }
}
