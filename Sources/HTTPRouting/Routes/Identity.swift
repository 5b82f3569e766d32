/// Who asks.
public enum Identity: Sendable, Hashable {
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
