import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct ReceiptTests {
    private let environment = TestEnvironment()
    private let receipt = Receipt(scope: "key", fingerprint: "body")

    @Test func itIsWrittenByTheUnitThatDoesTheWork() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            #expect(try await store.receipt(scope: "key") == nil)
            let commits = store.statistics.commits
            try await room.send("m1", "Hi", receipt: receipt)
            #expect(store.statistics.commits == commits + 1)
            let stored = try await store.receipt(scope: "key")
            #expect(stored?.fingerprint == "body")
            #expect(stored?.outcome.kind == .created)
            #expect(stored?.outcome.id == "m1")
            #expect(stored?.outcome.body == (try room.message("m1")?.message.canonicalJSON))
        }
    }

    @Test func aUnitThatFailsLeavesNone() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            _ = await refusal {
                try await room.unit { [receipt] transaction, record in
                    try Room.send("m1", receipt: receipt, to: &record, in: transaction)
                    throw ChatError(.invalidData, "on purpose")
                }
            }
            #expect(try await store.receipt(scope: "key") == nil)
        }
    }

    @Test func itExpiresAfterADayAndIsDeletedThen() async throws {
        try await withStore(environment: environment) { store in
            try await store.record(receipt, outcome: Outcome(.ok, id: "x", body: Array("{}".utf8)))
            environment.advance(milliseconds: 24 * 3_600_000)
            #expect(try await store.receipt(scope: "key") != nil)
            environment.advance(milliseconds: 1)
            #expect(try await store.receipt(scope: "key") == nil)
            await store.trim()
            #expect(try await store.count(of: "receipt") == 0)
        }
    }

    @Test func withoutAKeyNothingIsKept() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1")
            #expect(try await store.count(of: "receipt") == 0)
        }
    }

    @Test func itSurvivesReopening() async throws {
        try await withFolder { folder in
            let first = try openStore(folder: folder, environment: environment.environment)
            try await first.record(receipt, outcome: Outcome(.none))
            await first.close()
            let second = try openStore(folder: folder, environment: environment.environment)
            #expect(try await second.receipt(scope: "key")?.outcome.kind == Outcome.Kind.none)
            await second.close()
        }
    }
}
