/// Where a remote service's channel is, as a client says it.
public struct ChannelAddress: Sendable, Hashable {
    /// One of the platform's regions; nil for own hosts.
    public var environment: String?
    /// Own hosts by their purposes: `chat`, `socket`, `token`, `logger`.
    public var urls: [String: String]
    public var brandID: Int
    public var channelID: String

    public init(environment: String?, urls: [String: String] = [:], brandID: Int, channelID: String) {
        self.environment = environment
        self.urls = urls
        self.brandID = brandID
        self.channelID = channelID
    }
}

/// What a customer has got where they logged in; good for one connection (the SDK's `setAuthorizationCode`, `setCodeVerifier`).
public struct Authorization: Sendable, Hashable {
    public var code: String
    public var codeVerifier: String?

    public init(code: String, codeVerifier: String?) {
        self.code = code
        self.codeVerifier = codeVerifier
    }
}
