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
    /// The same of the gateway's tokens, the present one first: after a fail-over, a gateway with another one would
    /// refuse all its clients. Asked for each connection, for they can be exchanged. None: not compared.
    public var tokenDigests: @Sendable () -> [Int64] = { [] }
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

/// What a connection is for, and the time limits that follow from it.
enum PostgresUse {
    case writing, reading, lease
    /// A command that reads or writes a whole database, without a gateway. It has an hour, where a gateway has seconds.
    case tool

    /// How long a transaction may be open while its client sends nothing. The server ends it then, with its connection.
    ///
    /// - A gateway that is paused, or cut off from the network, inside a group keeps the lock of all commits for so long.
    ///   A standby takes over when the lease has run out: at least ``LeaseState/term`` less ``LeaseState/renewal`` after
    ///   the pause began. By then the lock must be free, or the standby would wait for it as well. The paused gateway
    ///   itself steps down after ``LeaseState/patience``.
    /// - On the other side are groups whose units are slow between two statements. ``PostgresWriter`` sends what is held
    ///   back after ``PostgresWriter/mostSilence``, so only a single unit that is silent for longer than this is cut off.
    ///   It fails alone.
    /// - A transaction that reads has no lock, and holds up nothing but vacuum.
    /// - The lease's transactions do nothing between their statements.
    var idleLimit: Duration {
        switch self {
        case .writing: .seconds(5)
        case .reading: .seconds(15)
        case .lease: .seconds(2)
        case .tool: .seconds(3600)
        }
    }

    var lockLimit: Duration { self == .lease ? .seconds(3) : .seconds(5) }
    var statementLimit: Duration {
        switch self {
        case .writing, .reading: .seconds(15)
        case .lease: .seconds(4)
        case .tool: .seconds(3600)
        }
    }
    /// How often the server looks, while a statement runs, whether its client is still there.
    var clientCheck: Duration { self == .lease ? .seconds(1) : .seconds(2) }
    /// How long an answer may take before the client gives the connection up.
    var patience: Duration {
        switch self {
        case .writing, .reading: .seconds(20)
        case .lease: .seconds(5)
        case .tool: .seconds(3660)
        }
    }

    /// A renewal need not be safe on a standby of the server. Where it waited for one, a gateway could not renew while
    /// that standby is away; so each transaction of the lease that must be safe says it itself.
    fileprivate var synchronousCommit: String { self == .lease ? "local" : "on" }
}

extension PostgresOptions {
    /// Connects, with the limits of the use. It blocks the calling thread.
    func connect(_ use: PostgresUse) throws(PostgresError) -> PostgresConnection {
        let connection = try PostgresConnection(address.text, settings: settings(use), patience: use.patience)
        // An older server would refuse the parameter. PostgresOpening refuses the server, with the sentence that helps.
        guard connection.serverVersion >= PostgresOpening.oldestServer else { return connection }
        try connection.hold("SET client_connection_check_interval = \(use.clientCheck.milliseconds)")
        do {
            try connection.flush()
        } catch {
            // A server on a system that cannot watch a socket refuses it. Then keepalives find out, later.
            guard error.kind == .statement else { throw error }
        }
        return connection
    }

    /// Parameters of libpq, which are sent before the server's version is known.
    func settings(_ use: PostgresUse) -> [String: String] {
        let isLease = use == .lease
        let limits = [
            "synchronous_commit=\(use.synchronousCommit)", "lock_timeout=\(use.lockLimit.milliseconds)",
            "statement_timeout=\(use.statementLimit.milliseconds)",
            "idle_in_transaction_session_timeout=\(use.idleLimit.milliseconds)", "client_min_messages=warning",
            // The server is not told of a client whose machine or network is gone. Without these it would keep the
            // connection, and with it the gateway's lock, for two hours. On a UNIX socket they mean nothing.
            "tcp_keepalives_idle=5", "tcp_keepalives_interval=2", "tcp_keepalives_count=3",
            "tcp_user_timeout=10000",
        ].map { "-c \($0)" }
        // Those of the address, or of PGOPTIONS, come first: the server takes the last one of a name.
        let given = address.parameters["options"] ?? getenv("PGOPTIONS").map { String(cString: $0) } ?? ""
        return [
            "application_name": "parley \(gateway)" + (isLease ? " lease" : ""),
            "connect_timeout": isLease ? "2" : "5", "keepalives_idle": "5",
            "tcp_user_timeout": isLease ? "4000" : "6000",
            "options": ([given] + limits).joined(separator: " "),
        ]
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
