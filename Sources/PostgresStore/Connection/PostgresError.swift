import ChatStore

/// A failure of PostgreSQL or of the connection to it.
///
/// A server's message may hold values of rows, so only its code is kept, with the statement, which holds none.
struct PostgresError: EngineError, Equatable {
    /// What follows from a failure.
    enum Kind: Equatable {
        /// The connection is lost, or could not be made. Whether a commit took place is not known.
        case connection
        /// The transaction is undone and may be run again: a deadlock, a lock or a statement that took too long.
        case transient
        /// A statement or a value is refused; what was committed before stands.
        case statement
        /// The server's disk is full.
        case full
    }

    let kind: Kind
    /// The connection could not even be made.
    var isAway = false
    /// The transaction is known to be undone.
    var isSettled = false
    /// See ``PostgresConnection/label``.
    var label: Int?
    /// The server's five-character code (SQLSTATE); nil when the failure is the connection's own.
    let state: String?
    let detail: String

    init(_ kind: Kind, detail: String, isSettled: Bool = false) {
        self.kind = kind
        self.isSettled = isSettled
        state = nil
        self.detail = detail
    }

    package var isStorageFailure: Bool { kind != .statement }
    /// Also when the lock of all commits could not be had in time.
    package var isUnavailable: Bool { kind == .connection || isLockTimeout }
    /// lock_not_available
    var isLockTimeout: Bool { state == "55P03" }
    package var isFull: Bool { kind == .full }
    package var summary: String {
        switch kind {
        case .full: "The disk of the database is full"
        case .connection: "The database cannot be reached, or the connection to it was lost"
        case .transient, .statement: state.map { "PostgreSQL: \($0)" } ?? "PostgreSQL: \(detail)"
        }
    }
    package var cause: String { detail }

    /// Whether the same may succeed when it is tried again.
    var passes: Bool { kind == .transient || kind == .connection && !isAway }

    init(state: String, statement: String, label: Int? = nil) {
        self.state = state
        self.label = label
        kind = Self.kind(of: state)
        detail = "PostgreSQL answered \(state) to: \(statement)"
    }

    /// Codes are those of PostgreSQL's appendix A.
    private static func kind(of state: String) -> Kind {
        switch state {
        // serialization_failure, deadlock_detected, lock_not_available, query_canceled
        case "40001", "40P01", "55P03", "57014": .transient
        case "53100": .full
        // read_only_sql_transaction: the server has become a standby.
        case "25006", "57P01", "57P02", "57P03", "57P05", "25P03": .connection
        default: state.hasPrefix("08") ? .connection : .statement
        }
    }
}

/// Why a database is not used. The description tells the operator what to do.
enum PostgresRefusal: Error, CustomStringConvertible {
    case newerVersion
    case otherKey
    case otherToken
    /// What is wrong with the address of the database.
    case address(String)
    case server(String)
    /// What the database is or has, and what to do about it.
    case store(String)

    var description: String {
        switch self {
        case .newerVersion:
            "The PostgreSQL database was written by a newer version of Parley. Run that version, or another database."
        case .otherKey:
            """
            The gateways of this database have another key. Name theirs with --key-file, or copy the file `key` of their \
            data folder into the one of this gateway.
            """
        case .otherToken:
            """
            The gateways of this database have another token. Name theirs with --token-file, or copy the file `token` of \
            their data folder into the one of this gateway. To give all of them a new token, stop them, and then \
            DELETE FROM meta WHERE name = 'token'.
            """
        case .address(let predicate): "The address of the PostgreSQL database \(predicate)"
        case .store(let predicate): "The PostgreSQL database \(predicate)"
        case .server(let sentence): "The PostgreSQL server cannot be used: \(sentence)"
        }
    }

    /// What the operator can do about a statement that was refused while the tables were made or looked at; nil when that
    /// is not known. Codes are those of PostgreSQL's appendix A.
    init?(_ error: PostgresError) {
        switch error.state {
        // insufficient_privilege
        case "42501":
            self = .server(
                """
                The role may not make or use the tables. Let it own the database: ALTER DATABASE .. OWNER TO the role.
                """)
        // duplicate_table, and others for which an index or a type stands in the way
        case "42P07", "42710":
            self = .store("has a table of another program that is named like one of Parley's. Name another database.")
        // undefined_table, undefined_column, datatype_mismatch, undefined_function
        case "42P01", "42703", "42804", "42883":
            self = .store("has other tables or columns than Parley's. Restore it from a backup, or name another one.")
        default: return nil
        }
    }
}
