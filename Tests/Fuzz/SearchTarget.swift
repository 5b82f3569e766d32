import ChatModel
import ChatStore
import Synchronization

extension Target {
    /// A search expression, and after the first line feed a message's text: SQLite takes the expression whatever it is,
    /// and the snippet lies in the text.
    static let search = Target("search") { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let query = SearchQuery(Array(parts.first ?? []).text)
        let body = parts.count > 1 ? Array(parts[1]).text : "hello wörld"
        guard let expression = query.expression else { return }
        do {
            try words.withLock { db in
                db.takeOver()
                try db.run(
                    "SELECT rowid FROM words WHERE words MATCH ?",
                    [.text("scope : (\"t1\") AND body : (\(expression))")])
            }
        } catch {
            throw BrokenRule(description: "SQLite refuses the expression \(expression): \(error)")
        }
        guard let places = query.places(in: body) else { return }
        let snippet = Snippet(body, places)
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

    private static let words: Mutex<SQLiteConnection> = {
        do {
            let db = try SQLiteConnection()
            // As SearchProgress makes it.
            try db.execute("CREATE VIRTUAL TABLE words USING fts5(scope, body, tokenize = 'ascii')")
            return Mutex(db)
        } catch {
            preconditionFailure("SQLite in memory does not open: \(error)")
        }
    }()
}
