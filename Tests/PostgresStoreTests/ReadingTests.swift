import ChatModel
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// Reading: what waits, and what a failure does to a connection.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct ReadingTests {
    /// A reader's own error, or a statement that is refused, says nothing against the connection.
    @Test func aFailedReadingKeepsItsConnection() async throws {
        try await TestDatabase.run { database in
            var options = try PostgresOptions(address: database.address, readers: 1, gateway: "g1")
            options.allowsLoss = true
            let counters = PostgresCounters()
            try await database.open { _ in }
            let reader = PostgresStoreReader(options, counters: counters)
            defer { reader.close() }
            for _ in 0..<3 {
                #expect(throws: ChatError.self) {
                    try reader.read { _ in throw ChatError(.unknownThread, "It is not there.") }
                }
                #expect(throws: PostgresError.self) {
                    try reader.read { try $0.db.query("SELECT 1 / 0", []) { _ in true } }
                }
                try reader.read { _ = try $0.headOffset() }
            }
            #expect(counters.figures.connections == 1)
            // One that was cut is made again.
            #expect(throws: PostgresError.self) {
                try reader.read { try $0.db.query("SELECT pg_terminate_backend(pg_backend_pid())", []) { _ in true } }
            }
            try reader.read { _ = try $0.headOffset() }
            #expect(counters.figures.connections == 2)
        }
    }

    /// The server ends the statement, and the connection is good for the next reading.
    @Test func aStatementEndsWithItsTask() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let (begun, beginning) = AsyncStream<Int64>.makeStream()
                let reading = Task {
                    try await ChatStore.endingReads {
                        try await store.read { transaction in
                            let own = "SELECT CAST(pg_backend_pid() AS bigint)"
                            let unlimited = "SELECT set_config('statement_timeout', '0', true)"
                            try transaction.db.query(unlimited, []) { _ in false }
                            beginning.yield(try transaction.db.first(own) { $0.integer(0) } ?? 0)
                            beginning.finish()
                            try transaction.db.query("SELECT 1 FROM pg_sleep(3600)", []) { _ in true }
                        }
                    }
                }
                let server = try #require(await begun.first { _ in true })
                let sleeps =
                    "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'PgSleep'"
                    + " AND datname = current_database()"
                #expect(await eventually { (try? database.number(sleeps)) == 1 })
                reading.cancel()
                let error = await #expect(throws: ChatError.self) { try await reading.value }
                #expect(error?.code == .eventTimeout)
                // The server shows it a moment after its answer.
                #expect(await eventually { (try? database.number(sleeps)) == 0 })
                #expect(
                    try database.number("SELECT count(*) FROM pg_stat_activity WHERE pid = \(server)") == 1,
                    "the connection is kept")
                let head = try await store.read { try $0.headOffset() }
                #expect(head == 0)
            }
        }
    }

    @Test func tooManyReadingsAreRefused() async throws {
        try await TestDatabase.run { database in
            try await database.open { _ in }
            let options = try PostgresOptions(address: database.address, readers: 1, gateway: "g1")
            let readers = PostgresReaders(options, counters: PostgresCounters(), mostWaiting: 20)
            let (gate, isReading) = (DispatchSemaphore(value: 0), Flag())
            let outcomes = Mutex((read: 0, refused: [ChatError.Code]()))
            readers.read { _ in
                isReading.raise()
                gate.wait()
            }
            #expect(await eventually { isReading.isRaised })
            for _ in 0..<20 + 2 {
                readers.read { result in
                    outcomes.withLock { outcomes in
                        switch result {
                        case .success: outcomes.read += 1
                        case .failure(let error): outcomes.refused.append(ChatError(storage: error).code)
                        }
                    }
                }
            }
            #expect(outcomes.withLock { $0.refused } == [.storageUnavailable, .storageUnavailable])
            gate.signal()
            #expect(await eventually { outcomes.withLock { $0.read } == 20 })
            await readers.close()
        }
    }

    @Test func aBoundedQueueIsFirstInFirstOut() {
        var queue = BoundedQueue<Int>(capacity: 5)
        var (next, expected) = (0, 0)
        for round in 0..<40 {
            for _ in 0..<(round % 4) {
                guard queue.append(next) else {
                    #expect(queue.count == 5)
                    break
                }
                next += 1
            }
            for _ in 0..<(round % 3) {
                guard let element = queue.popFirst() else { break }
                #expect(element == expected)
                expected += 1
            }
            #expect(queue.count == next - expected)
        }
        #expect(expected > 20)
    }

    /// JSON in PostgreSQL's text cannot hold U+0000. A backslash that is itself escaped begins no escape.
    @Test(arguments: [
        ("a\\u0000b", "a\u{FFFD}b"), ("a\\\\u0000b", "a\\u0000b"), ("a\\\\\\u0000b", "a\\\u{FFFD}b"),
        ("\\u0000\\u0000", "\u{FFFD}\u{FFFD}"), ("\\\\", "\\"), ("\\u0001\\\\u0001", "\u{1}\\u0001"),
    ])
    func escapesInJSONAreRead(json: String, text: String) async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let found = try await store.read { transaction -> String? in
                    let column = transaction.db.jsonText(of: "v.json", at: "a")
                    let sql = "SELECT \(column) FROM (SELECT CAST(? AS bytea) AS json) v"
                    return try transaction.db.first(sql, [.blob(Array("{\"a\":\"\(json)\"}".utf8))]) { $0.text(0) }
                }
                #expect(found == text)
            }
        }
    }
}
