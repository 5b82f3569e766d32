import ChatModel
import Synchronization

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
