import ChatModel
import Dispatch
import Synchronization

/// The search index, opened when it is first needed, because most tests and tools never search.
///
/// An index that is damaged, or cannot be opened, is closed and rebuilt in the background. Until it is open again,
/// searches throw `searchUnavailable`; everything else goes on.
package final class LazySearch: Sendable {
    private enum State {
        case unopened
        case open(SearchIndex)
        /// The index is being rebuilt.
        case broken
        case closed
    }

    private let folder: String
    private let source: any SearchSource
    private let state = Mutex(State.unopened)
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let queue = DispatchQueue(label: "search-repair")

    /// The rebuilds since the index was last up to date.
    private let rebuilds = Mutex(0)

    /// The longest pause before a rebuild.
    private static let longestDelayInSeconds = 30

    /// The pause before the next rebuild: 0, then 1, 2, 4 seconds and so on. A fault that damages the index each
    /// time, such as a damaged database, must not keep the machine busy.
    static func delayInSeconds(afterRebuilds count: Int) -> Int {
        count == 0 ? 0 : min(1 << min(count - 1, 8), longestDelayInSeconds)
    }

    /// - Parameter folder: where the index stands, in the file `search.sqlite`.
    package init(folder: String, source: any SearchSource) {
        self.folder = folder
        self.source = source
    }

    /// Opens the index, which then follows the log.
    package func start() { _ = try? opened() }

    /// The offset up to which the index has everything; 0 while it is built, or not open.
    package var indexedTo: Int64 { open?.indexedTo.offset ?? 0 }

    private var open: SearchIndex? {
        state.withLock { state in
            if case .open(let index) = state { index } else { nil }
        }
    }

    /// The index, opened if it was not. Throws `searchUnavailable` while it is rebuilt, `shuttingDown` after
    /// ``close()``.
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
        // What is no index has been discarded already. Perhaps the rows could not be reached: then the index is good.
        if isFirstFailure { repair(after: 1, discarding: false) }
        return try result.get()
    }

    /// Makes an open index look for threads that were removed. Does nothing when it is not open.
    func forgetRemovedThreads() { open?.forgetRemovedThreads() }

    private func makeIndex(discarding: Bool) throws(ChatError) -> SearchIndex {
        try SearchIndex(folder: folder, source: source, discarding: discarding) { [weak self] in self?.replace($0) }
    }

    /// Begins the rebuild of an index that cannot go on. Does nothing for one that was replaced already.
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
            repair(after: Self.delayInSeconds(afterRebuilds: count), discarding: true)
        }
    }

    private func repair(after seconds: Int, discarding: Bool) {
        queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            guard let self, isBroken else { return }
            guard let index = try? makeIndex(discarding: discarding) else {
                return repair(after: min(max(1, 2 * seconds), Self.longestDelayInSeconds), discarding: discarding)
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

    /// Returns when no rebuild is under way.
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

    package func close() async {
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
        .searchUnavailable, "The search index was damaged, and is being rebuilt. Messages are not affected.")
}
