import CPostgreSQL
import Glibc

/// The address of a database, as libpq reads it.
public struct PostgresAddress: Sendable {
    let text: String
    /// The parameters that the address gives, by libpq's names: `host`, `port`, `options` and others.
    let parameters: [String: String]

    /// Reads a connection URI. It connects to nothing.
    ///
    /// Throws an error whose description tells the operator what to do: when PostgreSQL's client library is missing, and
    /// for an address by which no server can ever be reached. The description has no part of the address. Where a special
    /// character is not percent-encoded, any part may be one of the password.
    public init(_ text: String) throws {
        let pq: libpq
        do throws(PostgresError) { pq = try PostgresLibrary.functions() } catch {
            throw PostgresRefusal.server(error.detail)
        }
        self.text = text
        var reason: UnsafeMutablePointer<CChar>?
        let options = pq.conninfoParse(text, &reason)
        defer {
            pq.conninfoFree(options)
            pq.freemem(reason)
        }
        guard var option = options else { throw PostgresRefusal.address(Self.form) }
        var parameters: [String: String] = [:]
        while let name = option.pointee.keyword {
            if let value = option.pointee.val { parameters[String(cString: name)] = String(cString: value) }
            option += 1
        }
        self.parameters = parameters
        try check()
    }

    /// Looks at those values that libpq looks at only when it connects.
    private func check() throws(PostgresRefusal) {
        // A password with `@` in it, of which the rest was taken for the host's name.
        guard parameters["host"]?.contains("@") != true else { throw .address(Self.form) }
        let ports = parameters["port"]?.split(separator: ",") ?? []
        guard ports.allSatisfy({ UInt16($0).map { $0 > 0 } ?? false }) else {
            throw .address("has a port that is no number from 1 to 65535.")
        }
        for (name, values) in Self.words {
            guard let value = parameters[name], !values.contains(value) else { continue }
            throw .address("has an unknown \(name). It is one of \(values.joined(separator: ", ")).")
        }
    }

    private static let words = [
        "sslmode": ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"],
        "target_session_attrs": ["any", "read-write", "primary", "read-only", "standby", "prefer-standby"],
    ]

    private static let form = """
        cannot be read, or has a parameter that libpq does not know. In the name and the password of a user, special \
        characters are percent-encoded: @ is %40, / is %2F, : is %3A, ? is %3F, # is %23, % is %25.
        """
}

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
