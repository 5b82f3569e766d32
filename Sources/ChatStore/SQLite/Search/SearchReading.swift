import ChatModel
import Formats
import Synchronization

/// One search, on one snapshot of the index and one of the store's rows.
///
/// The two may differ by a moment. What the index names and the rows do not have, or have with another text, is not a
/// hit.
private struct SearchReading {
    let index: SQLiteConnection
    let rows: ReadTransaction
    let scope: SearchScope
    let query: SearchQuery
    let filter: SearchFilter
    let page: PageRequest
    let indexedTo: String

    /// Words of one scope that one expression names: an account's own threads are one word, and each thread that it has
    /// joined is another.
    private static let scopeLimit = 256
    /// The most joined threads of an account that are searched: those that come first by their ids.
    private static let joinedLimit: Int64 = 4096
    /// Hits that are read of the index at once.
    private static let portion = 256
    /// The most hits that one page passes over because the reader may not see them, or not any more, or because the filter
    /// leaves them out. The page may have few items then.
    private static let passLimit = 5000
    /// The most bytes of texts that one page looks at, and of hits that it has. It ends then, and `next` goes on.
    private static let byteLimit = 1 << 20

    func run() throws -> SearchPage {
        let (scopes, start) = (try scopes(), try start())
        var items: [[UInt8]] = []
        var next: Int64?
        if let expression = query.expression {
            let body = "body : (\(expression))"
            let expressions = scopes.map { scopes in
                stride(from: 0, to: scopes.count, by: Self.scopeLimit).map { first in
                    let words = scopes[first..<min(scopes.count, first + Self.scopeLimit)].map { "\"\($0)\"" }
                    return "scope : (\(words.joined(separator: " OR "))) AND \(body)"
                }
            }
            (items, next) = try hits(expressions ?? [body], before: start)
        }
        var json = JSONWriter(reservingCapacity: items.reduce(128) { $0 + $1.count + 1 })
        json.beginObject()
        json.name("items")
        json.beginArray()
        for item in items { json.raw(item) }
        json.endArray()
        let cursor = next.map { "s\($0)" }
        json.member("next", cursor)
        json.member("indexedTo", indexedTo)
        return SearchPage(body: json.bytes, next: cursor, indexedTo: indexedTo, offset: try rows.headOffset())
    }

    /// The words of the index's column `scope` of which a hit has one; nil for all. Throws `unknownThread`.
    ///
    /// They never name more than the reader may see: hits of others would be passed over, and tell by the page's end
    /// that they are there.
    private func scopes() throws -> [String]? {
        switch scope {
        case .thread(let id, let account):
            guard let thread = try rows.thread(id, of: account) else { throw ChatError.unknownThread(id) }
            return ["t\(thread.number)"]
        case .deskThread(let number): return ["t\(number)"]
        case .desk: return nil
        case .account(let account):
            let joined = try rows.db.all(
                """
                SELECT member.thread FROM member JOIN thread ON thread.number = member.thread
                WHERE member.account = ? AND thread.owner <> ? ORDER BY member.id LIMIT ?
                """, [.integer(account), .integer(account), .integer(Self.joinedLimit)]
            ) { $0.integer(0) }
            return ["a\(account)"] + (joined + (try rows.joinedThreads(of: account))).map { "t\($0)" }
        }
    }

    /// A hit as the index names it.
    private struct Hit {
        var place: Int64
        var thread: Int64
        var id: String
    }

    /// - Parameter expressions: a message that matches two of them is one hit.
    private func hits(_ expressions: [String], before start: Int64) throws -> (items: [[UInt8]], next: Int64?) {
        var items: [[UInt8]] = []
        var seen: [Int64: ThreadRecord?] = [:]
        var (passed, looked, byteCount) = (0, 0, 0)
        var last = start
        while true {
            let (hits, isAtEnd) = try portion(of: expressions, before: last)
            for hit in hits {
                if items.count == page.limit || passed == Self.passLimit || looked >= Self.byteLimit
                    || byteCount >= page.bytes
                {
                    return (items, last)
                }
                // Whoever has asked may have left.
                try ReadStop.check()
                last = hit.place
                let thread: ThreadRecord?
                if let known = seen[hit.thread] { thread = known } else { thread = try visible(hit.thread) }
                seen[hit.thread] = .some(thread)
                if let thread, let item = try item(hit.id, in: thread, &looked) {
                    items.append(item)
                    looked += item.count
                    byteCount += item.count
                } else {
                    passed += 1
                }
            }
            if isAtEnd { return (items, nil) }
        }
    }

    /// The next hits of all expressions, newest first, and whether there are no more.
    private func portion(of expressions: [String], before place: Int64) throws -> (hits: [Hit], isAtEnd: Bool) {
        var hits: [Hit] = []
        // Older hits than this may be missing: one of the expressions has more of them.
        var known = Int64.min
        for expression in expressions {
            let found = try index.all(
                """
                SELECT words.rowid, entry.thread, entry.id FROM words CROSS JOIN entry ON entry.place = words.rowid
                WHERE words MATCH ? AND words.rowid < ? AND words.rowid >= ? ORDER BY words.rowid DESC LIMIT ?
                """, [.text(expression), .integer(place), .integer(end), .integer(Int64(Self.portion))]
            ) { Hit(place: $0.integer(0), thread: $0.integer(1), id: $0.text(2)) }
            if found.count == Self.portion, let last = found.last { known = max(known, last.place) }
            hits += found
        }
        if expressions.count > 1 {
            hits.sort { $0.place > $1.place }
            // A thread that came to its owner by a joining is named as one that was joined, and its newer messages as
            // the owner's.
            var last: Int64?
            hits = hits.filter { hit in
                defer { last = hit.place }
                return hit.place != last
            }
        }
        return (hits.filter { $0.place >= known }, known == .min)
    }

    /// The place before which the page begins, within its times.
    private func start() throws -> Int64 {
        let start = page.times.until.map(Self.place) ?? .max
        guard let cursor = page.cursor else { return start }
        guard cursor.first == "s", let place = Int64(digits: cursor.dropFirst()) else { throw PageRequest.badCursor }
        return min(place, start)
    }

    /// The first place of the page's times.
    private var end: Int64 { page.times.since.map(Self.place) ?? .min }

    private static func place(_ time: Timestamp) -> Int64 {
        SearchBatch.place(createdAt: time.milliseconds, number: 0)
    }

    private func visible(_ number: Int64) throws -> ThreadRecord? {
        guard let thread = try rows.thread(number: number, for: scope.reader) else { return nil }
        if case .desk(let service, let channels) = scope {
            let key = thread.owner.key
            guard key.service == service, channels?.contains(key.channel) != false else { return nil }
        }
        return thread
    }

    /// A hit as JSON; nil when the message is gone, when the filter leaves it out, or when its text has changed and the
    /// index has not seen that yet.
    ///
    /// - Parameter looked: the bytes of the texts that were looked at.
    private func item(_ id: String, in thread: ThreadRecord, _ looked: inout Int) throws -> [UInt8]? {
        guard let message = try rows.message(id, in: thread)?.message, let text = message.text else { return nil }
        looked += text.utf8.count
        guard filter.contains(message), page.times.contains(message.createdAt) else { return nil }
        guard let places = query.places(in: text) else { return nil }
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.member("threadId", thread.thread.id)
        json.member("message", message)
        json.name("snippet")
        Snippet(text, places).encode(to: &json)
        guard scope.reader == .desk else {
            json.endObject()
            return json.bytes
        }
        return json.bytes + [UInt8(ascii: ",")] + thread.owner.deskMembers + [UInt8(ascii: "}")]
    }
}

/// The connections on which searches read the store's rows: one for each search that runs at the same time.
///
/// They are made when they are first needed, so that a gateway where nobody searches has none. They are not those of
/// ``ChatStore/read(_:)``, so that long searches do not keep other reads waiting.
final class SearchReaders: Sendable {
    /// The most searches at a time. More wait for a connection to the index. Where places are shared, one of them is
    /// kept for the gateway's own token.
    static let limit = 3

    private struct State {
        var idle: [any StoreReader] = []
        var isClosed = false
    }

    private let source: any SearchSource
    private let state = Mutex(State())

    init(source: any SearchSource) { self.source = source }

    /// Reads one snapshot on the calling thread.
    func reading<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        let known = try state.withLock { state in
            guard !state.isClosed else { throw ChatError(.shuttingDown, "The gateway is stopping.") }
            return state.idle.popLast()
        }
        let reader = try known ?? source.makeReader()
        defer { giveBack(reader) }
        return try reader.reading(body)
    }

    private func giveBack(_ reader: any StoreReader) {
        let isKept = state.withLock { state in
            guard !state.isClosed else { return false }
            state.idle.append(reader)
            return true
        }
        if !isKept { reader.close() }
    }

    /// Refuses searches from now on. Those that run close their connections at their end.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for reader in idle { reader.close() }
    }
}

extension ChatStore {
    /// The most searches that run at a time.
    package static var searchLimit: Int { SearchReaders.limit }
}

extension ChatStore {
    /// Opens the search index, which then follows the log. Without this call the first search opens it, and waits for
    /// that.
    public func startSearch() { search.start() }

    /// Messages whose text contains everything that is looked for, newest first. A page may have fewer items than its
    /// limit although more follow: `next` decides.
    ///
    /// Throws `unknownThread`, `invalidParameter` for a cursor of another list, and `searchUnavailable` while a
    /// damaged index is rebuilt. Within ``endingReads(_:)`` the search ends when the task is cancelled.
    public func search(
        _ scope: SearchScope, for text: String, where filter: SearchFilter = SearchFilter(), page request: PageRequest
    ) async throws(ChatError) -> SearchPage {
        let index = try search.opened()
        let query = SearchQuery(text)
        do {
            // Taken before the rows are read, so that it never claims more than the page has.
            let indexedTo = index.indexedTo.description
            let page = try await index.read { db, transaction in
                try SearchReading(
                    index: db, rows: transaction, scope: scope, query: query, filter: filter, page: request,
                    indexedTo: indexedTo
                ).run()
            }
            // Some commits take offsets and publish no event, so the index was not told of them.
            if index.indexedTo.offset < page.offset { index.schedule() }
            return page
        } catch {
            guard error is SQLiteError else { throw ChatError(storage: error) }
            index.judge(error, isReading: true)
            throw .searchUnavailable
        }
    }

    /// Returns when searches find everything that is committed now. For tests and tools.
    public func catchUpSearch() async throws(ChatError) {
        await search.settled()
        await (try search.opened()).catchUp()
    }
}
