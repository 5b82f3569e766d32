import Chat
import ChatModel
import ChatStore
import HTTPRouting
import Synchronization

/// The pages that wait for events, by whom they follow. Any thread may use it.
final class PageWaits: Sendable {
    private struct State {
        var all: [ObjectIdentifier: PageWait] = [:]
        var byAudience: [Audience: [ObjectIdentifier: PageWait]] = [:]
        var isEnded = false
    }
    private let state = Mutex(State())

    /// How many wait now.
    var count: Int { state.withLock { $0.all.count } }

    /// Registers a page, before it reads the log's end, so that no event between the two is missed. End it with
    /// ``end(_:)``.
    func begin(for scope: StreamScope, filter: EventFilter) -> PageWait {
        let wait = PageWait(scope: scope, filter: filter)
        let isEnded = state.withLock { state in
            if state.isEnded { return true }
            state.all[ObjectIdentifier(wait)] = wait
            for audience in scope.audiences { state.byAudience[audience, default: [:]][ObjectIdentifier(wait)] = wait }
            return false
        }
        if isEnded { wait.end() }
        return wait
    }

    /// Forgets a page that is answered.
    func end(_ wait: PageWait) {
        state.withLock { state in
            guard state.all.removeValue(forKey: ObjectIdentifier(wait)) != nil else { return }
            for audience in wait.scope.audiences {
                state.byAudience[audience]?[ObjectIdentifier(wait)] = nil
                if state.byAudience[audience]?.isEmpty == true { state.byAudience[audience] = nil }
            }
        }
    }

    /// Wakes the pages that want one of these events. Ephemeral ones are on no page.
    func notice(_ events: [LogEvent]) {
        let woken = state.withLock { state in
            if state.byAudience.isEmpty { return [] as [PageWait] }
            var woken: [ObjectIdentifier: PageWait] = [:]
            for event in events where event.offset != nil {
                for audience in event.audiences + [.everyone] {
                    for (key, wait) in state.byAudience[audience] ?? [:] where wait.filter.contains(event) {
                        woken[key] = wait
                    }
                }
            }
            return Array(woken.values)
        }
        for wait in woken { wait.wake() }
    }

    /// Ends the waiting of the pages that follow a session, because it was deleted.
    func end(session id: String) {
        let following = state.withLock { state in
            state.all.values.filter { wait in wait.scope.sessions.contains { $0.id == id } }
        }
        for wait in following { wait.end() }
    }

    /// Ends all waiting, also that of pages which come later, because the gateway stops.
    func endAll() {
        let waiting = state.withLock { state in
            state.isEnded = true
            return state.all.values
        }
        for wait in waiting { wait.end() }
    }
}

/// One page that waits.
final class PageWait: Sendable {
    let scope: StreamScope
    let filter: EventFilter
    private let state = Mutex((news: Answer<Void>(), isOver: false))

    fileprivate init(scope: StreamScope, filter: EventFilter) {
        self.scope = scope
        self.filter = filter
    }

    /// Returns when there are events that the page does not have yet, or when the waiting is over; false in the second
    /// case. One task at a time may wait.
    func news() async -> Bool {
        let (news, isOver) = state.withLock { $0 }
        if isOver { return false }
        await news.value()
        // Replaced before the log is read again, so an event that comes during the reading ends the next wait.
        return state.withLock { state in
            state.news = Answer()
            return !state.isOver
        }
    }

    /// Ends the waiting for good.
    func end() {
        let news = state.withLock { state in
            state.isOver = true
            return state.news
        }
        news.resolve(())
    }

    fileprivate func wake() { state.withLock { $0.news }.resolve(()) }
}
