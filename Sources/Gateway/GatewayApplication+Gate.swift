import ChatModel
import HTTPRouting
import MicroHTTP

/// The gate: what a request's head must fulfil before a handler runs.
extension GatewayApplication {
    /// What was found out about a request's head. A head that the server itself refused did not come to the gate.
    func findings(_ request: HTTPRequest) -> Findings {
        request.findings as? Findings ?? Findings(request, table.match(request.path))
    }

    /// What was found out about the same head when it came before on this connection, if it still holds: of what lets a
    /// request pass, only the token's validity can change.
    func found(before head: HTTPRequest) -> Findings? {
        guard let found = head.findings as? Findings, let checked = found.checked,
            core.tokens.isCurrent(checked.holder)
        else { return nil }
        return found
    }

    /// Finds out what the gate has to say about a request.
    func check(_ request: HTTPRequest) -> Findings {
        let findings = Findings(request, table.match(request.path))
        do throws(Problem) {
            findings.checked = try check(request, findings.match, Credentials(core: core))
        } catch {
            findings.problem = error
        }
        return findings
    }

    /// The gate: checks host, origin, route, method and token, in this order. Nil for OPTIONS, which needs no token.
    func check(
        _ request: HTTPRequest, _ match: RouteTable<GatewayCore>.Match?, _ credentials: Credentials
    ) throws(Problem) -> Findings.Checked? {
        guard let placed = try place(request, match), let match else { return nil }
        let holder = try credentials.holder(of: request, for: placed.route, parameters: match.parameters)
        var checked = Findings.Checked(placed: placed, parameters: match.parameters, holder: holder)
        let session = match.parameters["session"]
        guard !session.isEmpty, core.sessions.client(session)?.isReturning != false else { return checked }
        do {
            // Where reads may wait, a task has restored the session before.
            checked.returning = core.readsWait ? core.sessions.client(session) : try core.sessions.session(session)
        } catch {
            throw Problem(error)
        }
        return checked
    }

    /// The part of the gate that needs no token: host, origin, route and method. Nil for OPTIONS.
    func place(
        _ request: HTTPRequest, _ match: RouteTable<GatewayCore>.Match?
    ) throws(Problem) -> PlacedRoute<GatewayCore>? {
        if let host = request.headers["Host"], !host.isEmpty {
            guard core.hosts.contains(host, peer: request.peer) else {
                throw Problem(
                    .misdirectedHost,
                    "The gateway does not answer for \(host.prefix(64)); start it with --allow-host to add a name.")
            }
            try OriginCheck.check(request, host: host, hosts: core.hosts, isShared: match?.isShared ?? false)
        } else if match?.placed(.get)?.route.isProbe != true {
            // HTTP/1.0 needs no Host, and balancers that speak it send none. A probe tells nothing of the chat.
            throw Problem(.hostHeader, "The request has no Host header.")
        }
        if request.method == "OPTIONS", request.path == "*" { return nil }
        guard let match else { throw Problem(.notFound, "No route has this path.") }
        if request.method == "OPTIONS" { return nil }
        guard let method = Method(rawValue: request.method == "HEAD" ? "GET" : request.method),
            let placed = match.placed(method)
        else {
            throw Problem(
                .methodNotAllowed, "The path has only these methods: \(match.allow).", headers: [("Allow", match.allow)]
            )
        }
        return placed
    }

    /// The address of the page that is meant by one with slashes at its end, which people type; nil for other addresses.
    /// In the API such a slash makes another address.
    func pageAddress(meantBy request: HTTPRequest) -> String? {
        let path = String(request.path.reversed().drop { $0 == "/" }.reversed())
        guard path != request.path, ["GET", "HEAD"].contains(request.method), !path.hasPrefix("/v1/"),
            case .open? = table.match(path)?.placed(.get)?.route.access
        else { return nil }
        return path + (request.target.firstIndex(of: "?").map { request.target[$0...] } ?? "")
    }

    /// 204 with the methods of the path; for a shared path also what a CORS preflight asks.
    func options(_ request: HTTPRequest) -> HTTPResponse {
        let match = findings(request).match
        let allow = match?.allow ?? "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        let preflight = match?.isShared == true ? CrossOrigin.preflight(request, methods: allow) : []
        let patch = match?.placed(.patch) == nil ? [] : [("Accept-Patch", BodyCheck.patchTypes)]
        return HTTPResponse(status: 204, headers: [("Allow", allow)] + patch + preflight)
    }
}
