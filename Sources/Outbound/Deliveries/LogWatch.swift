import ChatStore
import Synchronization

/// Collects news until the engine takes them: for the audiences that are watched, and of sessions that nobody follows any
/// more. It runs on the store's writer, and costs a look at a flag when nobody watches.
final class LogWatch: Sendable {
    struct News {
        var audiences: Set<Audience> = []
        /// Whether there are messages for devices.
        var hasMessages = false
        var left: Set<DeliveryHolder> = []

        var isEmpty: Bool { audiences.isEmpty && !hasMessages && left.isEmpty }
    }

    private struct State {
        var watched: Set<Audience> = []
        var devices: Set<Audience> = []
        var news = News()
        var isTelling = false
    }
    private let state = Mutex(State())
    private let subscription = Mutex<Subscription?>(nil)
    private let tell: @Sendable () -> Void

    /// - Parameter tell: called once for any number of news, until they are taken.
    init(tell: @escaping @Sendable () -> Void) { self.tell = tell }

    func begin(_ feed: EventFeed) {
        let made = feed.subscribe { [weak self] events in self?.note(events) }
        subscription.withLock { $0 = made }
    }

    func end() { subscription.withLock { $0?.cancel() } }

    /// - Parameter devices: who is told of messages alone.
    func watch(_ audiences: Set<Audience>, devices: Set<Audience>) {
        state.withLock { ($0.watched, $0.devices) = (audiences, devices) }
    }

    /// What is new since the last call.
    func take() -> News {
        state.withLock { state in
            defer { (state.news, state.isTelling) = (News(), false) }
            return state.news
        }
    }

    /// The holder is done: nothing waits for it any more.
    func left(_ holder: DeliveryHolder) { note { $0.news.left.insert(holder) } }

    private func note(_ events: [LogEvent]) {
        note { state in
            guard !state.watched.isEmpty || !state.devices.isEmpty else { return }
            for event in events where event.offset != nil {
                for member in event.members {
                    if state.watched.contains(member.audience) { state.news.audiences.insert(member.audience) }
                    if event.type == .messageCreated, state.devices.contains(member.audience) {
                        state.news.hasMessages = true
                    }
                }
            }
        }
    }

    private func note(_ change: (inout State) -> Void) {
        let isFirst = state.withLock { state in
            change(&state)
            guard !state.news.isEmpty, !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
        if isFirst { tell() }
    }
}
