import ChatModel

extension ChatStore {
    /// Begins to follow the log for searches, which otherwise begins with the first of them.
    public func startSearch() { _ = try? search.opened(by: self) }

    /// Messages whose text has all that is looked for, newest first.
    ///
    /// Throws `unknownThread`, `invalidParameter` for a cursor that is none, `storageFailed`.
    public func search(_ scope: SearchScope, for text: String, page request: PageRequest) async throws(ChatError) -> SearchPage {
        let index = try search.opened(by: self)
        let (query, environment) = (SearchQuery(text), environment)
        do {
            // Before the rows are read: what it says it has, it has.
            let indexedTo = index.indexedTo.description
            let page = try await index.pool.read { db in
                try SearchReading(
                    transaction: ReadTransaction(db: db), scope: scope, query: query, page: request, environment: environment,
                    indexedTo: indexedTo
                ).run()
            }
            // Not all that takes offsets tells of it.
            if index.indexedTo.offset < page.offset { index.schedule() }
            return page
        } catch {
            throw ChatError(storage: error)
        }
    }

    /// Returns once searches find everything that is committed now.
    public func catchUpSearch() async throws(ChatError) { await (try search.opened(by: self)).catchUp() }
}
