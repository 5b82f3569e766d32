import ChatModel

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
            index.note(error, isReading: true)
            throw .searchUnavailable
        }
    }

    /// Returns when searches find everything that is committed now. For tests and tools.
    public func catchUpSearch() async throws(ChatError) {
        await search.settled()
        await (try search.opened()).catchUp()
    }
}
