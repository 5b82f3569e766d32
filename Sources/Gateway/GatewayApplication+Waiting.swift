import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// The gate in front of a store that may have to be waited for, such as a database behind a network. The loop's thread
/// reads nothing from it: a request that needs a session which is not in memory waits at its head.
extension GatewayApplication {
    /// Admits a request. It waits only if its token's or its path's session has to come from the store, or if the route
    /// takes a file, because which files are allowed may have to be read.
    func admitWaiting(_ head: inout HTTPRequest) -> HTTPAdmission {
        let findings = found(before: head) ?? Findings(head, table.match(head.path))
        head.findings = findings
        let credentials = Credentials(core: core)
        do throws(Problem) {
            if findings.checked == nil {
                guard let placed = try place(head, findings.match) else { return admission(of: head, findings) }
                guard !mustRead(for: head, placed.route, findings, credentials) else {
                    return waiting(head, findings, credentials)
                }
                findings.checked = try check(head, findings.match, credentials)
            }
        } catch {
            findings.problem = error
        }
        guard findings.problem == nil, case .streamed? = findings.checked?.route.body else {
            return admission(of: head, findings)
        }
        return .later { [self, head] in await aside(head, findings) }
    }

    /// Whether a session of the request has to be read before the request can be checked.
    private func mustRead(
        for head: HTTPRequest, _ route: Route, _ findings: Findings, _ credentials: Credentials
    ) -> Bool {
        if case .open = route.access { return false }
        if credentials.unreadSession(of: head) != nil { return true }
        let session = findings.match?.parameters["session"] ?? ""
        return !session.isEmpty && core.sessions.client(session) == nil
    }

    /// Checks the request in a task, and restores the sessions that it needs, but only when its token is good for them.
    private func waiting(_ head: HTTPRequest, _ findings: Findings, _ credentials: Credentials) -> HTTPAdmission {
        .later { [self] in
            do {
                let credentials = try await credentials.reading(for: head)
                var checked = try check(head, findings.match, credentials)
                let session = checked?.parameters["session"] ?? ""
                if case .session(let own)? = checked?.holder.identity, own != session {
                    _ = try await core.sessions.begun(own)
                }
                if !session.isEmpty { checked?.returning = try await core.sessions.begun(session) }
                findings.checked = checked
            } catch {
                findings.problem = Problem.from(error)
            }
            if findings.problem == nil, case .streamed? = findings.checked?.route.body {
                return await aside(head, findings)
            }
            return admission(of: head, findings)
        }
    }

    /// The admission, on a thread that may wait for the store.
    private func aside(_ head: HTTPRequest, _ findings: Findings) async -> HTTPAdmission {
        do {
            return try await core.store.readingAside { [self] in admission(of: head, findings) }
        } catch {
            findings.problem = Problem.from(error)
            return admission(of: head, findings)
        }
    }
}
