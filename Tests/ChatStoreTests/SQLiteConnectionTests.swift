import CSQLite
import ChatModel
import Glibc
import TestSupport
import Testing

@testable import ChatStore

/// What the store takes for granted of a connection to SQLite.
@Suite(.onSQLite("looks at SQLite's connections")) struct SQLiteConnectionTests {
    private func connection() throws -> SQLiteConnection {
        let db = try SQLiteConnection()
        try db.execute("CREATE TABLE item (number INTEGER PRIMARY KEY, text TEXT, bytes BLOB)")
        return db
    }

    private func insert(_ number: Int64, _ text: SQLValue, _ bytes: SQLValue = .null, in db: SQLiteConnection) throws {
        try db.run("INSERT INTO item (number, text, bytes) VALUES (?, ?, ?)", [.integer(number), text, bytes])
    }

    private func texts(_ db: SQLiteConnection) throws -> [String] {
        try db.all("/* all */ SELECT text FROM item ORDER BY number") { $0.text(0) }
    }

    /// Short and long texts are bound in different ways, and what is empty is not null.
    @Test(arguments: [
        "", "ä", "fifteen bytes..", String(repeating: "é", count: 2048), String(repeating: "x", count: 9000),
    ])
    func valuesComeBackAsTheyWere(text: String) throws {
        let db = try connection()
        try insert(.min, .text(text), .blob(Array(text.utf8)), in: db)
        try insert(.max, .null, in: db)
        let rows = try db.all("/* all */ SELECT number, text, bytes FROM item ORDER BY number") { row in
            (row.integer(0), row.isNull(1), row.text(1), row.isNull(2), row.blob(2))
        }
        #expect(rows.map(\.0) == [.min, .max])
        #expect(rows.map(\.1) == [false, true] && rows.map(\.3) == [false, true])
        #expect(rows[0].2 == text && rows[0].4 == Array(text.utf8))
    }

    @Test func aValueThatNoParameterTakesIsLeftOut() throws {
        let db = try connection()
        try insert(1, .text("one"), in: db)
        #expect(
            try db.first("SELECT text FROM item WHERE number = ?1", [.integer(1), .text("")]) { $0.text(0) } == "one")
    }

    /// The values of the outer statement must outlive those of the inner ones.
    @Test func theSameStatementRunsInsideOfItself() throws {
        let db = try connection()
        for number in 1...3 { try insert(Int64(number), .text("text \(number)"), in: db) }
        let sql = "/* all */ SELECT text FROM item WHERE text <> ? ORDER BY number"
        var pairs: [String] = []
        try db.query(sql, [.text("text 2")]) { outer in
            let inner = try db.all(sql, [.text(outer.text(0))]) { $0.text(0) }
            pairs.append("\(outer.text(0)): \(inner)")
            return true
        }
        #expect(pairs == [#"text 1: ["text 2", "text 3"]"#, #"text 3: ["text 1", "text 2"]"#])
        #expect(db.texts.mark == 0)
    }

    @Test func manyTextsOfOneStatementAreBoundTogether() throws {
        let db = try connection()
        let values = (0..<200).map { "a text of thirty bytes or so \($0)" }
        let list = Placeholders(values.map(SQLValue.text))
        try insert(1, .text(values[199]), in: db)
        #expect(
            try db.first("/* all */ SELECT number FROM item WHERE text IN \(list.sql)", list.values) { $0.integer(0) }
                == 1)
        #expect(db.texts.mark == 0)
    }

    @Test func compiledStatementsHaveABound() throws {
        let db = try connection()
        try insert(1, .text("one"), in: db)
        var seen: [String] = []
        // The outer one is the oldest all the time, and must not be dropped while it runs.
        try db.query("SELECT text FROM item WHERE number = ?", [.integer(1)]) { row in
            for number in 0..<2 * StatementCache.limit {
                try db.run("SELECT \(number) FROM item WHERE number = ?", [.integer(1)])
            }
            seen.append(row.text(0))
            return true
        }
        #expect(seen == ["one"])
        #expect(db.statements.count == StatementCache.limit)
    }

    @Test func whatFailsInATransactionIsUndone() throws {
        struct Failure: Error {}
        let db = try connection()
        try insert(1, .text("before"), in: db)
        #expect(throws: Failure.self) {
            try db.transaction {
                try insert(2, .text("undone"), in: db)
                throw Failure()
            }
        }
        #expect(!db.isInTransaction)
        #expect(try texts(db) == ["before"])
    }

    @Test func anErrorHasTheExtendedCodeAndNoValues() throws {
        let db = try connection()
        try insert(1, .text("secret"), in: db)
        let error = #expect(throws: SQLiteError.self) { try insert(1, .text("secret"), in: db) }
        #expect(error?.code == SQLITE_CONSTRAINT | 6 << 8)  // SQLITE_CONSTRAINT_PRIMARYKEY
        #expect(error?.description.contains("item.number") == true)
        #expect(error?.description.contains("secret") == false)
        // The statement can be used again.
        try insert(2, .text("next"), in: db)
        #expect(try texts(db) == ["secret", "next"])
    }

    @Test func foreignKeysAreCheckedAndDoubleQuotesAreNames() throws {
        let db = try connection()
        try db.execute("CREATE TABLE part (item INTEGER REFERENCES item (number))")
        #expect(throws: SQLiteError.self) { try db.run("INSERT INTO part (item) VALUES (7)") }
        #expect(throws: SQLiteError.self) { try db.run(#"SELECT "no column""#) }
    }

    @Test func aClosedConnectionRefusesStatements() throws {
        let db = try connection()
        db.close()
        let error = #expect(throws: SQLiteError.self) { try db.run("SELECT 1") }
        #expect(error?.code == SQLITE_MISUSE)
        #expect(throws: SQLiteError.self) { try db.execute("SELECT 1") }
        #expect(throws: SQLiteError.self) { try db.checkpoint(SQLITE_CHECKPOINT_PASSIVE) }
    }

    @Test func readingsThatWaitAreDoneBeforeTheEndAndLaterOnesAreRefused() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            try SQLiteConnection(path: path).execute("CREATE TABLE item (number INTEGER)")
            let readers = SQLiteReaders(limit: 1) { try SQLiteConnection(path: path, .reading) }
            let done = Journal<Int>()
            for number in 0..<20 { readers.read { _ in done.add(number) } }
            await readers.close()
            #expect(done.entries == Array(0..<20))
            let error = await #expect(throws: ChatError.self) { try await readers.reading { _ in 1 } }
            #expect(error?.code == .shuttingDown)
        }
    }

    /// A store that somebody still holds after its end keeps no thread.
    @Test func theWritersThreadEndsWithIt() async throws {
        let (writer, end) = (WriterThread(try connection()), ThreadEnd())
        writer.run { _ in end.watch() }
        await writer.close { _ in }
        #expect(await eventually { end.hasCome })
        await writer.close { _ in Issue.record("it was closed already") }
        withExtendedLifetime(writer) {}
    }
}

/// Knows when a thread has ended: the C library gives up what belongs to the thread then.
private final class ThreadEnd: Sendable {
    private let ends = Journal<Void>()

    var hasCome: Bool { !ends.entries.isEmpty }

    /// Watches the calling thread.
    func watch() {
        var key = pthread_key_t()
        pthread_key_create(&key) { Unmanaged<ThreadEnd>.fromOpaque($0!).takeRetainedValue().ends.add(()) }
        pthread_setspecific(key, Unmanaged.passRetained(self).toOpaque())
    }
}
