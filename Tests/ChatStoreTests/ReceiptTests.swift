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

    // MARK: Bytes

    private func bytes(_ store: ChatStore) async throws -> Int64 {
        try await store.read { transaction in
            try transaction.db.first("/* test */ SELECT sum(length(body)) FROM receipt") { $0.integer(0) } ?? 0
        }
    }

    /// Great fields of a thread and great messages are kept by reference, and the answer is made again from it.
    @Test func greatAnswersAreKeptByReference() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            let great = ["field": String(repeating: "x", count: 60_000)]
            let text = String(repeating: "y", count: 60_000)
            try await room.unit { transaction, record in
                record.thread.customFields = great
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            try await room.send("m1", text)
            let (record, message) = (try room.record(), try #require(try room.message("m1")))
            for number in 0..<50 {
                try await store.write { transaction in
                    try transaction.record(
                        Receipt(scope: "t\(number)", fingerprint: "f"),
                        Outcome(.ok, id: "t1", body: record.json(for: room.account.number)), showing: record)
                    try transaction.record(
                        Receipt(scope: "m\(number)", fingerprint: "f"),
                        Outcome(.created, id: "m1", body: message.json), showing: message)
                }
            }
            #expect(try await bytes(store) < 100 * 1500)
            let thread = try await store.receipt(scope: "t7")?.outcome.body
            #expect(thread == record.json(for: room.account.number))
            #expect(try await store.receipt(scope: "m7")?.outcome.body == message.json)
            // When the message is removed, neither has its text any more.
            try await room.remove("m1")
            for scope in ["t7", "m7"] {
                let body = try #require(try await store.receipt(scope: scope)?.outcome.body)
                #expect(!String(decoding: body, as: UTF8.self).contains("yyyy"))
            }
        }
    }

    /// The receipts of one holder are bounded; those of others, and of the gateway's own token, stay.
    @Test func aHolderHasSoManyReceipts() async throws {
        try await withStore(environment: environment) { store in
            try store.skipDiskSync()
            let environment = environment
            try await store.record(Receipt(scope: "root", fingerprint: "f"), outcome: Outcome(.none))
            try await store.record(Receipt(scope: "other", fingerprint: "f", holder: "o"), outcome: Outcome(.none))
            try await store.write { transaction in
                for number in 0..<Receipt.maximumCount {
                    environment.advance(milliseconds: 1)
                    try transaction.db.run(
                        """
                        INSERT INTO receipt (scope, fingerprint, kind, id, body, at, holder) VALUES (?, ?, ?, ?, ?, ?, ?)
                        """,
                        [
                            .text("s\(number)"), .text("f"), .text("none"), .text(""), .blob([]),
                            .integer(environment.now.milliseconds), .text("h"),
                        ])
                }
            }
            environment.advance(milliseconds: 1)
            try await store.record(Receipt(scope: "new", fingerprint: "f", holder: "h"), outcome: Outcome(.none))
            try await store.write { try $0.trimReceipts(of: "h") }
            #expect(try await store.count(of: "receipt") == Int64(Receipt.maximumCount) + 2)
            #expect(try await store.receipt(scope: "s0") == nil)
            for scope in ["s1", "new", "other", "root"] { #expect(try await store.receipt(scope: scope) != nil) }
        }
    }
}
