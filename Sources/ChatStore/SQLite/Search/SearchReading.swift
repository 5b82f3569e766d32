import ChatModel
import Formats
import GRDB

/// One search, on one snapshot of the index and one of the store's rows.
///
/// The two may differ by a moment. What the index names and the rows do not have, or have with another text, is not a
/// hit.
struct SearchReading {
    let index: Database
    let rows: ReadTransaction
    let scope: SearchScope
    let query: SearchQuery
    let page: PageRequest
    let environment: ModelEnvironment
    let indexedTo: String

    /// An account with more threads is searched through the words of all accounts, and other accounts' hits are
    /// passed over.
    private static let threadLimit: Int64 = 256
    /// The most hits that one page passes over because the reader may not see them. The page may have few items then.
    private static let passLimit = 5000

    func run() throws -> SearchPage {
        let (threads, start) = (try threads(), try start())
        var items: [[UInt8]] = []
        var next: Int64?
        if let expression = query.expression, threads?.isEmpty != true {
            let prefix = threads.map { "scope : (\($0.map { "\"t\($0)\"" }.joined(separator: " OR "))) AND " } ?? ""
            (items, next) = try hits("\(prefix)body : (\(expression))", before: start)
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

    /// The numbers of the threads to search; nil for all. Throws `unknownThread`.
    private func threads() throws -> [Int64]? {
        switch scope {
        case .thread(let id, let account):
            guard let thread = try rows.thread(id, of: account) else { throw ChatError.unknownThread(id) }
            return [thread.number]
        case .deskThread(let number): return [number]
        case .desk: return nil
        case .account(let account):
            let numbers = try rows.db.all(
                "SELECT thread FROM member WHERE account = ? LIMIT ?",
                [.integer(account), .integer(Self.threadLimit + 1)]
            ) { $0.integer(0) }
            return numbers.count > Self.threadLimit ? nil : numbers
        }
    }

    private func hits(_ expression: String, before start: Int64) throws -> (items: [[UInt8]], next: Int64?) {
        var items: [[UInt8]] = []
        var seen: [Int64: ThreadRecord?] = [:]
        var passed = 0
        var last: Int64 = 0
        var next: Int64?
        try index.query(
            """
            SELECT words.rowid, entry.thread, entry.id FROM words CROSS JOIN entry ON entry.place = words.rowid
            WHERE words MATCH ? AND words.rowid < ? ORDER BY words.rowid DESC
            """, [.text(expression), .integer(start)]
        ) { row in
            let (place, number) = (row.integer(0), row.integer(1))
            if items.count == page.limit || passed == Self.passLimit {
                next = last
                return false
            }
            last = place
            let thread: ThreadRecord?
            if let known = seen[number] { thread = known } else { thread = try visible(number) }
            seen[number] = .some(thread)
            if let thread, let item = try item(row.text(2), in: thread, at: place, expression) {
                items.append(item)
            } else {
                passed += 1
            }
            return true
        }
        return (items, next)
    }

    private func start() throws -> Int64 {
        guard let cursor = page.cursor else { return .max }
        guard cursor.first == "s", let place = Int64(digits: cursor.dropFirst()) else { throw PageRequest.badCursor }
        return place
    }

    private func visible(_ number: Int64) throws -> ThreadRecord? {
        guard let thread = try rows.thread(number: number, for: scope.reader) else { return nil }
        if case .desk(let service) = scope, thread.owner.key.service != service { return nil }
        return thread
    }

    /// A hit as JSON; nil when the message is gone, or when its text has changed and the index has not seen that yet.
    private func item(_ id: String, in thread: ThreadRecord, at place: Int64, _ expression: String) throws -> [UInt8]? {
        guard let message = try rows.message(id, in: thread)?.message else { return nil }
        // The mark is random, so no message can contain it.
        let mark = "\u{1}\(UInt64(environment.random() * 0x1p53))\u{2}"
        let found = try index.first(
            "SELECT highlight(words, 1, ?1, ?1), body FROM words WHERE words MATCH ?2 AND rowid = ?3",
            [.text(mark), .text(expression), .integer(place)]
        ) { (marked: $0.text(0), body: $0.text(1)) }
        guard let found, message.text == found.body else { return nil }
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.member("threadId", thread.thread.id)
        json.member("message", message)
        json.name("snippet")
        Snippet(marked: found.marked, mark: mark).encode(to: &json)
        guard scope.reader == .desk else {
            json.endObject()
            return json.bytes
        }
        return json.bytes + [UInt8(ascii: ",")] + thread.owner.deskMembers + [UInt8(ascii: "}")]
    }
}
