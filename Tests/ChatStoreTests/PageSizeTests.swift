import Bounds
import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

/// A page ends by its bytes as well as by its items, and whoever follows `next` gets all items once.
@Suite struct PageSizeTests {
    private let environment = TestEnvironment()
    private static let greatText = String(repeating: "x", count: 60_000)

    /// Follows a list to its end. Returns the ids of all items, page by page.
    private func pages(limit: Int = 200, _ read: (PageRequest) throws -> PageBytes) throws -> [[String]] {
        var (pages, cursor): ([[String]], String?) = ([], nil)
        repeat {
            let bytes = try read(PageRequest(limit: limit, cursor: cursor))
            #expect(bytes.body.count < ByteBound.page.bytes + 4096)
            let page = try Page(bytes)
            pages.append(page.ids)
            cursor = page.next
        } while cursor != nil
        return pages
    }

    private func fill(_ room: Room, _ count: Int) async throws -> [String] {
        for number in 0..<count {
            environment.advance(milliseconds: 1)
            try await room.send("m\(number)", Self.greatText)
        }
        return (0..<count).reversed().map { "m\($0)" }
    }

    @Test func messages() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            let ids = try await fill(room, 40)
            let pages = try pages { request in
                try blocking { try await store.messagePage(of: room.account.number, thread: "t1", request) }
            }
            #expect(pages.flatMap(\.self) == ids)
            #expect(pages.map(\.count) == [17, 17, 6])
            // Towards newer messages as well.
            var (seen, cursor): ([String], String?) = ([], nil)
            repeat {
                let request = PageRequest(limit: 200, cursor: cursor, beginsAtOldest: true, bytes: 256 << 10)
                let page = try await Page(store.messagePage(of: room.account.number, thread: "t1", request))
                #expect(page.ids.count <= 4)
                seen += page.ids.reversed()
                cursor = page.prev
            } while cursor != nil
            #expect(seen == ids.reversed())
        }
    }

    /// One item that is larger than a page is a page.
    @Test func anItemThatIsLargerThanAPage() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            for number in 0..<3 { try await room.send("m\(number)", String(repeating: "\u{1}", count: 200_000)) }
            let account = room.account.number
            var (ids, cursor): ([[String]], String?) = ([], nil)
            repeat {
                let request = PageRequest(limit: 9, cursor: cursor)
                let page = try await Page(store.messagePage(of: account, thread: "t1", request))
                ids.append(page.ids)
                cursor = page.next
            } while cursor != nil
            #expect(ids == [["m2"], ["m1"], ["m0"]])
        }
    }

    @Test func threadsOfAnAccountAndOfTheDesk() async throws {
        try await withStore(environment: environment) { store in
            let environment = environment
            let account = try await store.write { transaction in
                let account = try transaction.openAccount(AccountKey(service: "local", channel: "multi", customer: "c"))
                for index in 0..<60 {
                    environment.advance(milliseconds: 1)
                    var record = try transaction.insert(
                        ChatThread(id: "t\(index)", createdAt: environment.now, members: [account.customer]),
                        owner: account)
                    record.thread.name = "a name"
                    record.thread.customFields = ["field": Self.greatText]
                    // Open and closed threads are read one after the other, and merged.
                    record.thread.state = index < 20 || index % 3 == 0 ? .closed : .ready
                    try transaction.announceToDesk(&record)
                    try transaction.save(&record, logging: .threadCreated, withDesk: true)
                }
                return account
            }
            let expected = (0..<60).reversed().map { "t\($0)" }
            #expect(
                try pages { request in
                    try store.readBlocking { try $0.threadPage(of: account.number, .all, request) }
                }.flatMap(\.self) == expected)
            for query in [ThreadQuery(), ThreadQuery(nameContains: "NAME")] {
                #expect(
                    try pages { request in
                        try store.readBlocking { try $0.deskThreadPage(query, request) }
                    }.flatMap(\.self) == expected)
            }
        }
    }

    @Test func notes() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            for _ in 0..<40 {
                environment.advance(milliseconds: 1)
                try await room.unit { transaction, record in
                    _ = try transaction.addNote(
                        Self.greatText, by: Author(id: "a", kind: .agent), to: record, receipt: nil)
                }
            }
            let record = try room.record()
            let pages = try pages { request in try store.readBlocking { try $0.notePage(of: record, request) } }
            #expect(pages.map(\.count) == [17, 17, 6])
            #expect(Set(pages.flatMap(\.self)).count == 40)
        }
    }

    /// Replies have no cursor: a page says on which side there are more.
    @Test func replies() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            _ = try await fill(room, 1)
            var times: [Timestamp] = []
            for number in 0..<40 {
                environment.advance(milliseconds: 1)
                times.append(environment.now)
                try await room.unit { transaction, record in
                    var message = Message(
                        id: "r\(number)", threadID: "t1", createdAt: transaction.now, direction: .toAgent,
                        author: Author(record.owner.customer), text: Self.greatText, status: .delivered)
                    message.parentID = "m0"
                    _ = try transaction.insert(message, into: &record, withDesk: true)
                }
            }
            let record = try room.record()
            var request = ReplyRequest()
            (request.from, request.previous, request.next) = (times[20], 100, 100)
            let page = try await store.read { [request] in try $0.replyPage(of: "m0", in: record, request) }
            #expect(page.body.count < ByteBound.page.bytes + 200_000)
            let json = try JSONParser.parse(page.body + Array("}".utf8))
            let ids = json["items"]?.array?.compactMap { $0["id"]?.string } ?? []
            #expect(ids.contains("r20") && ids.contains("r19") && ids.contains("r21"))
            #expect(json["hasPrevious"]?.bool == true && json["hasNext"]?.bool == true)
        }
    }
}
