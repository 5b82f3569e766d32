import Glibc

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
