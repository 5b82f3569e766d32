import MicroHTTP

extension Route {
    /// Throws `preconditionFailed` for `If-Match` where the route has no version to compare: the request must not be
    /// carried out as if it had come without a condition (RFC 9110, 13.1.1). A route of another protocol decides itself.
    package func checkCondition(of request: HTTPRequest) throws(Problem) {
        guard method != .get, !isVersioned, request.headers["If-Match"] != nil else { return }
        if case .foreign = body { return }
        throw Problem(.preconditionFailed, "\(method.rawValue) \(template) takes no If-Match. Nothing was done.")
    }
}
