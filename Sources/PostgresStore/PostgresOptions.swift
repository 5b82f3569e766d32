/// Where a store is in PostgreSQL, and how it is used.
public struct PostgresOptions: Sendable {
    /// A connection URI, as libpq takes it.
    public var address: String
    /// Connections for reading. More reads than this wait.
    public var readers: Int
    /// The name under which this gateway commits. Two gateways of one database have different names.
    public var gateway: String
    /// Accept a server that may lose what was acknowledged. For tests.
    public var allowsLoss = false
    /// Let a caller's thread wait for a read. For tests: the server's loop must never wait for a network.
    public var readsOnCallersThread = false
    /// The holder's name and number that must stand in the writer's row whenever a group is committed; nil: whoever comes
    /// may write. See ``PostgresLease``.
    public var fence: PostgresFence?
    /// Asked before each group; after no, none is written.
    public var mayWrite: (@Sendable () -> Bool)?
    /// Called on the writer's thread when another stands there. Nothing was written then, and nothing will be.
    public var onOtherHolder: (@Sendable () -> Void)?

    public init(address: String, readers: Int = 8, gateway: String) {
        self.address = address
        self.readers = readers
        self.gateway = gateway
    }

    /// Parameters of the writer's and the readers' connections. A gateway that is paused inside a transaction must not
    /// stop the others for long.
    var settings: [String: String] {
        [
            "application_name": "parley \(gateway)", "connect_timeout": "5", "keepalives_idle": "5",
            "tcp_user_timeout": "6000",
            "options": [
                "synchronous_commit=on", "lock_timeout=5s", "statement_timeout=15s",
                "idle_in_transaction_session_timeout=2s", "client_connection_check_interval=2s",
                "client_min_messages=warning",
            ].map { "-c \($0)" }.joined(separator: " "),
        ]
    }

    /// Parameters of the lease's connection. It must find out in time that it cannot renew.
    ///
    /// A renewal need not be safe on a standby of the server. Where it waited for one, a gateway could not renew while
    /// that standby is away; so each transaction that must be says it itself.
    var leaseSettings: [String: String] {
        [
            "application_name": "parley \(gateway) lease", "connect_timeout": "2", "keepalives_idle": "5",
            "tcp_user_timeout": "4000",
            "options": [
                "synchronous_commit=local", "lock_timeout=3s", "statement_timeout=4s",
                "idle_in_transaction_session_timeout=2s", "client_connection_check_interval=1s",
                "client_min_messages=warning",
            ].map { "-c \($0)" }.joined(separator: " "),
        ]
    }
}
