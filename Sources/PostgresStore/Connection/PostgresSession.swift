import ChatStore

/// What the store's queries run on: a connection whose statements with an effect are held back until something is read.
///
/// One thread at a time uses it.
final class PostgresSession: RemoteSession {
    let connection: PostgresConnection
    /// Statements and bytes that are held back. They are bounded: a unit may write thousands of rows.
    private var held = (statements: 0, bytes: 0)
    package private(set) var totalChangesCount = 0
    /// Round trips to the server since the session was made, for metrics.
    private(set) var roundTrips = 0
    /// When the server answered last.
    private(set) var lastRoundTrip = ContinuousClock.now

    /// The first failure since ``forgetFailure()``: it has undone the transaction, even if nobody heeds it.
    private(set) var failure: PostgresError?

    private static let mostStatements = 500
    private static let mostBytes = 1 << 20

    init(_ connection: PostgresConnection) { self.connection = connection }

    /// Holds a statement back that changes no row, such as `BEGIN`.
    func hold(_ sql: String, _ values: [SQLValue] = []) throws(PostgresError) {
        try connection.hold(sql, values)
        held.statements += 1
    }

    package func run(_ sql: String, _ values: [SQLValue]) throws {
        totalChangesCount += 1
        try hold(sql, values)
        held.bytes += values.reduce(0) { $0 + $1.byteCount }
        if held.statements >= Self.mostStatements || held.bytes >= Self.mostBytes { try flush() }
    }

    package func change(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try connection.hold(sql, values)
        let count = try flush()
        totalChangesCount += count
        return count
    }

    package func query(_ sql: String, _ values: [SQLValue], _ body: (any RemoteRow) throws -> Bool) throws {
        // `INSERT .. RETURNING` is a query as well.
        if !sql.hasPrefix("SELECT") { totalChangesCount += 1 }
        guard let rows = try noting({ () throws(PostgresError) in try connection.rows(sql, values) }) else { return }
        try rows.forEach { try body($0) }
    }

    /// Sends what was held back, and waits for its answers. Returns how many rows the last statement has changed.
    @discardableResult
    func flush() throws(PostgresError) -> Int {
        try noting { () throws(PostgresError) in try connection.flush() }
    }

    func forgetFailure() { failure = nil }

    private func noting<T>(_ body: () throws(PostgresError) -> T) throws(PostgresError) -> T {
        held = (0, 0)
        roundTrips += 1
        defer { lastRoundTrip = .now }
        do throws(PostgresError) {
            return try body()
        } catch {
            failure = failure ?? error
            throw error
        }
    }
}

extension SQLValue {
    /// About what it takes on the wire.
    var byteCount: Int {
        switch self {
        case .null: 4
        case .integer: 12
        case .text(let text): text.utf8.count + 4
        case .blob(let bytes): bytes.count + 4
        }
    }
}
