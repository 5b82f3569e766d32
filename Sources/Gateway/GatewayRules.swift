import HTTPRouting

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
    /// For how many days the embedded service keeps messages; 0 for ever.
    public var messageDays = 0

    /// A note for those who wait, while there is planned work: nobody changes conversations then. Empty at all other
    /// times.
    public var maintenance = ""

    public init() {}
}

extension GatewayApplication {
    /// Follows other rules from now on. What was let in before stays: streams stay open, and what a token has written
    /// counts for its new limits.
    public func follow(_ rules: GatewayRules) { core.follow(rules) }

    /// Takes other tokens of the gateway in place of those so far, the present one first. What was opened by one that
    /// is not among them ends.
    public func replaceGatewayTokens(_ tokens: [String]) {
        core.tokens.replaceGatewayTokens(tokens)
        core.reviewAccess(of: .gateway)
    }
}

extension GatewayCore {
    /// Throws `maintenance` while there is planned work; never to whoever runs the gateway, who may have to try what
    /// was done.
    package func checkMaintenance(for identity: Identity) throws(Problem) {
        let note = rules.maintenance
        guard !note.isEmpty, !identity.runsGateway else { return }
        throw Problem(.maintenance, note, retryAfter: Self.pauseForMaintenance)
    }

    /// In seconds. It spreads those who try again, and nobody waits much longer than the work lasts.
    private static let pauseForMaintenance = 30
}

extension Route {
    /// Whether the route's requests wait for the end of planned work: they change conversations, or what these depend
    /// on.
    var waitsForMaintenance: Bool {
        if method == .get { return false }
        return switch access.scope {
        case .sessionsWrite, .deskWrite, .deskManage, .customersWrite, .channelsWrite, .webhooksWrite, .sandboxWrite:
            true
        default: Self.beginnings.contains(operationID)
        }
    }

    /// The operations that start a customer's session. The customer has no token yet.
    private static let beginnings: Set<String> = ["createVisitor", "redeemLink"]
}
