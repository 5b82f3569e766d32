import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

/// The conditions of lists of threads and of searches, beside those of state, time and words.
@Suite struct ListFilterTests {
    /// Threads of three customers, by the members and the custom type of each.
    private static let threads: [(id: String, members: [String], type: String?)] = [
        ("a", ["c1"], nil), ("b", ["c1", "c2"], "order"), ("c", ["c1", "c2", "c3"], "order-late"),
        ("d", ["c1", "c3"], "ORDER"), ("e", ["c1"], "órder_%"),
    ]

    /// Who is in a remote service's thread stands in its JSON alone.
    @Test func threadsOfARemoteServiceAreFilteredByMembers() async throws {
        try await withStore(onBothEngines: true) { store in
            let odd = #"q"é\/{"id":"c2"}"#
            let account = try await store.write { transaction in
                let account = try transaction.openAccount(
                    AccountKey(service: "remote", channel: "multi", customer: "c1"))
                for (id, others) in [("a", []), ("b", ["c2"]), ("c", ["c2", "c3"]), ("d", [odd])] {
                    var thread = ChatThread(id: id, createdAt: transaction.now, members: [])
                    thread.state = .ready
                    thread.agent = Agent(id: "c9", name: "Nobody")
                    var remote = RemoteThread(thread)
                    remote.others = others.map { Customer(id: $0) }
                    try transaction.merge(remote, of: account.number)
                }
                return account.number
            }
            for (members, wanted) in [
                (["c1"], "abcd"), (["c2"], "bc"), (["c3", "c2"], "c"), (["c9"], ""), (["c"], ""), ([odd], "d"),
                ([odd, "c2"], ""),
            ] {
                let query = ThreadQuery(members: Set(members))
                let (listed, contained) = try await store.read { transaction in
                    let listed = try transaction.threads(of: account, query, after: .first, limit: 10).rows
                    let all = try transaction.openThreads(of: account, limit: 10)
                    return (
                        listed.map(\.id).sorted().joined(),
                        all.filter { query.contains($0.thread, $0.members[0].membership) }.map(\.thread.id).sorted()
                            .joined()
                    )
                }
                #expect(listed == wanted && contained == wanted, "\(members): \(listed), \(contained)")
            }
        }
    }

    @Test(arguments: [
        (ThreadQuery(), "abcde"), (ThreadQuery(members: ["c2"]), "bc"), (ThreadQuery(members: ["c3", "c2"]), "c"),
        (ThreadQuery(members: ["c1"]), "abcde"), (ThreadQuery(members: ["c"]), ""),
        (ThreadQuery(customTypePrefix: "order"), "bc"), (ThreadQuery(customTypePrefix: "order-"), "c"),
        (ThreadQuery(customTypePrefix: "órder_%"), "e"), (ThreadQuery(customTypePrefix: "rder"), ""),
        (ThreadQuery(customTypePrefix: "order", members: ["c3"]), "c"),
        (ThreadQuery(nameContains: "THREAD OF", customTypePrefix: "order"), "bc"),
    ])
    func threadsAreFilteredByMembersAndTheBeginningOfTheirType(query: ThreadQuery, wanted: String) async throws {
        try await withStore { store in
            let first = try await store.write { transaction in
                let people = try Dictionary(
                    uniqueKeysWithValues: ["c1", "c2", "c3"].map { id in
                        let key = AccountKey(service: "local", channel: "multi", customer: id)
                        return (id, try transaction.openAccount(key))
                    })
                for (id, members, type) in Self.threads {
                    guard let owner = people["c1"] else { continue }
                    var record = try transaction.insert(
                        ChatThread(id: id, createdAt: transaction.now, members: [owner.customer]), owner: owner)
                    record.thread.state = .ready
                    record.thread.customType = type
                    record.thread.name = "Thread of \(members.joined(separator: ", "))"
                    for member in members.dropFirst() {
                        if let account = people[member] { try transaction.add(account, as: .invited, to: &record) }
                    }
                    try transaction.announceToDesk(&record)
                    try transaction.save(&record, logging: .threadCreated, withDesk: true)
                }
                return people["c1"]?.number ?? 0
            }
            let request = PageRequest(limit: 2, cursor: nil)
            for isDesk in [false, true] {
                var (ids, request) = ([String](), request)
                repeat {
                    let page = try Page(
                        await store.read { [request] in
                            isDesk
                                ? try $0.deskThreadPage(query, request) : try $0.threadPage(of: first, query, request)
                        })
                    ids += page.ids
                    request.cursor = page.next
                    for item in page.items {
                        let thread = try ChatThread(json: item)
                        #expect(query.contains(thread, of: ThreadOwner(channel: "multi", customer: "c1")))
                    }
                } while request.cursor != nil
                #expect(ids.sorted().joined() == wanted, "at the desk: \(isDesk)")
            }
        }
    }

    /// A person may be let in before somebody has said what they see.
    @Test func ofNoChannelNothingIsThere() async throws {
        try await withStore { store in
            try await store.write { transaction in
                let key = AccountKey(service: "local", channel: "multi", customer: "c1")
                let owner = try transaction.openAccount(key)
                var record = try transaction.insert(
                    ChatThread(id: "a", createdAt: transaction.now, members: [owner.customer]), owner: owner)
                record.thread.state = .ready
                try transaction.announceToDesk(&record)
                try transaction.save(&record, logging: .threadCreated, withDesk: true)
            }
            for (channels, count) in [(nil, 1), (["multi"], 1), (["other"], 0), ([], 0)] as [(Set<String>?, Int)] {
                var query = ThreadQuery()
                query.channels = channels
                let page = try await store.read { [query] in
                    try $0.deskThreadPage(query, PageRequest(limit: 9, cursor: nil))
                }
                #expect(try Page(page).ids.count == count)
            }
        }
    }

    @Test(arguments: [
        (SearchFilter(), "654321"), (SearchFilter(types: [.text]), "65432"), (SearchFilter(types: [.richLink]), "1"),
        (SearchFilter(types: [.richLink, .file, .text]), "654321"), (SearchFilter(senderKinds: [.customer]), "531"),
        (SearchFilter(senderKinds: [.agent]), "642"), (SearchFilter(senderKinds: [.bot, .system]), ""),
        (SearchFilter(senderIDs: ["a1"]), "642"), (SearchFilter(senderIDs: ["c1", "nobody"]), "531"),
        (SearchFilter(senderIDs: ["A1"]), ""), (SearchFilter(types: [.richLink], senderIDs: ["a1"]), ""),
        (SearchFilter(types: [.text], senderKinds: [.customer], senderIDs: ["c1"]), "53"),
        (SearchFilter(types: []), ""),
        (SearchFilter(senderIDs: ["", "\"", "a1\" OR body : \"word"]), ""),
    ])
    func searchesAreFilteredByTypeAndSender(filter: SearchFilter, wanted: String) async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            for number in 1...6 {
                try await room.send("\(number)", "word", number % 2 == 0 ? .toClient : .toAgent)
            }
            try await room.unit { transaction, record in
                guard var message = try transaction.message("1", in: record) else { return }
                message.message.type = .richLink
                try transaction.save(&message, in: &record, withDesk: true)
            }
            try await store.catchUpSearch()
            for scope in [SearchScope.account(room.account.number), .desk(service: "local")] {
                var (ids, cursor): ([String], String?) = ([], nil)
                repeat {
                    let page = try await store.search(
                        scope, for: "word", where: filter, page: PageRequest(limit: 2, cursor: cursor))
                    ids +=
                        try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array?.compactMap {
                            $0[path: "message", "id"]?.string
                        } ?? []
                    cursor = page.next
                } while cursor != nil
                #expect(ids.joined() == wanted)
            }
        }
    }

    /// The type is that of the row, not that of the time at which the index saw the words.
    @Test func aMessageIsFoundByTheTypeThatItHasNow() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", "word")
            try await store.catchUpSearch()
            try await room.unit { transaction, record in
                guard var message = try transaction.message("m1", in: record) else { return }
                message.message.type = .richLink
                try transaction.save(&message, in: &record, withDesk: true)
            }
            try await store.catchUpSearch()
            for (type, count) in [(MessageType.text, 0), (.richLink, 1)] {
                let page = try await store.search(
                    .account(room.account.number), for: "word", where: SearchFilter(types: [type]),
                    page: PageRequest(limit: 5, cursor: nil))
                #expect(try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array?.count == count)
            }
        }
    }
}
