/// The target of a connection that a call is about to make.
public struct ConnectionTarget: Sendable, Hashable {
    /// `http` or `https`.
    public var scheme: String
    /// The host as in the URL, without the brackets of an IPv6 address.
    public var host: String
    public var port: Int
    /// All addresses that the host's name has now, in the order in which they are tried; for an address, that address
    /// itself.
    public var addresses: [NetworkAddress]

    public init(scheme: String, host: String, port: Int, addresses: [NetworkAddress]) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.addresses = addresses
    }
}

/// Decides before each connection to which addresses it may be made. It throws to refuse the call, which then fails
/// with that error.
///
/// The call connects to the first address that is returned, and to the next one where nobody takes the connection. It
/// connects to no other, even if the name has other addresses by then. A name server can therefore not lead a call
/// elsewhere after the check (DNS rebinding).
public typealias ConnectionJudge = @Sendable (ConnectionTarget) throws -> [NetworkAddress]
