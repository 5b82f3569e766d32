import ChatModel
import Formats
import Foundation
import TestSupport
import Testing

@testable import ChatStore

struct SearchTests {
    @Test func wordsPhrasesAndBeginningsAreFound() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", "Où est ma commande, s'il vous plaît?")
            try await room.send("m2", "Where is my ORDER number 4711")
            try await room.send("m3", "order my where")
            #expect(try await room.found("ou COMMANDE") == ["m1"])
            #expect(try await room.found("plait") == ["m1"])
            #expect(try await room.found("order") == ["m3", "m2"])
            #expect(try await room.found("\"my order\"") == ["m2"])
            #expect(try await room.found("\"my ord\"*") == ["m2"])
            #expect(try await room.found("47*") == ["m2"])
            #expect(try await room.found("47") == [])
            #expect(try await room.found("order commande") == [])
        }
    }

    @Test(arguments: [
        "", " ", "\"", "\"\"", "*", "**", "\"*", "a\"b", "AND", "OR NOT", "NEAR(a b)", "body:a", "scope:t1", "a AND b",
        "(", ")", "^a", "a+b", "-a", "{a}:b",
        "\u{0}", "a\u{0}b", "'; DROP TABLE words; --", "😀", "\u{301}", "t1", "%", "\\", "\"a\" \"",
        String(repeating: "\"a\" ", count: 60),
    ])
    func anythingMayBeLookedFor(_ text: String) async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", "nothing of that kind")
            #expect(try await room.found(text) == [])
        }
    }

    /// A gateway that stops does not wait for a thread that a busy machine leaves no time.
    @Test(arguments: [1, 4]) func aStepThatIsEndedIsUndone(after rows: Int) async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            for number in 1...6 { try await room.send("m\(number)", "word") }
            try await withFolder { folder in
                let index = try SQLiteConnection(path: folder + "/search.sqlite")
                let reader = try store.backend.makeReader()
                defer {
                    index.close()
                    reader.close()
                }
                let epoch = store.feed.epoch
                func step(isOver: @escaping () -> Bool) throws -> SearchProgress {
                    try index.transaction {
                        try reader.reading {
                            try SearchBatch(index: index, rows: $0, epoch: epoch, checkedTo: nil, isOver: isOver).run()
                        }
                    }
                }
                func entries() throws -> Int64? {
                    try index.first("/* all */ SELECT count(*) FROM entry") { $0.integer(0) }
                }
                _ = try reader.reading { try SearchProgress.begin(index, rows: $0, epoch: epoch) }
                var asked = 0
                #expect(throws: SearchBatch.Over.self) {
                    _ = try step {
                        asked += 1
                        return asked > rows
                    }
                }
                #expect(asked == rows + 1)
                #expect(try entries() == 0)
                while try !step(isOver: { false }).isAtEnd {}
                #expect(try entries() == 6)
            }
        }
    }

    /// Each word of a query is work for each hit. Words that come again are no more of them.
    @Test func ofAQueryTheFirstWordsCount() async throws {
        let words = (0..<40).map { "w\($0)" }
        let most = SearchQuery.wordLimit
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", words[..<most].joined(separator: " "))
            try await room.send("m2", words[..<(most - 1)].joined(separator: " "))
            #expect(try await room.found(words.joined(separator: " ")) == ["m1"])
            #expect(try await room.found("\"\(words.joined(separator: " "))\"") == ["m1"])
            #expect(try await room.found(String(repeating: "w0 ", count: 40) + words[most - 1]) == ["m1"])
        }
        for text in [words.joined(separator: " "), "w* \"\(words.joined(separator: " "))\"*"] {
            #expect(SearchQuery(text).terms.reduce(0) { $0 + $1.words.count } == most)
        }
        // What is left of a phrase is no beginning of a word.
        #expect(SearchQuery("\"\(words.joined(separator: " "))\"*").terms.map(\.isPrefix) == [false])
    }

    @Test func whatSyntaxCouldBeIsAWord() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", "this and that, or not near(by) t1")
            for text in ["AND", "OR", "NOT", "near(by)", "t1", "and OR not"] {
                #expect(try await room.found(text) == ["m1"], "\(text)")
            }
        }
    }

    @Test func editedAndRemovedTextsFollow() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", "alpha")
            try await room.send("m2", "alpha beta")
            #expect(try await room.found("alpha") == ["m2", "m1"])
            try await room.edit("m1", to: "gamma")
            try await room.remove("m2")
            #expect(try await room.found("alpha") == [])
            #expect(try await room.found("gamma") == ["m1"])
        }
    }

    @Test func whatTheIndexDoesNotKnowYetIsNotShownWithOldWords() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", "secret")
            #expect(try await room.found("secret") == ["m1"])
            try await room.edit("m1", to: "harmless")
            #expect(try await room.found("secret", catchesUp: false) == [])
        }
    }

    @Test func strangersFindNothing() async throws {
        try await withStore { store in
            let (one, other) = (
                try await Room.make(in: store), try await Room.make(in: store, thread: "t2", customer: "c2")
            )
            try await one.send("m1", "word")
            #expect(try await one.found("word") == ["m1"])
            #expect(try await other.found("word") == [])
            await #expect(throws: ChatError.unknownThread("t1")) {
                _ = try await store.search(
                    .thread("t1", of: other.account.number), for: "word", page: PageRequest(limit: 5, cursor: nil))
            }
            let desk = try await store.search(
                .desk(service: "local"), for: "word", page: PageRequest(limit: 5, cursor: nil))
            let hit = try JSONParser.parse(desk.body + Array("}".utf8))[path: "items"]?.array?.first
            #expect(hit?[path: "customer", "id"] == .string("c1") && hit?["channel"] == .string("multi"))
        }
    }

    /// The own threads are one word of the index, however many they are.
    @Test func anAccountWithManyThreadsFindsItsOwnPageByPage() async throws {
        try await withStore { store in
            let stranger = try await Room.make(in: store, thread: "x", customer: "c2")
            var rooms: [Room] = []
            for number in 0..<260 { rooms.append(try await Room.make(in: store, thread: "t\(number)")) }
            for number in 0..<25 {
                try await rooms[number * 10].send("m\(number)", "word")
                try await stranger.send("x\(number)", "word")
            }
            #expect(try await rooms[0].found("word", limit: 7, inAll: true) == (0..<25).reversed().map { "m\($0)" })
        }
    }

    /// Threads of others that the account has joined are named one by one, in several expressions.
    @Test func anAccountThatHasJoinedManyThreadsFindsThemInOrder() async throws {
        try await withStore { store in
            let own = try await Room.make(in: store, thread: "own", customer: "c1")
            for number in 0..<300 {
                let room = try await Room.make(in: store, thread: "t\(number)", customer: "c2")
                try await room.unit { transaction, record in try transaction.add(own.account, as: .joined, to: &record)
                }
                if number % 10 == 0 { try await room.send("m\(number)", "word") }
                if number % 50 == 0 { try await own.send("o\(number)", "word") }
            }
            var expected: [String] = []
            for number in (0..<300).reversed() {
                if number % 50 == 0 { expected.append("o\(number)") }
                if number % 10 == 0 { expected.append("m\(number)") }
            }
            #expect(try await own.found("word", limit: 7, inAll: true) == expected)
        }
    }

    @Test func aSnippetIsTextWithRangesInUnitsOfUTF16() {
        let text = "😀 a wörd and word"
        #expect(Snippet(text, SearchQuery("word").places(in: text) ?? []).ranges == [5..<9, 14..<18])
        #expect(Snippet(text, []).text == text)
    }

    @Test func aLongTextIsCutBetweenCharacters() throws {
        let family = "👨‍👩‍👧‍👦"
        let text = String(repeating: family, count: 300) + "word" + String(repeating: family, count: 300)
        let snippet = Snippet(text, try #require(SearchQuery("word").places(in: text)))
        #expect(snippet.text.hasPrefix("…" + family) && snippet.text.hasSuffix(family + "…"))
        let range = try #require(snippet.ranges.first)
        #expect(String(Array(snippet.text.utf16)[range].map { Character(Unicode.Scalar($0)!) }) == "word")
        #expect(snippet.text.utf16.count <= Snippet.maximumLength + 2)
    }

    /// Of a text of 64 KiB that is nothing but hits, the ranges in the piece are found, and no more is looked for.
    @Test func aTextFullOfHitsIsMarkedInItsPiece() throws {
        let text = String(repeating: "a ", count: 32_768)
        let places = try #require(SearchQuery("a").places(in: text))
        #expect(places.count == 256)
        let snippet = Snippet(text, places)
        #expect(snippet.ranges.count == 100 && snippet.text.utf16.count == 201)
    }

    /// A page looks at a bounded amount of text, and `next` goes on.
    @Test func aPageOfLongTextsIsShort() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            let text = String(repeating: "a ", count: 32_768)
            for number in 0..<40 { try await room.send("m\(number)", text) }
            try await store.catchUpSearch()
            let page = try await store.search(
                .account(room.account.number), for: "a", page: PageRequest(limit: 200, cursor: nil))
            #expect(page.next != nil && page.body.count < 2 << 20)
            #expect(try await room.found("a", limit: 200).count == 40)
        }
    }

    @Test func anIndexThatIsMissingOrForeignOrDamagedIsBuiltAnew() async throws {
        try await withFolder { folder in
            let environment = TestEnvironment()
            func run(_ body: (ChatStore) async throws -> Void) async throws {
                let store = try openStore(folder: folder, environment: environment.environment)
                try await body(store)
                await store.close()
            }
            func room(_ store: ChatStore) throws -> Room {
                let account = try store.readBlocking {
                    try $0.account(AccountKey(service: "local", channel: "multi", customer: "c1"))
                }
                return Room(store: store, account: try #require(account), thread: "t1")
            }
            try await run { store in
                let room = try await Room.make(in: store)
                for number in 0..<1200 { try await room.send("m\(number)", "word \(number)") }
                try await room.remove("m3")
            }
            let file = folder + "/search.sqlite"
            for damage in ["missing", "text", "foreign"] {
                try await run { store in
                    let room = try room(store)
                    #expect(try await room.found("7") == ["m7"], "\(damage)")
                    #expect(try await room.found("word", limit: 200).count == 1199)
                }
                switch damage {
                case "missing": try FileManager.default.removeItem(atPath: file)
                case "text": try Data("no database at all".utf8).write(to: URL(fileURLWithPath: file))
                default: break
                }
            }
        }
    }

    /// While the gateway runs as well: nobody restarts it for a search.
    @Test(arguments: ["cut", "garbage", "other tables"]) func anIndexThatIsDamagedMeanwhileIsBuiltAnew(
        damage: String
    ) async throws {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            let room = try await Room.make(in: store)
            for number in 0..<300 { try await room.send("m\(number)", "word \(number)") }
            #expect(try await room.found("7") == ["m7"])
            let file = folder + "/search.sqlite"
            switch damage {
            case "cut", "garbage":
                let length = damage == "cut" ? 0 : 40_000
                try Data(repeating: 7, count: length).write(to: URL(fileURLWithPath: file))
                try Data(repeating: 7, count: length).write(to: URL(fileURLWithPath: file + "-wal"))
            default: try store.search.opened().writer.use { try $0.execute("DROP TABLE entry") }
            }
            try await room.send("new", "word new")
            // The index follows the log by itself: it may have found the damage already, and be rebuilt now.
            if let index = try? store.search.opened() { await index.catchUp() }
            // What is damaged may show at a search only: first for what reads, then for what writes. The answer says
            // that it is worth another try.
            for _ in 0..<3 {
                do throws(ChatError) {
                    _ = try await store.search(
                        .thread("t1", of: room.account.number), for: "7", page: PageRequest(limit: 10, cursor: nil))
                    break
                } catch {
                    #expect(error.code == .searchUnavailable)
                    await store.search.settled()
                }
            }
            #expect(try await room.found("7") == ["m7"])
            #expect(try await room.found("word", limit: 200).count == 301)
            await store.close()
        }
    }

    @Test func anIndexThatIsDamagedAgainAndAgainIsRebuiltLessOften() {
        let delays = [0, 1, 2, 3, 4, 5, 6, 7, 100].map { LazySearch.delayInSeconds(afterRebuilds: $0) }
        #expect(delays == [0, 1, 2, 4, 8, 16, 30, 30, 30])
    }

    @Test func aFolderInThePlaceOfTheIndexGivesWay() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/search.sqlite/below", withIntermediateDirectories: true)
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            let room = try await Room.make(in: store)
            try await room.send("m1", "word")
            #expect(try await room.found("word") == ["m1"])
            await store.close()
        }
    }

    /// Words of removed messages are not in the file any more.
    @Test func removedWordsLeaveTheFile() async throws {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            let room = try await Room.make(in: store)
            for number in 0..<200 {
                try await room.send("m\(number)", "filler \(number)")
                if number % 10 == 0 { try await store.catchUpSearch() }
            }
            try await room.send("m", "xylophonequartz")
            #expect(try await room.found("xylophone*") == ["m"])
            try await room.remove("m")
            try await store.catchUpSearch()
            try store.search.opened().clean()
            #expect(try await room.found("filler", limit: 200).count == 200)
            await store.close()
            for name in ["search.sqlite", "search.sqlite-wal"] {
                let bytes = (try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))) ?? Data()
                #expect(bytes.range(of: Data("xylophonequartz".utf8)) == nil, "\(name)")
                #expect(bytes.range(of: Data("phonequartz".utf8)) == nil, "\(name)")
            }
        }
    }

    /// The rows of the index, by threads.
    private func indexedThreads(_ store: ChatStore) async throws -> Set<Int64> {
        try await store.catchUpSearch()
        let index = try store.search.opened()
        return try await index.readers.reading { db in
            Set(
                try db.all("/* all */ SELECT entry.thread FROM entry JOIN words ON words.rowid = entry.place") {
                    $0.integer(0)
                })
        }
    }

    @Test func aRemovedThreadIsForgotten() async throws {
        try await withStore { store in
            let (gone, kept) = (
                try await Room.make(in: store), try await Room.make(in: store, thread: "t2", customer: "c2")
            )
            for number in 0..<600 { try await gone.send("m\(number)", "word \(number)") }
            try await kept.send("m1", "word")
            let (first, second) = (try gone.record().number, try kept.record().number)
            #expect(try await indexedThreads(store) == [first, second])
            try await store.write { try $0.removeRemoteThread("t1", of: gone.account.number) }
            #expect(try await indexedThreads(store) == [second])
            #expect(try await kept.found("word") == ["m1"])
        }
    }

    /// A cache that is only filled anew tells of nothing.
    @Test func threadsThatWentWithoutAnEventAreForgottenByTheSweep() async throws {
        try await withStore { store in
            let (gone, kept) = (
                try await Room.make(in: store), try await Room.make(in: store, thread: "t2", customer: "c2")
            )
            for room in [gone, kept] { try await room.send("m1", "word") }
            #expect(try await indexedThreads(store).count == 2)
            _ = try await store.write { try $0.clearCache(of: gone.account.number, limit: 5) }
            await store.sweepFiles()
            #expect(try await indexedThreads(store) == [try kept.record().number])
        }
    }

    @Test func anIndexThatWasAwayForgetsThreadsAtItsStart() async throws {
        try await withFolder { folder in
            let environment = TestEnvironment().environment
            var store = try openStore(folder: folder, environment: environment)
            let (gone, kept) = (
                try await Room.make(in: store), try await Room.make(in: store, thread: "t2", customer: "c2")
            )
            for room in [gone, kept] { try await room.send("m1", "word") }
            let second = try kept.record().number
            #expect(try await indexedThreads(store).count == 2)
            _ = try await store.write { [account = gone.account.number] in try $0.clearCache(of: account, limit: 5) }
            await store.close()
            store = try openStore(folder: folder, environment: environment)
            #expect(try await indexedThreads(store) == [second])
            await store.close()
        }
    }

    /// Random histories: what is found is what a scan of all messages finds, whether the index has followed or was
    /// built at the end.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func itFindsWhatAScanFinds(seed: UInt64) async throws {
        try await withFolder { folder in
            var generator = SeededGenerator(seed: seed)
            let environment = TestEnvironment()
            var store = try openStore(folder: folder, environment: environment.environment)
            var rooms = [
                try await Room.make(in: store), try await Room.make(in: store, thread: "t2"),
                try await Room.make(in: store, thread: "t3", customer: "c2"),
            ]
            let vocabulary = [
                "Straße", "cafe", "CAFÉ", "order", "Order4711", "ordering", "naïve", "日本", "x", "42", "e\u{301}te",
                "été",
            ]
            var texts: [[String: (text: String, order: Int)]] = [[:], [:], [:]]
            for step in 0..<250 {
                environment.advance(milliseconds: Int64.random(in: 0...3, using: &generator))
                let index = Int.random(in: 0..<3, using: &generator)
                let known = texts[index].keys.sorted().randomElement(using: &generator)
                let text = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                    vocabulary.randomElement(using: &generator)!
                }.joined(separator: [" ", ", ", "-"].randomElement(using: &generator)!)
                switch Int.random(in: 0..<12, using: &generator) {
                case 0:
                    guard let known else { continue }
                    try await rooms[index].remove(known)
                    texts[index][known] = nil
                case 1, 2:
                    guard let known else { continue }
                    try await rooms[index].edit(known, to: text)
                    texts[index][known]?.text = text
                case 3:
                    await store.close()
                    if Bool.random(using: &generator) {
                        try? FileManager.default.removeItem(atPath: folder + "/search.sqlite")
                    }
                    store = try openStore(folder: folder, environment: environment.environment)
                    rooms = rooms.map { Room(store: store, account: $0.account, thread: $0.thread) }
                default:
                    try await rooms[index].send("m\(step)", text)
                    texts[index]["m\(step)"] = (text, step)
                }
                guard step % 10 == 0 else { continue }
                var words = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
                    vocabulary.randomElement(using: &generator)!
                }
                let isPhrase = Bool.random(using: &generator)
                if !isPhrase, Bool.random(using: &generator) { words[0] = String(words[0].prefix(3)) + "*" }
                let query = isPhrase ? "\"\(words.joined(separator: " "))\"" : words.joined(separator: " ")
                let own = texts[0].merging(texts[1]) { first, _ in first }
                let expected = own.filter { NaiveSearch.matches($0.value.text, words, isPhrase: isPhrase) }
                    .sorted { $0.value.order > $1.value.order }.map(\.key)
                let limit = Int.random(in: 1...20, using: &generator)
                #expect(
                    try await rooms[0].found(query, limit: limit, inAll: true) == expected,
                    "\(query) after \(step) steps")
            }
            await store.close()
        }
    }
}

/// The rules of matching, told once more.
enum NaiveSearch {
    static func words(_ text: String) -> [String] {
        text.decomposedStringWithCanonicalMapping.lowercased().unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark }
            .split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }.map {
                String(String.UnicodeScalarView($0))
            }
    }

    static func matches(_ text: String, _ terms: [String], isPhrase: Bool) -> Bool {
        let words = words(text)
        if isPhrase { return words.contains(Self.words(terms.joined(separator: " "))) }
        return terms.allSatisfy { term in
            let wanted = Self.words(term)[0]
            return words.contains { term.hasSuffix("*") ? $0.hasPrefix(wanted) : $0 == wanted }
        }
    }
}

extension Room {
    /// The ids of all that is found, page after page.
    func found(_ text: String, limit: Int = 50, inAll: Bool = false, catchesUp: Bool = true) async throws -> [String] {
        if catchesUp { try await store.catchUpSearch() }
        var ids: [String] = []
        var cursor: String?
        repeat {
            let page = try await store.search(
                inAll ? .account(account.number) : .thread(thread, of: account.number), for: text,
                page: PageRequest(limit: limit, cursor: cursor))
            let json = try JSONParser.parse(page.body + Array("}".utf8))
            ids += (json["items"]?.array ?? []).compactMap { $0[path: "message", "id"]?.string }
            if catchesUp { #expect(json["indexedTo"]?.string == store.feed.headCursor.description) }
            cursor = page.next
        } while cursor != nil
        return ids
    }
}
