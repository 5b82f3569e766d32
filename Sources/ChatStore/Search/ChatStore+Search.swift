import ChatModel
import GRDB

extension ChatStore {
    /// Begins to follow the log for searches, which otherwise begins with the first of them.
    public func startSearch() { _ = try? search.opened() }

    /// Messages whose text has all that is looked for, newest first.
    ///
    /// Throws `unknownThread`, `invalidParameter` for a cursor that is none, `searchUnavailable` while a damaged index is built anew.
    public func search(_ scope: SearchScope, for text: String, page request: PageRequest) async throws(ChatError) -> SearchPage {
        let index = try search.opened()
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
            guard error is DatabaseError else { throw ChatError(storage: error) }
            index.note(error, isReading: true)
            throw .searchUnavailable
        }
    }

    /// Returns once searches find everything that is committed now.
    public func catchUpSearch() async throws(ChatError) {
        await search.settled()
        await (try search.opened()).catchUp()
    }
}
