/// Where a call is about to connect to.
public struct ConnectionTarget: Sendable, Hashable {
    /// `http` or `https`.
    public var scheme: String
    /// As the URL has it, without brackets.
    public var host: String
    public var port: Int
    /// All that the host's name stands for now, in the order in which they are to be tried; the address itself if it is
    /// one.
    public var addresses: [NetworkAddress]

    public init(scheme: String, host: String, port: Int, addresses: [NetworkAddress]) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.addresses = addresses
    }
}

/// Decides before each connection which addresses it may be made to: the call connects to the first of those that it
/// returns, and to no other, whatever the name stands for by then. Throws to refuse the call, which then fails with
/// that error.
public typealias ConnectionJudge = @Sendable (ConnectionTarget) throws -> [NetworkAddress]
