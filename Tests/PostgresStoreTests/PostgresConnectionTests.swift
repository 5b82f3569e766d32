import ChatModel
import ChatStore
import Foundation
import Testing

@testable import PostgresStore

/// Against a real server: run them by `Tests/with-postgres swift test`.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct PostgresConnectionTests {
    private func connect(patience: Duration = .seconds(20)) throws -> PostgresConnection {
        try PostgresConnection(#require(TestServer.address), patience: patience)
    }

    @Test func valuesOfEachKindComeBackAsTheyWere() throws {
        let connection = try connect()
        let bytes = (0...255).map { UInt8($0) }
        let values: [SQLValue] = [.integer(.min), .text("é \u{1F600} '?'"), .blob(bytes), .blob([]), .text(""), .null]
        var rows = 0
        try connection.query(
            "SELECT CAST(? AS bigint), CAST(? AS text), CAST(? AS bytea), CAST(? AS bytea), CAST(? AS text), CAST(? AS bigint), '?'",
            values
        ) { row in
            rows += 1
            #expect(row.integer(0) == .min)
            #expect(row.text(1) == "é \u{1F600} '?'")
            row.withBlob(2) { #expect(Array($0) == bytes) }
            row.withBlob(3) { #expect($0.isEmpty) }
            #expect(row.text(4) == "" && !row.isNull(4))
            #expect(row.isNull(5) && row.integer(5) == 0)
            #expect(row.text(6) == "?")
            return true
        }
        #expect(rows == 1)
    }

    @Test func wholeNumbersOfAllTypesAreRead() throws {
        let connection = try connect()
        let sql = """
            SELECT 7::smallint, -8::integer, true, false, count(*), sum(x), sum(-x), 0::numeric, 10000::numeric, 1e30::numeric, \
            -1e30::numeric, 12345678901::numeric FROM (VALUES (123456789012::bigint), (5)) v (x)
            """
        try connection.query(sql) { row in
            let numbers = (0..<12).map { row.integer($0) }
            #expect(
                numbers == [7, -8, 1, 0, 2, 123_456_789_017, -123_456_789_017, 0, 10_000, .max, .min, 12_345_678_901])
            return true
        }
    }

    /// Hundreds of statements, each too large for the socket's buffers, in one flush: both sides read while they write.
    @Test func whatIsHeldBackIsSentTogether() throws {
        let connection = try connect()
        try connection.hold("CREATE TEMP TABLE t (n bigint PRIMARY KEY, b bytea NOT NULL)")
        try connection.flush()
        try connection.hold("BEGIN")
        for number in 0..<300 {
            try connection.hold(
                "INSERT INTO t VALUES (?, ?) RETURNING b",
                [.integer(Int64(number)), .blob([UInt8](repeating: 7, count: 50_000))])
        }
        var sum: Int64 = 0
        try connection.query("SELECT n, length(b) FROM t ORDER BY n") { row in
            sum += row.integer(0)
            return row.integer(0) < 10
        }
        #expect(sum == 55, "the body ended it")
        try connection.hold("UPDATE t SET b = ? WHERE n < ?", [.blob([]), .integer(40)])
        #expect(try connection.flush() == 40)
        try connection.hold("COMMIT")
        try connection.flush()
        #expect(!connection.isInsideTransaction)
    }

    /// The first failure is told, what follows it does not run, and the connection lives.
    @Test func aFailureIsTheStatementsOwn() throws {
        let connection = try connect()
        try connection.hold("CREATE TEMP TABLE t (n bigint PRIMARY KEY)")
        try connection.flush()
        try connection.hold("BEGIN")
        try connection.hold("INSERT INTO t VALUES (?)", [.integer(1)])
        try connection.hold("SAVEPOINT unit")
        try connection.hold("INSERT INTO t VALUES (?)", [.integer(1)])
        try connection.hold("INSERT INTO t VALUES (?)", [.integer(2)])
        let failure = #expect(throws: PostgresError.self) { try connection.flush() }
        #expect(failure?.state == "23505" && failure?.kind == .statement)
        #expect(failure?.detail.contains("INSERT INTO t") == true)
        try connection.hold("ROLLBACK TO unit")
        try connection.hold("INSERT INTO t VALUES (?)", [.integer(3)])
        try connection.hold("COMMIT")
        try connection.flush()
        var numbers: [Int64] = []
        try connection.query("SELECT n FROM t ORDER BY n") { row in
            numbers.append(row.integer(0))
            return true
        }
        #expect(numbers == [1, 3])
        // A statement that cannot be prepared, and the same once more.
        for _ in 0..<2 {
            let failure = #expect(throws: PostgresError.self) {
                try connection.query("SELECT nothing FROM t") { _ in true }
            }
            #expect(failure?.state == "42703")
        }
        #expect(connection.isOpen)
    }

    /// A list of parameters of each length is a statement of its own.
    @Test func preparedStatementsAreForgottenWhenThereAreMany() throws {
        let connection = try connect()
        let most = PostgresConnection.mostPrepared
        for number in 0..<most + 200 {
            #expect(try connection.first("SELECT CAST(\(number) AS bigint)") == Int64(number))
        }
        let count = try #require(try connection.first("SELECT count(*) FROM pg_prepared_statements"))
        #expect(count <= 210)
        // Inside a transaction none is forgotten, because it may be held back already.
        try connection.hold("BEGIN")
        for number in 0..<most { try connection.hold("SELECT CAST(\(number) AS bigint)") }
        #expect(try connection.first("SELECT CAST(7 AS bigint)") == 7)
        try connection.hold("COMMIT")
        try connection.flush()
        #expect(try connection.first("SELECT CAST(8 AS bigint)") == 8)
        #expect(try connection.first("SELECT count(*) FROM pg_prepared_statements") == 2)
    }

    @Test func theServerLooksForItsClient() throws {
        let options = try PostgresOptions(address: try #require(TestServer.address), gateway: "g1")
        for use in [PostgresUse.writing, .reading, .lease] {
            #expect(options.settings(use)["options"]?.contains("client_connection") == false, "for older servers")
            let connection = try options.connect(use)
            try connection.query("SHOW client_connection_check_interval") { row in
                #expect(row.text(0) == (use == .lease ? "1s" : "2s"))
                return false
            }
            try connection.query("SHOW idle_in_transaction_session_timeout") { row in
                #expect(row.text(0) == "\(use.idleLimit.components.seconds)s")
                return false
            }
        }
    }

    @Test func aStatementIsPreparedOnceForValuesOfOneKind() throws {
        let connection = try connect()
        try connection.hold("CREATE TEMP TABLE t (n bigint, x text)")
        try connection.flush()
        for number in 0..<5 {
            try connection.hold(
                "INSERT INTO t VALUES (?, ?)", [.integer(Int64(number)), number % 2 == 0 ? .text("x") : .null])
        }
        var count: Int64 = 0
        try connection.query("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT%'") {
            count = $0.integer(0)
            return true
        }
        #expect(count == 1)
    }

    @Test func aServerThatIsSilentIsGivenUp() throws {
        let connection = try connect(patience: .milliseconds(100))
        let failure = #expect(throws: PostgresError.self) { try connection.query("SELECT pg_sleep(30)") { _ in true } }
        #expect(failure?.kind == .connection)
        #expect(!connection.isOpen)
        #expect(throws: PostgresError.self) { try connection.hold("SELECT 1") }
    }

    @Test func aConnectionThatTheServerEndsIsLost() throws {
        let (one, other) = (try connect(), try connect())
        try other.query("SELECT pg_terminate_backend(CAST(? AS integer))", [.integer(Int64(one.processID))]) { _ in true
        }
        let failure = #expect(throws: PostgresError.self) {
            while true { try one.query("SELECT 1") { _ in true } }
        }
        #expect(failure?.kind == .connection)
    }

    @Test func notificationsAndWarningsAreTold() throws {
        let (one, other) = (try connect(), try connect())
        try one.hold("LISTEN parley")
        try one.flush()
        #expect(try one.notifications(within: .zero) == [])
        try other.hold("SELECT pg_notify('parley', '17'), pg_notify('parley', '18')")
        try other.flush()
        #expect(try one.notifications(within: .seconds(20)) == ["17", "18"])
        // Outside a transaction COMMIT is a warning only: no_active_sql_transaction.
        try other.hold("COMMIT")
        try other.flush()
        #expect(other.takeNotices() == ["25P01"])
        #expect(other.takeNotices() == [])
    }

    @Test func anAddressThatLeadsNowhereIsRefusedWithItsReason() throws {
        let failure = #expect(throws: PostgresError.self) {
            _ = try PostgresConnection("postgresql:///x?host=/nowhere", settings: ["application_name": "parley"])
        }
        #expect(failure?.kind == .connection)
        #expect(failure?.detail.contains("/nowhere") == true)
        // A client is not told where the database is.
        let error = ChatError(storage: try #require(failure))
        #expect(error.code == .storageUnavailable && !error.detail.contains("nowhere"))
    }

    @Test func placeholdersAreNumbered() {
        #expect(
            PostgresPlaceholders.numbered("SELECT '?', a = ? AND b IN (?, ?) OR c = '''?'")
                == "SELECT '?', a = $1 AND b IN ($2, $3) OR c = '''?'")
        #expect(PostgresPlaceholders.numbered("?12 + ?1") == "$12 + $1")
    }
}

/// The server that `Tests/with-postgres` has started; nil without.
enum TestServer {
    static let address = ProcessInfo.processInfo.environment["PARLEY_TEST_POSTGRES"]
}
