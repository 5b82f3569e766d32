/// The settings of the gateway that may change while it runs: see ``GatewayApplication/follow(_:)``.
public struct GatewayRules: Sendable {
    /// Names that a Host header may have besides the loopback names (`--allow-host`). Without a port, a name stands for
    /// all ports.
    public var allowedHosts: [String] = []
    /// Origins whose pages may use the API with a session's token (`--allow-origin`).
    public var allowedOrigins: Set<String> = []
    /// The users whose requests over the UNIX socket have the rights of the gateway's token when they carry none.
    public var trustedUsers: Set<UInt32> = []
    /// How much one session's token may write.
    public var writing = WritingRates()
    /// How many days what administrators did is kept.
    public var auditDays = 365
    /// Days without use after which a session is deleted; 0 deletes none.
    public var sessionDays = 0

    public init() {}
}

extension GatewayApplication {
    /// Follows other rules from now on. What was let in before stays: streams stay open, and what a token has written counts
    /// for its new limits.
    public func follow(_ rules: GatewayRules) { core.follow(rules) }
}
