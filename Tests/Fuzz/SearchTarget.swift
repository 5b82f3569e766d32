import ChatModel
import ChatStore
import GRDB
import Synchronization

extension Target {
    /// A search expression, and after the first line feed a message's text: SQLite takes the expression whatever it is,
    /// and the snippet lies in the text.
    static let search = Target("search") { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let query = SearchQuery(Array(parts.first ?? []).text)
        // Like the index's, which never holds a NUL.
        let body = (parts.count > 1 ? Array(parts[1]).text : "hello wörld").filter {
            $0 != "\0" && $0 != "\u{1}" && $0 != "\u{2}"
        }
        guard let expression = query.expression else { return }
        let mark = "\u{1}7\u{2}"
        let marked: String?
        do {
            marked = try words.withLock { queue in
                try queue.write { db in
                    try db.execute(sql: "DELETE FROM words")
                    try db.execute(sql: "INSERT INTO words (rowid, scope, body) VALUES (1, 't1', ?)", arguments: [body])
                    return try String.fetchOne(
                        db, sql: "SELECT highlight(words, 1, ?1, ?1) FROM words WHERE words MATCH ?2",
                        arguments: [mark, "scope : (\"t1\") AND body : (\(expression))"])
                }
            }
        } catch {
            throw BrokenRule(description: "SQLite refuses the expression \(expression): \(error)")
        }
        guard let marked else { return }
        let snippet = Snippet(marked: marked, mark: mark)
        let count = snippet.text.utf16.count
        try expect(count <= Snippet.maximumLength + 2 + 64, "a snippet of \(count) units")
        var last = 0
        for range in snippet.ranges {
            try expect(
                !range.isEmpty && range.lowerBound >= last && range.upperBound <= count,
                "\(snippet.ranges) of \(count) units")
            last = range.upperBound
        }
    }

    private static let words: Mutex<DatabaseQueue> = {
        do {
            let queue = try DatabaseQueue()
            // As SearchProgress makes it.
            try queue.write { db in
                try db.execute(
                    sql:
                        "CREATE VIRTUAL TABLE words USING fts5(scope, body, tokenize = 'unicode61 remove_diacritics 2')"
                )
            }
            return Mutex(queue)
        } catch {
            preconditionFailure("SQLite in memory does not open: \(error)")
        }
    }()
}
