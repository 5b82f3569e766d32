import MicroHTTP

/// The checks on a body before a handler reads it.
package enum BodyCheck {
    /// Checks `Content-Type` and the size. It works on the head alone and on a complete request, and does nothing for
    /// GET and for streamed or foreign bodies, which have rules of their own.
    ///
    /// - Parameter limit: bytes.
    /// - Throws: `unsupportedMediaType` unless a body is `application/json`, and `bodyTooLarge`.
    @inlinable
    package static func head<Context>(_ request: HTTPRequest, for route: Route<Context>, limit: Int) throws(Problem) {
        if route.method == .get { return }
        switch route.body {
        case .streamed, .foreign: return
        case .none, .optionalJSON, .json: try head(request, limit: limit)
        }
    }

    @usableFromInline
    static func head(_ request: HTTPRequest, limit: Int) throws(Problem) {
        let announced = request.headers["Content-Length"].flatMap { Int($0) } ?? 0
        let isChunked = request.headers["Transfer-Encoding"] != nil
        guard announced > 0 || isChunked || !request.body.isEmpty else { return }
        let type = request.headers["Content-Type"]
        guard let type, isJSON(type) else {
            let came = type.map { " It came as \($0.prefix(64))." } ?? " It came without a type."
            throw Problem(
                .unsupportedMediaType, "The body must be JSON, with Content-Type: application/json.\(came)",
                headers: [("Accept", "application/json")])
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

    /// Whether the type is `application/json`, with any parameters and in any case. `application/merge-patch+json` is
    /// not accepted.
    private static func isJSON(_ type: String) -> Bool {
        if type == "application/json" { return true }
        let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return essence == "application/json"
    }
}
