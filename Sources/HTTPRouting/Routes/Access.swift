import Bounds

/// Which tokens open a route. The application checks it before the handler runs.
package enum Access: Sendable {
    /// No token is needed, and none is looked at: a wrong one is no error.
    case open
    /// The gateway's token, or the token of any session.
    case token
    /// The gateway's token, or that of the session that the path's parameter `session` names.
    case session
    /// The gateway's token only.
    case gateway
}

/// On whose behalf a request is made, as its token says.
package enum Identity: Sendable, Hashable {
    /// No identity was established: the route is ``Access/open``.
    case nobody
    /// The gateway's token, or the page cookie, which has the same rights.
    case gateway
    /// The token of the session with this id.
    case session(String)

    /// In whose share of places it stands.
    package var holder: Holder {
        switch self {
        case .nobody: .nobody
        case .gateway: .root
        case .session(let id): .named(id)
        }
    }

    /// A name for the scope of idempotency keys. It does not depend on the token's text, so a key stays valid when a
    /// token is renewed.
    var name: String {
        switch self {
        case .nobody: "nobody"
        case .gateway: "gateway"
        case .session(let id): "session:\(id)"
        }
    }
}
