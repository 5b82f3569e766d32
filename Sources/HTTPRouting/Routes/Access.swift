/// Who may use a route.
package enum Access: Sendable {
    /// Everybody.
    case open
    /// Whoever has a valid token, a session's or the gateway's.
    case token
    /// The gateway's token, or that of the session that the path's parameter `session` names.
    case session
    /// The gateway's token alone.
    case gateway
}

/// Who makes a request.
package enum Identity: Sendable, Hashable {
    /// Nobody in particular: no token, on a route that needs none.
    case nobody
    /// The gateway's token, or the page cookie.
    case gateway
    /// The token of a session.
    case session(String)

    /// For scopes of idempotency keys: the same for all tokens of one holder.
    var name: String {
        switch self {
        case .nobody: "nobody"
        case .gateway: "gateway"
        case .session(let id): "session:\(id)"
        }
    }
}
