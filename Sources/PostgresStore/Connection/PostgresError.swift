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
