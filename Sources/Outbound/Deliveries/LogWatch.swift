import ChatStore
import Synchronization

/// Tells of news for the audiences that are watched. It runs on the store's writer, and costs a look at a flag when
/// nobody watches.
final class LogWatch: Sendable {
    private struct State {
        var watched: Set<Audience> = []
        var news: Set<Audience> = []
        var isTelling = false
    }
    private let state = Mutex(State())
    private let subscription = Mutex<Subscription?>(nil)

    /// - Parameter tell: called once for any number of news, until they are taken.
    func begin(_ feed: EventFeed, tell: @escaping @Sendable () -> Void) {
        let made = feed.subscribe { [weak self] events in
            if self?.note(events) == true { tell() }
        }
        subscription.withLock { $0 = made }
    }

    func end() { subscription.withLock { $0?.cancel() } }

    func watch(_ audiences: Set<Audience>) { state.withLock { $0.watched = audiences } }

    /// The audiences that have news since the last call.
    func take() -> Set<Audience> {
        state.withLock { state in
            defer { (state.news, state.isTelling) = ([], false) }
            return state.news
        }
    }

    private func note(_ events: [LogEvent]) -> Bool {
        state.withLock { state in
            guard !state.watched.isEmpty else { return false }
            for event in events where event.offset != nil {
                for member in event.members where state.watched.contains(member.audience) {
                    state.news.insert(member.audience)
                }
            }
            guard !state.news.isEmpty, !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
    }
}
