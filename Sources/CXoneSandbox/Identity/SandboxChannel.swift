/// How the clients of a channel say who they are. Each embedded channel can be reached in all four ways.
public enum SandboxAuthorization: String, Sendable, CaseIterable {
    /// `AuthorizeCustomer` on the socket, anonymous (sessions that are not secured).
    case anonymous
    /// A transaction token in the socket's URL, anonymous.
    case secured
    /// `AuthorizeCustomer` with an authorization code; access tokens.
    case oauth
    /// A transaction token, got for an authorization code.
    case securedOAuth

    /// Whether the socket's URL must have a transaction token.
    var isSecured: Bool { self == .secured || self == .securedOAuth }
    /// Whether customers log in, by an authorization code.
    var isOAuth: Bool { self == .oauth || self == .securedOAuth }
}

/// One entry point of the sandbox: an embedded channel, and how one authorises there.
public struct SandboxChannel: Sendable, Hashable {
    /// `chat_<uuid>`
    public let id: String
    /// The embedded channel's id.
    public let channel: String
    public let authorization: SandboxAuthorization
}
