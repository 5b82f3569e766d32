import Chat
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
    /// request pass, only the credential's validity can change: the scopes and channels of a key stay as they are. Those of
    /// a person do not, and a ticket is not in the head any more.
    func found(before head: HTTPRequest) -> Findings? {
        guard let found = head.findings as? Findings, found.ticket == nil, found.foreignOrigin == nil,
            let checked = found.checked,
            core.isCurrent(checked.holder)
        else { return nil }
        if case .person = checked.holder.identity { return nil }
        return found
    }

    /// Checks a request's head: host, origin, route, method and token, in this order. Notes in the findings what came of
    /// it; for OPTIONS, which needs no token, nothing.
    ///
    /// - Returns: nil if all that it needs is in memory. Otherwise what restores the sessions of the token and of the
    ///   path, and then decides about the body.
    func check(_ head: HTTPRequest, _ findings: Findings) -> HTTPAdmission? {
        var credentials = Credentials(core: core, ticket: findings.ticket)
        do throws(Problem) {
            guard let route = try place(head, findings), let match = findings.match else { return nil }
            credentials.isForeign = findings.foreignOrigin != nil
            guard !mustRead(for: head, route, match, credentials) else {
                return .later { [self, credentials] in await restore(for: head, findings, route, match, credentials) }
            }
            let checked = try check(head, route, match, credentials)
            try checkTerm(of: checked, findings)
            findings.checked = checked
        } catch {
            findings.problem = error
        }
        return nil
    }

    private func check(
        _ request: HTTPRequest, _ route: Route, _ match: RouteTable<GatewayCore>.Match,
        _ credentials: Credentials
    ) throws(Problem) -> Findings.Checked {
        let (holder, rights) = try credentials.holder(of: request, for: route, parameters: match.parameters)
        var checked = Findings.Checked(
            route: route, parameters: match.parameters, holder: holder, rights: rights)
        if let session = core.sessions.client(match.parameters["session"]) {
            try checkReach(of: holder.identity, to: session, rights)
            if session.isReturning { checked.returning = session }
        }
        return checked
    }

    /// A session of a channel that is not there for the caller does not exist for it. Throws `unknownSession`.
    private func checkReach(of identity: Identity, to session: ChatClient, _ rights: Rights) throws(Problem) {
        guard identity.hasScopes, !rights.reaches(session.channel.id) else { return }
        throw Problem(ChatError.unknownSession(session.id))
    }

    /// Whether the session that asks goes on, and whether a page of this origin may ask for it.
    ///
    /// Throws `unauthorized` for a session that nobody has used for long, `identityExpired` for one whose customer has to be
    /// vouched for again, `originNotAllowed`, and `foreignOrigin` for other credentials from a page of another origin.
    private func checkTerm(of checked: Findings.Checked, _ findings: Findings) throws(Problem) {
        if case .open = checked.route.access { return }
        let origin = findings.foreignOrigin
        guard case .session(let id) = checked.holder.identity, let session = core.sessions.client(id) else {
            if findings.isOnCustomersHost { throw Problem(.notFound, "No route has this path.") }
            guard origin == nil else {
                throw Problem(.foreignOrigin, "A page of another origin uses the token of a session, and no other.")
            }
            return
        }
        if let origin, !session.isEmbedded || !core.visitorSettings.accepts(origin, for: session.channel.id) {
            throw Problem(.originNotAllowed, "The channel is not for pages of \(origin.prefix(256)).")
        }
        guard session.term.kind != .plain else { return }
        let now = core.environment.now()
        if session.hasEnded(at: now) { throw Credentials.sessionEnded }
        if session.term.isUnverified(at: now), !Self.forUnverified.contains(checked.route.operationID) {
            throw Problem.unverified(.identityExpired, "Send a fresh JWT to POST /v1/sessions/\(id)/identity.")
        }
        if session.term.kind == .visitor, Self.notForVisitors.contains(checked.route.operationID) {
            throw Problem(.notAllowed, "A session that a visitor has begun cannot do this.")
        }
    }

    /// What a session still can whose customer has to be vouched for again: just that, and end.
    private static let forUnverified: Set<String> = ["setIdentity", "deleteSession"]

    /// What runs a platform's triggers, or opens the session to a program.
    private static let notForVisitors: Set<String> = ["executeTrigger", "callCustomerAssistant"]

    /// Whether a session of the request has to be read before the request can be checked.
    private func mustRead(
        for head: HTTPRequest, _ route: Route, _ match: RouteTable<GatewayCore>.Match, _ credentials: Credentials
    ) -> Bool {
        if case .open = route.access { return false }
        if credentials.unreadSession(of: head) != nil { return true }
        let session = match.parameters["session"]
        return !session.isEmpty && core.sessions.client(session) == nil
    }

    /// Checks a request, and restores the sessions that it needs, but only when its token is good for them.
    private func restore(
        for head: HTTPRequest, _ findings: Findings, _ route: Route,
        _ match: RouteTable<GatewayCore>.Match, _ credentials: Credentials
    ) async -> HTTPAdmission {
        do {
            var checked = try check(head, route, match, try await credentials.reading(for: head))
            let session = match.parameters["session"]
            if case .session(let own) = checked.holder.identity, own != session {
                _ = try await core.sessions.begun(own)
            }
            if !session.isEmpty {
                checked.returning = try await core.sessions.begun(session)
                if let client = core.sessions.client(session) {
                    try checkReach(of: checked.holder.identity, to: client, checked.rights)
                }
            }
            try checkTerm(of: checked, findings)
            findings.checked = checked
        } catch {
            findings.problem = Problem.from(error)
        }
        let admission = admission(of: head, findings)
        guard case .later(let decide) = admission else { return admission }
        return await decide()
    }

    /// The part of the gate that needs no token: host, origin, route and method. Nil for OPTIONS.
    private func place(_ request: HTTPRequest, _ findings: Findings) throws(Problem) -> Route? {
        let match = findings.match
        if let host = request.headers["Host"], !host.isEmpty {
            guard answers(for: host, request) else {
                throw Problem(
                    .misdirectedHost,
                    "The gateway does not answer for \(host.prefix(64)); start it with --allow-host to add a name.")
            }
            if findings.isOnCustomersHost, !isForCustomers(match) {
                throw Problem(.notFound, "No route has this path.")
            }
            try OriginCheck.refuseAsCode(request)
            findings.foreignOrigin = try sharedOrigin(of: request, match, host: host)
            if findings.foreignOrigin == nil, !isForEveryPage(request, match) {
                try OriginCheck.check(request, host: host, hosts: core.hosts, isShared: match?.isShared ?? false)
            }
        } else if match?.route(.get)?.isProbe != true {
            // HTTP/1.0 needs no Host, and balancers that speak it send none. A probe tells nothing of the chat.
            throw Problem(.hostHeader, "The request has no Host header.")
        }
        if request.method == "OPTIONS", request.path == "*" { return nil }
        guard let match else { throw Problem(.notFound, "No route has this path.") }
        if request.method == "OPTIONS" { return nil }
        guard let method = Method(rawValue: request.method == "HEAD" ? "GET" : request.method),
            let route = match.route(method)
        else {
            throw Problem(
                .methodNotAllowed, "The path has only these methods: \(match.allow).", headers: [("Allow", match.allow)]
            )
        }
        return route
    }

    /// The address of the page that is meant by one with slashes at its end, which people type; nil for other addresses.
    /// In the API such a slash makes another address.
    func pageAddress(meantBy request: HTTPRequest) -> String? {
        let path = String(request.path.reversed().drop { $0 == "/" }.reversed())
        guard path != request.path, ["GET", "HEAD"].contains(request.method), !path.hasPrefix("/v1/"),
            case .open? = table.match(path)?.route(.get)?.access
        else { return nil }
        return path + (request.target.firstIndex(of: "?").map { request.target[$0...] } ?? "")
    }

    /// The origin of a page that is not the gateway's, where the path is one that such pages may use; nil for all others. Throws
    /// `originNotAllowed` for an origin that no channel names.
    private func sharedOrigin(
        of request: HTTPRequest, _ match: RouteTable<GatewayCore>.Match?, host: String
    ) throws(Problem) -> String? {
        guard let text = request.headers["Origin"], match?.isShared != true,
            match?.routes.contains(where: BearerSharing.covers) == true,
            !OriginCheck.isOwn(text, host: host, hosts: core.hosts)
        else { return nil }
        if let route = findings(request).route, !BearerSharing.covers(route) { return nil }
        guard let origin = WebOrigin(text)?.text, core.visitorSettings.accepts(origin) else {
            let isOfVisitors = findings(request).route?.access == .open
            throw Problem(
                isOfVisitors ? .originNotAllowed : .foreignOrigin, "No channel is for pages of \(text.prefix(256)).")
        }
        return origin
    }

    /// Whether the path is a file that the pages of shops load, or the chat in a frame of such a page. It tells nothing of
    /// anybody, and takes no credential.
    private func isForEveryPage(_ request: HTTPRequest, _ match: RouteTable<GatewayCore>.Match?) -> Bool {
        guard request.method == "GET" || request.method == "HEAD", let route = match?.route(.get) else { return false }
        return route.isForEveryPage
    }

    /// Whether customers need the path: their pages, and the API of sessions and visitors.
    private func isForCustomers(_ match: RouteTable<GatewayCore>.Match?) -> Bool {
        guard let match else { return false }
        return match.routes.contains { $0.isForCustomers || BearerSharing.covers($0) }
    }

    /// 204 with the methods of the path; for a shared path also what a CORS preflight asks.
    func options(_ request: HTTPRequest) -> HTTPResponse {
        let match = findings(request).match
        let allow = match?.allow ?? "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        var preflight = match?.isShared == true ? CrossOrigin.preflight(request, methods: allow) : []
        if findings(request).foreignOrigin != nil { preflight = BearerSharing.preflight(request, methods: allow) }
        let patch = match?.route(.patch) == nil ? [] : [("Accept-Patch", BodyCheck.patchTypes)]
        return HTTPResponse(status: 204, headers: [("Allow", allow)] + patch + preflight)
    }
}
