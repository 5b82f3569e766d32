import ChatModel
import Foundation
import Formats
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// The same random units leave the same rows, log, pages and replays on both engines.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct SameHistoryTests {
    @Test(arguments: [UInt64(1), 7, 2026]) func bothEnginesHoldTheSame(seed: UInt64) async throws {
        var traces: [[String]] = []
        try await withFolder { folder in
            let environment = TestEnvironment()
            let store = try ChatStore.open(folder: folder, environment: environment.environment)
            traces.append(try await trace(store, environment, seed))
            await store.close()
        }
        try await TestDatabase.run { database in
            let environment = TestEnvironment()
            try await database.open(environment: environment) { store in
                traces.append(try await trace(store, environment, seed))
            }
        }
        #expect(traces[0].count > 500)
        #expect(traces[0].count == traces[1].count)
        for (lite, remote) in zip(traces[0], traces[1]) { #expect(lite == remote) }
    }

    /// Columns that both engines have, in an order that is the same on both.
    private static let tables = [
        "SELECT number, customer, json, customFields FROM account ORDER BY number",
        "SELECT number, owner, id, isClosed, activity, version, messagesVersion, json FROM thread ORDER BY number",
        "SELECT account, id, thread, isClosed, activity, unread, readAt, readTo, nameKey FROM member ORDER BY account, id",
        "SELECT number, thread, id, createdAt, isSeen, version, json, parent, isInThread FROM message ORDER BY number",
        "SELECT thread, id FROM tombstone ORDER BY thread, id",
        "SELECT thread, isToAgent, readAt, readTo, seenAt FROM watermark ORDER BY thread, isToAgent, readAt, readTo",
        "SELECT place, at, type, owner, message, audience, data FROM log ORDER BY place",
        "SELECT account, place FROM audience ORDER BY account, place",
        "SELECT scope, id, message, at, body FROM receipt ORDER BY scope",
        "SELECT name, value FROM meta WHERE name LIKE 'done.%' ORDER BY name",
    ]

    /// The columns of text and bytes; all others are numbers.
    private static let byteColumns: Set<String> = [
        "customer", "json", "customFields", "id", "nameKey", "parent", "type", "audience", "data", "scope", "body",
        "name",
    ]

    /// The names of the columns that a statement selects.
    private static func columns(of statement: String) -> [String] {
        statement.dropFirst("SELECT ".count).components(separatedBy: " FROM ")[0].components(separatedBy: ", ")
    }

    /// What the store holds and tells after a history.
    private func trace(_ store: ChatStore, _ environment: TestEnvironment, _ seed: UInt64) async throws -> [String] {
        var generator = SeededGenerator(seed: seed)
        var trace: [String] = []
        for step in 0..<250 {
            environment.advance(milliseconds: Int64.random(in: 0...500, using: &generator))
            trace.append("\(step): \(await act(step, store, &generator))")
        }
        for table in Self.tables {
            let columns = Self.columns(of: table)
            let rows = try await store.read { transaction in
                try transaction.db.all("/* all */ " + table) { row in
                    zip(Int32(0)..., columns).map { (column, name) -> String in
                        if row.isNull(column) { return "null" }
                        return Self.byteColumns.contains(name) ? row.blob(column).hex : String(row.integer(column))
                    }.joined(separator: "|")
                }
            }
            trace += rows.map { table.prefix(40) + $0 }
        }
        for account in Int64(1)...3 {
            for thread in 0..<3 {
                let page = try? await store.messagePage(
                    of: account, thread: "t\(thread)", PageRequest(limit: 20, cursor: nil))
                trace.append(
                    page.map { "\($0.version) \($0.offset) " + String(decoding: $0.body, as: UTF8.self) } ?? "none")
            }
            var position: Int64 = 0
            while position < store.feed.head {
                let replay = try await store.replay([.account(account)], after: position, limit: 20_000)
                for event in replay.events {
                    trace.append(
                        "\(account) \(event.offset ?? 0) "
                            + String(decoding: event.data(for: .account(account)), as: UTF8.self))
                }
                position = replay.through
            }
        }
        // The epoch is drawn by each store from the same numbers.
        trace.append("\(store.feed.headCursor)")
        return trace
    }

    /// One unit. Returns what came of it.
    private func act(_ step: Int, _ store: ChatStore, _ generator: inout SeededGenerator) async -> String {
        let customer = "c\(Int.random(in: 1...3, using: &generator))"
        let name = "t\(Int.random(in: 0..<3, using: &generator))"
        let operation = Int.random(in: 0..<20, using: &generator)
        let known = "m\(Int.random(in: 0...max(0, step - 1), using: &generator))"
        let isRemote = Bool.random(using: &generator), isFailing = Int.random(in: 0..<8, using: &generator) == 0
        let text = ["", "'quoted' \"text\" \\u0000 ?", "ä \u{1F600}"].randomElement(using: &generator) ?? ""
        do throws(ChatError) {
            return try await store.write { transaction in
                let account = try transaction.openAccount(
                    AccountKey(service: "local", channel: "multi", customer: customer))
                guard var record = try transaction.thread(name, of: account.number) else {
                    var made = try transaction.insert(
                        ChatThread(id: name, createdAt: transaction.now, members: [account.customer]), owner: account)
                    made.thread.state = .ready
                    try transaction.save(&made, logging: .threadCreated, withDesk: true)
                    return "thread \(made.number)"
                }
                var result: String
                switch operation {
                case ..<12:
                    let message = Message(
                        id: operation == 0 ? known : "m\(step)", threadID: name, createdAt: transaction.now,
                        direction: isRemote ? .toClient : .toAgent,
                        author: isRemote ? Author(id: "a1", kind: .agent) : Author(account.customer), text: text,
                        status: .delivered)
                    guard let sent = try transaction.insert(message, into: &record, withDesk: true) else {
                        throw ChatError(.messageIdConflict, "twice")
                    }
                    transaction.setLastMessage(sent, of: &record)
                    if isRemote { record.members[0].unreadCount += 1 }
                    try transaction.record(
                        Receipt(scope: "s\(step)", fingerprint: "f"),
                        Outcome(.created, id: message.id, body: message.canonicalJSON), message: sent.number)
                    result = "sent \(sent.number)"
                case ..<15:
                    guard let message = try transaction.message(known, in: record) else {
                        throw ChatError.unknownMessage(known)
                    }
                    try transaction.remove(message, in: &record, withDesk: true)
                    transaction.setLastMessage(try transaction.newestMessage(in: record), of: &record)
                    result = "removed"
                case ..<17:
                    var read = record.members[0].read
                    let hasRead = try transaction.markSeen(.toClient, in: &record, read: &read, withDesk: true)
                    record.members[0].read = read
                    record.members[0].unreadCount = 0
                    result = "read \(hasRead)"
                default:
                    guard var message = try transaction.message(known, in: record) else {
                        throw ChatError.unknownMessage(known)
                    }
                    message.message.text = text + "!"
                    try transaction.save(&message, in: &record, withDesk: true)
                    result = "edited"
                }
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
                try transaction.markDone("\(operation)")
                if isFailing { throw ChatError(.tooManyUnsent, "after all changes") }
                return result
            }
        } catch {
            return "\(error.code)"
        }
    }
}

extension [UInt8] {
    fileprivate var hex: String { map { String($0, radix: 16) }.joined(separator: " ") }
}
