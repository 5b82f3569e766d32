import ChatModel
import HTTPRouting
import MicroHTTP

/// What every answer passes on its way out: headers, problem documents and the request's id.
extension GatewayApplication {
    /// Adds the CORS and security headers. Every answer passes here exactly once.
    func complete(_ answer: HTTPResponse, _ request: HTTPRequest?) -> HTTPResponse {
        var answer = answer
        if core.requests.capture.isRunning, let request {
            core.requests.capture.keep(answer, to: request, findings(request).placed?.route)
        }
        if let request, let origin = request.headers["Origin"], findings(request).match?.isShared == true {
            CrossOrigin.share(&answer, with: origin)
        }
        SecurityHeaders.complete(&answer, requestID: requestID(request))
        return answer
    }

    /// Any error as a problem. Those with 5xx are logged, because the answer tells nothing of their cause; not a place that
    /// was not free, of which the answer tells all.
    func problem(_ error: any Error, _ request: HTTPRequest) -> Problem {
        let problem = Problem.from(error)
        // Nobody waits for the answer of a task that was cancelled.
        if problem.status >= 500, problem.kind.code != HTTPProblem.tooManyRequests.rawValue, !Task.isCancelled {
            let cause =
                (error as? ChatError).map { "\($0.code.rawValue): \($0.detail)" }
                ?? (error is Problem ? "\(problem.kind.code): \(problem.detail ?? "")" : "\(error)")
            core.logger.error("request failed", metadata: ["request_id": "\(requestID(request))", "error": "\(cause)"])
        }
        return problem
    }

    /// A problem as `application/problem+json`, with its own headers and `Retry-After`.
    func answer(_ problem: Problem, to request: HTTPRequest?) -> HTTPResponse {
        if problem.kind == ProblemKind(.notFound), let request, let address = pageAddress(meantBy: request) {
            return complete(HTTPResponse(status: 308, headers: [("Location", address)]), request)
        }
        core.requests.note(problem, for: request)
        let body = problem.json(base: base(request), requestID: requestID(request))
        var headers = [("Content-Type", "application/problem+json")] + problem.headers
        if let seconds = problem.retryAfter { headers.append(("Retry-After", "\(seconds)")) }
        return complete(HTTPResponse(status: problem.status, headers: headers, body: .bytes(body)), request)
    }

    /// Where the documentation is, by the host that the client used; by an own address if that host cannot be trusted
    /// in a URL.
    private func base(_ request: HTTPRequest?) -> String {
        if let request, let host = request.headers["Host"], host.utf8.count <= 255,
            core.hosts.contains(host, peer: request.peer),
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\"") })
        {
            return request.origin
        }
        for case .tcp(let host, let port) in core.life.loop?.addresses ?? [] {
            return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
        return "http://localhost"
    }

    /// The client's own `X-Request-Id` if it has one; otherwise the run and the request's number.
    func requestID(_ request: HTTPRequest?) -> String {
        guard let request else { return Self.requestID(runID, 0) }
        let own = (request.findings as? Findings).map(\.ownID) ?? Findings.ownID(request)
        return own ?? Self.requestID(runID, request.number)
    }

    static func requestID(_ run: String, _ number: UInt64) -> String {
        "\(run)-\(String(number, radix: 16))"
    }
}
