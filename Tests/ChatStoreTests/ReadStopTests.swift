import ChatModel
import Synchronization
import TestSupport
import Testing

@testable import ChatStore

/// Readings that end when nobody waits for them.
@Suite(.timeLimit(.minutes(5))) struct ReadStopTests {
    /// Never ends by itself.
    private static let endless = """
        WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number)
        SELECT count(*) FROM number WHERE value < 0
        """

    @Test(.onSQLite("runs a statement of SQLite's")) func aStatementEndsWithItsTask() async throws {
        try await withStore { store in
            let (begun, beginning) = AsyncStream<Void>.makeStream()
            let reading = Task {
                try await ChatStore.endingReads {
                    try await store.read { transaction in
                        guard case .lite(let db) = transaction.db else { return Int64(0) }
                        beginning.finish()
                        return try db.first("/* endless */ " + Self.endless) { $0.integer(0) } ?? 0
                    }
                }
            }
            for await _ in begun {}
            reading.cancel()
            let error = await #expect(throws: ChatError.self) { try await reading.value }
            #expect(error?.code == .eventTimeout)
            // The connection is good for the next reading.
            for _ in 0..<10 {
                let head = try await store.read { try $0.meta("head") }
                #expect(head == 0)
            }
        }
    }

    @Test func noReadingBeginsForATaskThatWasCancelled() async throws {
        try await withStore { store in
            let hasBegun = Mutex(false)
            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await ChatStore.endingReads {
                    try await store.read { transaction in
                        hasBegun.withLock { $0 = true }
                        return try transaction.meta("head")
                    }
                }
            }
            let error = await #expect(throws: ChatError.self) { try await reading.value }
            #expect(error?.code == .eventTimeout)
            #expect(!hasBegun.withLock { $0 })
        }
    }

    @Test func noStatementBeginsOnceTheTaskIsCancelled() async throws {
        try await withStore { store in
            let (begun, beginning) = AsyncStream<Void>.makeStream()
            let count = Mutex(0)
            let reading = Task {
                try await ChatStore.endingReads {
                    try await store.read { transaction in
                        beginning.finish()
                        while true {
                            _ = try transaction.meta("head")
                            count.withLock { $0 += 1 }
                        }
                    }
                }
            }
            for await _ in begun {}
            reading.cancel()
            let error = await #expect(throws: ChatError.self) { try await reading.value }
            #expect(error?.code == .eventTimeout)
        }
    }

    /// What a service does must be done, whoever waits for it.
    @Test func otherReadingsGoOn() async throws {
        try await withStore { store in
            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await store.read { try $0.meta("head") }
            }
            let head = try await reading.value
            #expect(head == 0)
        }
    }
}
