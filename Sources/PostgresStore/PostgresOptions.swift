/// Where a store is in PostgreSQL, and how it is used.
public struct PostgresOptions: Sendable {
    public var address: PostgresAddress
    /// Connections for reading. More reads than this wait.
    public var readers: Int
    /// The name under which this gateway commits. Two gateways of one database have different names.
    public var gateway: String
    /// Tells the key of this gateway from others. The database keeps that of the first gateway, and one with another key
    /// is refused: it could not read the tokens of sessions and of platforms. Nil: not compared.
    public var keyDigest: [UInt8]?
    /// The same of the gateway's token: after a fail-over, a gateway with another one would refuse all its clients.
    public var tokenDigest: Int64?
    /// Accept a server that may lose what was acknowledged. For tests.
    public var allowsLoss = false
    /// The holder's name and number that must stand in the writer's row whenever a group is committed; nil: whoever comes
    /// may write. See ``PostgresLease``.
    public var fence: PostgresFence?
    /// Asked before each group; after no, none is written.
    public var mayWrite: (@Sendable () -> Bool)?
    /// Called on the writer's thread when another stands there. Nothing was written then, and nothing will be.
    public var onOtherHolder: (@Sendable () -> Void)?

    /// Throws what ``PostgresAddress/init(_:)`` throws.
    ///
    /// - Parameter address: a connection URI, as libpq takes it.
    public init(address: String, readers: Int = 8, gateway: String) throws {
        self.address = try PostgresAddress(address)
        self.readers = readers
        self.gateway = gateway
    }
}
