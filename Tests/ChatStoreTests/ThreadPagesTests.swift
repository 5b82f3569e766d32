import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct ThreadPagesTests {
    private let environment = TestEnvironment()

    /// Threads t0, t1, ... of one customer, each pair a millisecond after the one before; every third is closed.
    private func fill(_ store: ChatStore, _ count: Int) async throws -> AccountRecord {
        let environment = environment
        return try await store.write { transaction in
            let account = try transaction.openAccount(AccountKey(service: "local", channel: "multi", customer: "c1"))
            for index in 0..<count {
                if index % 2 == 0 { environment.advance(milliseconds: 1) }
                var record = try transaction.insert(
                    ChatThread(id: "t\(index)", createdAt: environment.now, members: [account.customer]), owner: account
                )
                record.thread.state = index % 3 == 0 ? .closed : .ready
                try transaction.announceToDesk(&record)
                try transaction.save(&record, logging: .threadCreated, withDesk: true)
            }
            return account
        }
    }

    private func all(_ limit: Int, _ page: (PageRequest) throws -> PageBytes) throws -> [String] {
        var (seen, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try Page(page(PageRequest(limit: limit, cursor: cursor)))
            #expect(page.ids.count <= limit)
            seen += page.ids
            cursor = page.next
        } while cursor != nil
        return seen
    }

    @Test(arguments: [1, 4, 100], ThreadFilter.allCases)
    func eachThreadIsSeenOnceLatestActivityFirst(limit: Int, filter: ThreadFilter) async throws {
        try await withStore(environment: environment) { store in
            let account = try await fill(store, 25)
            let expected = (0..<25).filter { index in
                switch filter {
                case .all: true
                case .closed: index % 3 == 0
                case .open: index % 3 != 0
                }
            }.map { (time: $0 / 2, id: "t\($0)") }
                .sorted { ($1.time, $0.id) < ($0.time, $1.id) }.map(\.id)
            #expect(
                try all(limit) { request in
                    try store.readBlocking { try $0.threadPage(of: account.number, filter, request) }
                } == expected)
            #expect(
                try all(limit) { request in
                    try store.readBlocking { try $0.deskThreadPage(ThreadQuery(state: filter, channel: nil), request) }
                } == expected)
        }
    }

    @Test func theDeskFindsThreadsOfOneIDByChannelAndByCustomer() async throws {
        try await withStore(environment: environment) { store in
            try await store.write { transaction in
                for channel in ["multi", "live"] {
                    try transaction.save(
                        Channel(id: channel, name: channel, mode: .multithread, capabilities: []), of: "local")
                    for customer in ["c1", "c2"] {
                        let account = try transaction.openAccount(
                            AccountKey(service: "local", channel: channel, customer: customer))
                        var record = try transaction.insert(
                            ChatThread(id: "t1", createdAt: transaction.now, members: [account.customer]),
                            owner: account)
                        try transaction.announceToDesk(&record)
                        try transaction.save(&record, logging: .threadCreated, withDesk: true)
                    }
                }
            }
            func found(_ channel: String?, _ customer: String?) async throws -> Set<String> {
                let threads = try await store.read {
                    try $0.deskThreads("t1", onService: "local", channel: channel, customer: customer)
                }
                return Set(threads.map { "\($0.owner.key.channel) \($0.owner.key.customer)" })
            }
            #expect(try await found("live", nil) == ["live c1", "live c2"])
            #expect(try await found(nil, "c1") == ["multi c1", "live c1"])
            #expect(try await found("live", "c2") == ["live c2"])
            #expect(try await found("other", nil) == [])
            #expect(try await found(nil, "c3") == [])
            // Two are one too many.
            #expect(try await found(nil, nil).count == 2)
        }
    }

    @Test func aMessageBringsItsThreadToTheTop() async throws {
        try await withStore(environment: environment) { store in
            let account = try await fill(store, 5)
            environment.advance(milliseconds: 10)
            try await Room(store: store, account: account, thread: "t1").send("m1", "hi", .toClient)
            let page = try Page(
                await store.read { try $0.threadPage(of: account.number, .all, PageRequest(limit: 2, cursor: nil)) })
            #expect(page.ids == ["t1", "t4"])
            #expect(page.items[0]["unreadCount"] == .integer(1))
            #expect(page.items[1]["unreadCount"] == .integer(0))
        }
    }

    @Test func theDesksListSaysWhoseThreadItIsAndFiltersByChannel() async throws {
        try await withStore(environment: environment) { store in
            _ = try await fill(store, 2)
            func items(_ channel: String) throws -> [JSONValue] {
                try Page(
                    store.readBlocking {
                        try $0.deskThreadPage(
                            ThreadQuery(state: .all, channel: channel), PageRequest(limit: 9, cursor: nil))
                    }
                ).items
            }
            #expect(try items("multi").count == 2)
            #expect(
                try items("multi").allSatisfy {
                    $0["channel"] == .string("multi") && $0[path: "customer", "id"] == .string("c1")
                })
            #expect(try items("single").isEmpty)
        }
    }

    @Test func aThreadListHasNoNewerCursor() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            #expect(
                await refusal {
                    try await store.read {
                        try $0.threadPage(of: room.account.number, .all, PageRequest(limit: 5, cursor: "n1.2"))
                    }
                } == .invalidParameter)
        }
    }
}
