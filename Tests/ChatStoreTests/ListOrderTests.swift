import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

/// A REST list and a collection of the same rows have one order, also where rows have the same time.
@Suite struct ListOrderTests {
    private let environment = TestEnvironment()

    /// All pages of a list, one after the other.
    private func ids(_ limit: Int, _ page: (PageRequest) throws -> PageBytes) throws -> [String] {
        var (seen, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try Page(page(PageRequest(limit: limit, cursor: cursor)))
            seen += page.ids
            cursor = page.next
        } while cursor != nil
        return seen
    }

    /// Two customers of two channels with threads of the same ids and the same times; some are closed.
    private func fill(_ store: ChatStore) async throws -> [AccountRecord] {
        let environment = environment
        return try await store.write { transaction in
            let accounts = try [("multi", "c2"), ("multi", "c1"), ("live", "c2")].map { channel, customer in
                try transaction.openAccount(AccountKey(service: "local", channel: channel, customer: customer))
            }
            for index in [3, 1, 2, 0, 7, 11, 5, 4, 10, 6, 8, 9] {
                if index == 7 { environment.advance(milliseconds: 1) }
                for account in accounts {
                    var record = try transaction.insert(
                        ChatThread(id: "t\(index)", createdAt: environment.now, members: [account.customer]),
                        owner: account)
                    record.thread.state = index % 3 == 0 ? .closed : .ready
                    try transaction.announceToDesk(&record)
                    try transaction.save(&record, logging: .threadCreated, withDesk: true)
                }
            }
            return accounts
        }
    }

    @Test(arguments: [1, 2, 5, 100], ThreadFilter.allCases)
    func threads(limit: Int, filter: ThreadFilter) async throws {
        try await withStore(environment: environment) { store in
            let accounts = try await fill(store)
            for account in accounts {
                let collection = try await store.read {
                    try $0.threads(of: account.number, ThreadQuery(state: filter), after: .first, limit: 100).rows
                }
                #expect(collection.count == (filter == .all ? 12 : filter == .closed ? 4 : 8))
                #expect(collection.map(\.key) == collection.map(\.key).sorted())
                let list = try ids(limit) { request in
                    try store.readBlocking { try $0.threadPage(of: account.number, filter, request) }
                }
                #expect(list == collection.map(\.id))
            }
            for channel in [nil, "multi", "live"] {
                let collection = try await store.read {
                    try $0.deskThreads(ThreadQuery(state: filter, channel: channel), after: .first, limit: 100).rows
                }
                #expect(collection.map(\.key) == collection.map(\.key).sorted())
                var bodies: [[UInt8]] = []
                let list = try ids(limit) { request in
                    let page = try store.readBlocking {
                        try $0.deskThreadPage(ThreadQuery(state: filter, channel: channel), request)
                    }
                    bodies.append(page.body)
                    return page
                }
                #expect(list == collection.map(\.id))
                // The ids alone do not tell whose threads they are.
                let owners = try bodies.flatMap { try JSONParser.parse($0 + Array("}".utf8))["items"]?.array ?? [] }.map
                {
                    ThreadOwner(
                        channel: $0["channel"]?.string ?? "", customer: $0[path: "customer", "id"]?.string ?? "")
                }
                #expect(owners == collection.compactMap(\.owner))
            }
        }
    }

    /// The place that a row of the store has is the place that a change of the same thread has.
    @Test(arguments: ThreadQuery.Order.allCases)
    func aRowHasThePlaceOfItsThread(order: ThreadQuery.Order) async throws {
        try await withStore(environment: environment) { store in
            let account = try await fill(store)[0]
            let query = ThreadQuery(order: order)
            let (rows, records) = try await store.read { transaction in
                let rows = try transaction.threads(of: account.number, query, after: .first, limit: 100).rows
                return (rows, try rows.compactMap { try transaction.thread($0.id, of: account.number) })
            }
            #expect(rows.map(\.key) == records.map { query.key(of: $0.thread) })
            let desk = try await store.read { try $0.deskThreads(ThreadQuery(), after: .first, limit: 100).rows }
            #expect(desk.count == 36)
            for row in desk {
                let thread = try ChatThread(json: JSONParser.parse(row.json))
                #expect(row.key == ThreadQuery().key(of: thread, owner: row.owner))
            }
        }
    }

    /// Messages of the conversation, and replies to `m2`, all in one of two instants.
    private func write(_ room: Room) async throws {
        let environment = environment
        try await room.unit { transaction, record in
            for (index, id) in ["m9", "m2", "r5", "m1", "r1", "m7", "r4", "m0", "r2", "m3"].enumerated() {
                if index == 4 { environment.advance(milliseconds: 1) }
                var message = Message(
                    id: id, threadID: record.thread.id, createdAt: environment.now, direction: .toAgent,
                    author: Author(record.owner.customer), text: "text", status: .delivered)
                if id.hasPrefix("r") { (message.parentID, message.alsoInThread) = ("m2", false) }
                _ = try transaction.insert(message, into: &record, withDesk: true)
            }
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    @Test(arguments: [1, 2, 50]) func messages(limit: Int) async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await write(room)
            let record = try room.record()
            let collection = try await store.read {
                try $0.messages(of: record, MessageFilter(), upTo: .end, bound: nil, limit: 50).rows
            }
            #expect(collection.map(\.id) == ["m3", "m0", "m7", "m1", "m2", "m9"])
            let list = try ids(limit) { request in
                try blocking { try await store.messagePage(of: room.account.number, thread: "t1", request) }
            }
            #expect(list == collection.map(\.id))
        }
    }

    @Test func replies() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await write(room)
            let record = try room.record()
            let collection = try await store.read {
                try $0.messages(of: record, MessageFilter(parentID: "m2"), after: .start, bound: nil, limit: 50).rows
            }
            #expect(collection.map(\.id) == ["r5", "r1", "r4", "r2"])
            let list = try await store.read { try $0.replyPage(of: "m2", in: record, ReplyRequest()) }
            #expect(try Page(list).ids == collection.map(\.id))
        }
    }
}
