import ChatModel
import Dispatch
import Synchronization

/// The search index, opened when it is first needed: most tests and tools never do.
///
/// An index that is damaged, or that cannot be opened, is closed and built anew behind the scenes. Until it is open again
/// searches are refused with `searchUnavailable`; nothing else notices.
final class LazySearch: Sendable {
    private enum State {
        case unopened
        case open(SearchIndex)
        /// Being made anew.
        case broken
        case closed
    }

    private let folder: String
    private let feed: EventFeed
    private let state = Mutex(State.unopened)
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let queue = DispatchQueue(label: "search-repair")

    /// How often it was made anew without ever getting up to date.
    private let rebuilds = Mutex(0)

    /// Between two tries to make it anew, at most.
    private static let longestDelayInSeconds = 30

    /// How long the next rebuild waits: whatever damages the index, the database above all, may do it each time.
    static func delayInSeconds(afterRebuilds count: Int) -> Int {
        count == 0 ? 0 : min(1 << min(count - 1, 8), longestDelayInSeconds)
    }

    init(folder: String, feed: EventFeed) {
        self.folder = folder
        self.feed = feed
    }

    /// Throws `searchUnavailable` while it is made anew, `shuttingDown`.
    func opened() throws(ChatError) -> SearchIndex {
        let (result, isFirstFailure) = state.withLock { state -> (Result<SearchIndex, ChatError>, Bool) in
            switch state {
            case .open(let index): return (.success(index), false)
            case .broken: return (.failure(.searchUnavailable), false)
            case .closed: return (.failure(ChatError(.shuttingDown, "The gateway is stopping.")), false)
            case .unopened:
                do {
                    let index = try makeIndex(discarding: false)
                    state = .open(index)
                    return (.success(index), false)
                } catch {
                    state = .broken
                    return (.failure(.searchUnavailable), true)
                }
            }
        }
        if isFirstFailure { repair(after: 1) }
        return try result.get()
    }

    /// Lets the index forget threads that are gone, if there is one.
    func forgetRemovedThreads() {
        let index = state.withLock { state -> SearchIndex? in
            if case .open(let index) = state { index } else { nil }
        }
        index?.forgetRemovedThreads()
    }

    private func makeIndex(discarding: Bool) throws(ChatError) -> SearchIndex {
        try SearchIndex(folder: folder, feed: feed, discarding: discarding) { [weak self] in self?.replace($0) }
    }

    /// The index cannot go on.
    private func replace(_ index: SearchIndex) {
        let isMine = state.withLock { state in
            guard case .open(let current) = state, current === index else { return false }
            state = .broken
            return true
        }
        guard isMine else { return }
        let count = rebuilds.withLock { count in
            if index.hasReachedEnd { count = 0 }
            defer { count += 1 }
            return count
        }
        Task { [self] in
            await index.close()
            repair(after: Self.delayInSeconds(afterRebuilds: count))
        }
    }

    private func repair(after seconds: Int) {
        queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            guard let self, isBroken else { return }
            guard let index = try? makeIndex(discarding: true) else {
                return repair(after: min(max(1, 2 * seconds), Self.longestDelayInSeconds))
            }
            let isTaken = state.withLock { state in
                guard case .broken = state else { return false }
                state = .open(index)
                return true
            }
            if !isTaken { Task { await index.close() } }
            resumeWaiting()
        }
    }

    private var isBroken: Bool {
        state.withLock { state in
            if case .broken = state { true } else { false }
        }
    }

    /// Returns when it is not being made anew.
    func settled() async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
            if !isBroken { resumeWaiting() }
        }
    }

    private func resumeWaiting() {
        let due = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for one in due { one.resume() }
    }

    func close() async {
        let state = state.withLock { state in
            defer { state = .closed }
            return state
        }
        if case .open(let index) = state { await index.close() }
        resumeWaiting()
    }
}

extension ChatError {
    static let searchUnavailable = ChatError(
        .searchUnavailable, "The search index was damaged and is being built anew. Messages are not concerned.")
}
