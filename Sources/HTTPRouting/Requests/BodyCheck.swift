import MicroHTTP

/// What is wrong with a body before it is read as anything.
package enum BodyCheck {
    /// Its type, then its announced size.
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

    /// A route that takes no body takes an object without members at most.
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

    /// `application/json`, whatever its parameters and case; merge patches are JSON too.
    private static func isJSON(_ type: String) -> Bool {
        let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return essence == "application/json"
    }
}
