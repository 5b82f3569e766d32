import ChatModel
import Synchronization

/// The search index, opened when it is first needed: most tests and tools never do.
final class LazySearch: Sendable {
    private enum State {
        case unopened
        case open(SearchIndex)
        case closed
    }

    private let folder: String
    private let state = Mutex(State.unopened)

    init(folder: String) { self.folder = folder }

    func opened(by store: ChatStore) throws(ChatError) -> SearchIndex {
        let result = state.withLock { state -> Result<SearchIndex, ChatError> in
            switch state {
            case .open(let index): return .success(index)
            case .closed: return .failure(ChatError(.shuttingDown, "The gateway is stopping."))
            case .unopened:
                return Result { () throws(ChatError) in
                    let index = try SearchIndex(folder: folder, feed: store.feed)
                    state = .open(index)
                    return index
                }
            }
        }
        return try result.get()
    }

    func close() async {
        let state = state.withLock { state in
            defer { state = .closed }
            return state
        }
        if case .open(let index) = state { await index.close() }
    }
}
