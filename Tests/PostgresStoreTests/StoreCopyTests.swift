import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// From SQLite to PostgreSQL, and back.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct StoreCopyTests {
    private struct Broken: Error {}

    private static let environment = TestEnvironment().environment

    /// All there is in a folder's database.
    private static func contents(_ folder: String) throws -> (image: StoreImage, digests: [String: RowDigest]) {
        let source = try SQLiteExport(folder: folder)
        defer { source.close() }
        var digests: [String: RowDigest] = [:]
        for table in try CopiedTable.all() {
            var digest = RowDigest()
            try source.rows(of: table, above: .min) { digest.add($0) }
            digests[table.name] = digest
        }
        return (try source.image(), digests)
    }

    @discardableResult
    private static func copy(_ source: any StoreExport, _ target: any StoreImport) throws -> [StoreCopy.Part] {
        defer { source.close() }
        defer { target.close() }
        let parts = try StoreCopy.run(from: source, to: target)
        try target.commit()
        return parts
    }

    private static func copy(_ folder: String, to database: TestDatabase) throws {
        try copy(SQLiteExport(folder: folder), PostgresImport(database.options, environment))
    }

    private static func copy(_ database: TestDatabase, to folder: String) throws {
        let source = try PostgresExport(database.options)
        try copy(source, SQLiteImport(folder: folder, instance: source.image().instance))
    }

    /// Rows of every table with every kind of value: nulls, nothing, zero bytes, the greatest numbers.
    private static func fillAnyhow(_ folder: String) async throws {
        let store = try ChatStore.open(folder: folder, environment: environment)
        for table in try CopiedTable.all() {
            try await store.write { transaction in
                let optional = Set(
                    try transaction.db.all(
                        "/* test */ SELECT name FROM pragma_table_info(?) WHERE \"notnull\" = 0 AND pk = 0",
                        [.text(table.name)]
                    ) { $0.text(0) })
                for row in 0..<301 {
                    let values = table.columns.enumerated().map { index, column in
                        optional.contains(column.name) && (row + index).isMultiple(of: 3)
                            ? SQLValue.null : value(row, column)
                    }
                    try transaction.db.run("/* test */ " + table.insertion(of: 1), values)
                }
            }
        }
        try await store.write { try $0.markDone("a") }
        await store.close()
    }

    private static func value(_ row: Int, _ column: CopiedTable.Column) -> SQLValue {
        switch column.kind {
        // The log begins at its floor.
        case .integer: .integer(row == 0 ? .max : row == 1 && column.name != "place" ? .min : Int64(row))
        case .text: .text(row == 0 ? "" : "\(row) 'ä\u{1F600}\\\"?")
        case .blob: .blob(row == 0 ? [] : [0, 255, UInt8(row % 256), UInt8(row / 256)])
        }
    }

    @Test func everyTableComesBackEqual() async throws {
        try await TestDatabase.run { database in
            try await withFolder { folder in
                try await Self.fillAnyhow(folder)
                try Self.copy(folder, to: database)
                try await withFolder { back in
                    try Self.copy(database, to: back)
                    let (first, second) = (try Self.contents(folder), try Self.contents(back))
                    #expect(first.image == second.image && first.image.meta == ["done.a": 1])
                    #expect(first.image.lastNumbers["thread"] == .max)
                    for table in try CopiedTable.all() {
                        #expect(first.digests[table.name] == second.digests[table.name], "\(table.name)")
                        #expect(first.digests[table.name]?.count == 301, "\(table.name)")
                    }
                    let names = try FileManager.default.contentsOfDirectory(atPath: back).sorted()
                    #expect(names == ["instance", "parley.sqlite"])
                }
            }
        }
    }

    /// A store in which something has happened, the last thread is gone, and a rule of SQLite's file is not broken.
    /// Returns an offset in the middle of its log.
    private static func fill(_ folder: String) async throws -> Int64 {
        let store = try ChatStore.open(folder: folder, environment: environment)
        for number in 1...3 {
            try await store.write { transaction in
                let account = try transaction.openAccount(
                    AccountKey(service: "local", channel: "multi", customer: "c\(number)ü\u{1F600}"))
                var record = try transaction.insert(
                    ChatThread(id: "t\(number)", createdAt: transaction.now, members: [account.customer]),
                    owner: account)
                record.thread.state = .ready
                try transaction.save(&record, logging: .threadCreated, withDesk: true)
            }
        }
        for number in 0..<300 { _ = try await send("m\(number)", in: store) }
        while try await store.write({ try $0.removeOldestThread(of: 3) != nil }) {}
        while try await store.write({ try $0.eraseHistory() }) {}
        let middle = store.feed.head / 2
        await store.close()
        return middle
    }

    private static func send(_ id: String, in store: ChatStore) async throws -> Int64 {
        try await store.write { transaction in
            guard var record = try transaction.thread("t1", of: 1) else { throw ChatError.unknownThread("t1") }
            let message = Message(
                id: id, threadID: "t1", createdAt: transaction.now, direction: .toAgent,
                author: Author(record.owner.customer), text: "word", status: .delivered)
            guard let sent = try transaction.insert(message, into: &record, withDesk: true) else { throw Broken() }
            transaction.setLastMessage(sent, of: &record)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            return sent.number
        }
    }

    /// All events after an offset.
    private static func events(of store: ChatStore, after offset: Int64) async throws -> [LogEvent] {
        var (events, last) = ([LogEvent](), offset)
        while last < store.feed.head {
            let step = try await store.replay([.everyone], after: last, limit: 1 << 20)
            events += step.events
            last = step.through
        }
        return events
    }

    /// Whoever has read to the middle on one engine goes on there on the other one, and what is sent then joins on.
    @Test func cursorsStayValidBothWays() async throws {
        try await TestDatabase.run { database in
            try await withFolder { folder in
                let middle = try await Self.fill(folder)
                let lite = try ChatStore.open(folder: folder, environment: Self.environment)
                let (epoch, instance, head) = (lite.feed.epoch, lite.instance, lite.feed.head)
                let expected = try await Self.events(of: lite, after: middle)
                await lite.close()
                try Self.copy(folder, to: database)
                var end: Int64 = 0
                try await database.open { store in
                    #expect((store.feed.epoch, store.instance, store.feed.head) == (epoch, instance, head))
                    let replayed = try await Self.events(of: store, after: middle)
                    #expect(replayed.map(\.offset) == expected.map(\.offset))
                    #expect(replayed.map(\.data) == expected.map(\.data))
                    let number = try await Self.send("new", in: store)
                    #expect(number == head + 1)
                    let thread = try await store.write { transaction in
                        let owner = try transaction.account(1)
                        var made = try transaction.insert(
                            ChatThread(id: "t4", createdAt: transaction.now, members: [owner.customer]), owner: owner)
                        try transaction.save(&made, logging: .threadCreated, withDesk: true)
                        return made.number
                    }
                    #expect(thread == 4, "the number of a thread that is gone is not used again")
                    end = store.feed.head
                }
                try await withFolder { back in
                    try Self.copy(database, to: back)
                    let store = try ChatStore.open(folder: back, environment: Self.environment)
                    #expect((store.feed.epoch, store.instance, store.feed.head) == (epoch, instance, end))
                    let rest = try await Self.events(of: store, after: middle)
                    #expect(rest.map(\.data).starts(with: expected.map(\.data)))
                    #expect(rest.last?.offset == end)
                    let number = try await Self.send("newer", in: store)
                    #expect(number == end + 1)
                    let faults = try store.faults().map(\.description)
                    #expect(faults == [])
                    await store.close()
                }
            }
        }
    }

    @Test func aTargetThatIsNotEmptyIsRefused() async throws {
        try await TestDatabase.run { database in
            try await withFolder { folder in
                _ = try await Self.fill(folder)
                #expect(throws: StoreError.self) { _ = try SQLiteImport(folder: folder, instance: "") }
                try Self.copy(folder, to: database)
                #expect(throws: PostgresRefusal.self) { _ = try PostgresImport(database.options, Self.environment) }
                // Its files are those of another store.
                try FileManager.default.removeItem(atPath: folder + "/parley.sqlite")
                #expect(throws: StoreCopyError.self) { _ = try SQLiteImport(folder: folder, instance: "other") }
                // The store comes back to the folder that it has left.
                try Self.copy(database, to: folder)
            }
        }
    }

    /// A gateway with another key than that of the folder does not serve the copy.
    @Test func theKeyComesWithTheCopy() async throws {
        try await TestDatabase.run { database in
            try await withFolder { folder in
                _ = try await Self.fill(folder)
                var options = try database.options
                options.keyDigest = [1]
                // This one is cut off.
                try PostgresImport(options, Self.environment).close()
                options.keyDigest = [2]
                try Self.copy(SQLiteExport(folder: folder), PostgresImport(options, Self.environment))
                let source = try PostgresExport(options)
                defer { source.close() }
                #expect(try source.keyDigest() == [2])
            }
        }
    }

    @Test func whatAGatewayUsesIsNotCopied() async throws {
        try await TestDatabase.run { database in
            try await database.open { try await $0.write { try $0.markDone("a") } }
            let rows = """
                INSERT INTO gateway (name, url, until, startedAt) \
                VALUES ('g', '', clock_timestamp() + interval '8 s', clock_timestamp())
                """
            _ = try database.column(rows)
            #expect(throws: PostgresRefusal.self) { _ = try PostgresExport(database.options) }
            _ = try database.column("UPDATE gateway SET until = clock_timestamp()")
            try PostgresExport(database.options).close()
            let writing = try PostgresConnection(database.address)
            try writing.hold("BEGIN")
            try writing.hold("SELECT 1 FROM writer WHERE id = 1 FOR UPDATE")
            try writing.flush()
            #expect(throws: PostgresRefusal.self) { _ = try PostgresExport(database.options) }
            writing.close()
        }
    }

    @Test func aCopyThatBreaksOffLeavesNothing() async throws {
        try await TestDatabase.run { database in
            try await withFolder { folder in
                _ = try await Self.fill(folder)
                let table = try #require(try CopiedTable.all().first { $0.name == "message" })
                for isPostgres in [true, false] {
                    try await withFolder { empty in
                        let source = try SQLiteExport(folder: folder)
                        defer { source.close() }
                        let target: any StoreImport =
                            isPostgres
                            ? try PostgresImport(database.options, Self.environment)
                            : try SQLiteImport(folder: empty, instance: "")
                        #expect(throws: Broken.self) {
                            try source.rows(of: table, above: 0) { row in
                                try target.insert(row, into: table)
                                if row[2].isText("m290") { throw Broken() }
                            }
                        }
                        target.close()
                        let names = try FileManager.default.contentsOfDirectory(atPath: empty)
                        #expect(names == [])
                    }
                }
                // It is empty, so it is a target still.
                try Self.copy(folder, to: database)
            }
        }
    }

    /// Whoever stands before a range of lost offsets goes on, and who stands in it reads anew.
    @Test func lostOffsetsStayLost() async throws {
        try await TestDatabase.run { database in
            try await withFolder { folder in
                _ = try await Self.fill(folder)
                try Self.copy(folder, to: database)
                let head = try database.number("SELECT max(place) FROM committed")
                let next = head + PostgresWriter.leap
                _ = try database.column("INSERT INTO lost (low, high, at) VALUES (\(head), \(next), 0)")
                _ = try database.column(
                    """
                    INSERT INTO committed (number, place, first, gateway, at) VALUES (2, \(next), \(head), 'g', 0)
                    """)
                try await database.open { _ = try await Self.send("new", in: $0) }
                try await withFolder { back in
                    try Self.copy(database, to: back)
                    let store = try ChatStore.open(folder: back, environment: Self.environment)
                    #expect(store.feed.floor < head && store.feed.head > next)
                    await #expect(throws: CursorExpired.self) {
                        try await store.replay([.everyone], after: head + 1, limit: 1 << 20)
                    }
                    for place in [head, next] {
                        let events = try await store.replay([.everyone], after: place, limit: 1 << 20).events
                        #expect(events.first?.offset == next + 1)
                    }
                    let faults = try store.faults().map(\.description)
                    #expect(faults == [])
                    await store.close()
                }
            }
        }
    }
}

extension TestDatabase {
    fileprivate var options: PostgresOptions {
        get throws {
            var options = try PostgresOptions(address: address, readers: 1, gateway: "copy")
            options.allowsLoss = true
            return options
        }
    }
}

extension SQLValue {
    fileprivate func isText(_ text: String) -> Bool {
        guard case .text(let own) = self else { return false }
        return own == text
    }
}
