import ChatStore
import CPostgreSQL

/// What the store's queries run on: a connection whose statements with an effect are held back until something is read.
///
/// One thread at a time uses it.
final class PostgresSession: EngineSession {
    let connection: PostgresConnection
    /// Statements and bytes that are held back. They are bounded: a unit may write thousands of rows.
    private var held = (statements: 0, bytes: 0)
    /// How many of these bytes were sent ahead.
    private var ahead = 0
    package private(set) var totalChangesCount = 0
    /// Round trips to the server since the session was made, for metrics.
    private(set) var roundTrips = 0
    /// When the server answered last.
    private(set) var lastRoundTrip = ContinuousClock.now

    private var collected = CollectedRows()
    /// Queries whose rows are wanted later in this transaction; see ``expect(_:_:)``.
    private var expected: [Expected] = []

    private var lastExpected = 0

    private struct Expected {
        let sql: String
        let values: [SQLValue]
        /// Under which the connection keeps the rows.
        let number: Int
    }

    /// The first failure since ``forgetFailure()``: it has undone the transaction, even if nobody heeds it.
    private(set) var failure: PostgresError?

    /// Whether ``add(_:_:)`` takes a row for added before the server has said so. Then a row with the same key is a
    /// failure of the transaction, which has to be run again without this.
    private var isConfident = false

    private static let mostStatements = 500
    private static let mostBytes = 1 << 20
    /// Some messages.
    private static let bytesAhead = 1 << 14

    init(_ connection: PostgresConnection) { self.connection = connection }

    /// Holds a statement back that changes no row, such as `BEGIN`.
    func hold(_ sql: String, _ values: [SQLValue] = []) throws(PostgresError) {
        if collected.goBefore(sql) { try holdCollected() }
        try connection.hold(sql, values)
        held.statements += 1
    }

    package func run(_ sql: String, _ values: [SQLValue]) throws {
        totalChangesCount += 1
        try hold(sql, values)
        try countAndFlushIfMuch(values)
    }

    package func append(_ values: [SQLValue], to table: RowTable) throws {
        totalChangesCount += 1
        if let (sql, values) = collected.add(values, to: table) { try holdRows(sql, values) }
        try countAndFlushIfMuch(values)
    }

    private func holdCollected() throws(PostgresError) {
        for (sql, values) in collected.takeAll() { try holdRows(sql, values) }
    }

    private func holdRows(_ sql: String, _ values: [SQLValue]) throws(PostgresError) {
        let label = connection.label
        defer { connection.label = label }
        // They are of several units.
        if isConfident { connection.label = nil }
        try connection.hold(sql, values)
        held.statements += 1
    }

    /// Forgets rows that were collected: their transaction is undone.
    func forgetCollected() { collected.forget() }

    /// Counts what is held back, and sends it if it has become much.
    private func countAndFlushIfMuch(_ values: [SQLValue]) throws(PostgresError) {
        held.bytes += values.reduce(0) { $0 + $1.byteCount }
        if held.statements >= Self.mostStatements || held.bytes >= Self.mostBytes { try flush() }
    }

    package func change(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try holdCollected()
        try connection.hold(sql, values)
        let count = try flush()
        totalChangesCount += count
        return count
    }

    package func add(_ addition: RowAddition, _ values: [SQLValue]) throws -> Bool {
        guard isConfident else { return try change(addition.orNothing, values) == 1 }
        try run(addition.orFailure, values)
        return true
    }

    /// Begins a unit of a group: failures of its statements have this label.
    func begin(unit: Int, isConfident: Bool) throws(PostgresError) {
        // Rows of earlier units are not undone with this one.
        if !isConfident { try holdCollected() }
        connection.label = unit
        self.isConfident = isConfident
    }

    func endUnit() {
        connection.label = nil
        isConfident = false
    }

    /// Sends what was held back if it has become much, and waits for nothing: the server works on it while more comes.
    func sendAhead() throws(PostgresError) {
        guard held.bytes >= ahead + Self.bytesAhead else { return }
        ahead = held.bytes
        try connection.sendAhead()
    }

    package func query(_ sql: String, _ values: [SQLValue], _ body: (any EngineRow) throws -> Bool) throws {
        if let index = expected.firstIndex(where: { $0.sql == sql && $0.values == values }) {
            let number = expected.remove(at: index).number
            guard let rows = try connection.takeKept(number) ?? sent(number) else { return }
            return try rows.forEach { try body($0) }
        }
        try holdCollected()
        // `INSERT .. RETURNING` is a query as well.
        if !sql.hasPrefix("SELECT") { totalChangesCount += 1 }
        guard let rows = try noting({ () throws(PostgresError) in try connection.rows(sql, values) }) else { return }
        try rows.forEach { try body($0) }
    }

    /// Sends what was held back, and waits for its answers. Returns how many rows the last statement has changed.
    @discardableResult
    func flush() throws(PostgresError) -> Int {
        try holdCollected()
        guard connection.awaitsAnswers else { return 0 }
        return try noting { () throws(PostgresError) in try connection.flush() }
    }

    func forgetFailure() { failure = nil }

    package func expect(_ sql: String, _ values: [SQLValue]) throws {
        lastExpected += 1
        try connection.hold(sql, values, keptAs: lastExpected)
        expected.append(Expected(sql: sql, values: values, number: lastExpected))
    }

    /// The rows of a query that is held back, which is sent.
    private func sent(_ number: Int) throws(PostgresError) -> PostgresRow? {
        try flush()
        return connection.takeKept(number)
    }

    /// Forgets the queries that were expected: their transaction is at its end.
    func forgetExpected() {
        expected.removeAll(keepingCapacity: true)
        connection.forgetKept()
    }

    /// Sends the end of a transaction that has read, and waits for nothing: a failure is found by the next one.
    func finish() throws(PostgresError) {
        forgetExpected()
        (held, ahead) = ((0, 0), 0)
        if connection.hasManyPrepared { try connection.flush() } else { try connection.sendAhead() }
    }

    private func noting<T>(_ body: () throws(PostgresError) -> T) throws(PostgresError) -> T {
        (held, ahead) = ((0, 0), 0)
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

/// The codes of the server's warnings. libpq calls it inside calls on the connection, so one thread at a time does.
final class PostgresNotices {
    var functions: libpq?
    private var codes: [String] = []

    func takeCodes() -> [String] {
        defer { codes = [] }
        return codes
    }

    static func receive(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
        guard let context else { return }
        let notices = Unmanaged<PostgresNotices>.fromOpaque(context).takeUnretainedValue()
        // At most some: nobody may read them for a long time.
        guard let code = notices.functions?.resultErrorField(result, CInt(UInt8(ascii: "C"))), notices.codes.count < 32
        else { return }
        notices.codes.append(String(cString: code))
    }
}
