import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Synchronization

/// The run of the app (`destination`) and the open page of each account. Kept in memory only, until the account's
/// last session ends. May be used from any task.
final class VisitorPages: Sendable {
    private struct Open {
        var page: VisitorActivity.Page
        var since: Timestamp
    }

    private struct State {
        var destinations: [Int64: String] = [:]
        var open: [Int64: Open] = [:]
    }
    private let state = Mutex(State())
    private let makeID: @Sendable () -> String

    init(makeID: @escaping @Sendable () -> String) { self.makeID = makeID }

    /// Gives the account a new run id. Called by each `prepare`.
    func beginRun(of account: Int64) {
        let id = makeID()
        state.withLock { $0.destinations[account] = id }
    }

    /// The id of the account's run. One is made if `prepare` was not called, as after a restart.
    func destination(of account: Int64) -> String {
        let fresh = makeID()
        return state.withLock { state in
            let id = state.destinations[account] ?? fresh
            state.destinations[account] = id
            return id
        }
    }

    /// Notes the page that is open now. Returns the page that was open before, with its whole seconds; nil if
    /// there was none, or if it is the same page.
    func view(
        _ page: VisitorActivity.Page, by account: Int64, at time: Timestamp
    ) -> (VisitorActivity.Page, seconds: Int)? {
        state.withLock { state in
            let before = state.open[account]
            if before?.page == page { return nil }
            state.open[account] = Open(page: page, since: time)
            return before.map { ($0.page, Self.seconds($0.since, time)) }
        }
    }

    /// Returns for how many whole seconds the page was open; nil if it is another one that is.
    func leave(_ page: VisitorActivity.Page, by account: Int64, at time: Timestamp) -> Int? {
        state.withLock { state in
            guard let open = state.open[account], open.page == page else { return nil }
            state.open[account] = nil
            return Self.seconds(open.since, time)
        }
    }

    /// The account has no sessions any more.
    func forget(account: Int64) { state.withLock { ($0.destinations[account], $0.open[account]) = (nil, nil) } }

    /// How many accounts have something here.
    var count: Int { state.withLock { max($0.destinations.count, $0.open.count) } }

    private static func seconds(_ start: Timestamp, _ end: Timestamp) -> Int {
        Int(max(0, end.milliseconds - start.milliseconds) / 1000)
    }
}

/// The web analytics, as the mobile SDKs tell them: over HTTP, with a connection or without one.
extension CXoneService {
    /// How long a visit lasts after its last page view, in milliseconds. A later page view begins another visit.
    static let visitLifetime: Int64 = 30 * 60_000

    /// Sends an activity to the platform's web analytics. A page view that begins a visit is preceded by the
    /// visit's own event; one that follows another page, by the time spent there. Throws `missingVisitId` before
    /// the first page view, `serverError`, `eventTimeout`.
    public func record(_ activity: VisitorActivity, of account: AccountRecord) async throws(ChatError) {
        let time = store.environment.now()
        let (known, isNewVisit) = try await visit(account, viewing: activity, at: time)
        guard let visit = known.visit else {
            throw ChatError(.missingVisitId, "A visit begins with the first page view.")
        }
        for action in (isNewVisit ? [.visitorVisit] : []) + actions(activity, of: account.number, at: time) {
            let event = AnalyticsEvent(
                id: store.environment.makeID(), visitID: visit.id, destinationID: pages.destination(of: account.number),
                createdAt: time, action: action)
            try await http.reportAnalytics(event, known.visitorID, try await address(of: account.key.channel))
        }
    }

    /// The account's state, its visit begun or prolonged by a page view.
    private func visit(
        _ account: AccountRecord, viewing activity: VisitorActivity, at time: Timestamp
    ) async throws(ChatError) -> (AccountState, isNew: Bool) {
        guard case .pageViewed = activity else { return (try await vault.state(of: account), false) }
        let fresh = store.environment.makeID()
        let state = try await vault.update(account) { state in
            let isOver = state.visit.map { time.milliseconds >= $0.expiresAt } ?? true
            let id = isOver ? fresh : state.visit?.id ?? fresh
            state.visit = AccountState.Visit(id: id, expiresAt: time.milliseconds + Self.visitLifetime)
        }
        return (state, state.visit?.id == fresh)
    }

    private func actions(_ activity: VisitorActivity, of account: Int64, at time: Timestamp) -> [VisitorAction] {
        switch activity {
        case .pageViewed(let page):
            let view = VisitorAction.pageView(title: page.title, url: page.url)
            guard let (former, seconds) = pages.view(page, by: account, at: time) else { return [view] }
            return [.timeSpentOnPage(title: former.title, url: former.url, seconds: seconds), view]
        case .pageLeft(let page):
            guard let seconds = pages.leave(page, by: account, at: time) else { return [] }
            return [.timeSpentOnPage(title: page.title, url: page.url, seconds: seconds)]
        case .chatWindowOpened: return [.chatWindowOpened]
        case .conversion(let type, let value):
            return [.conversion(type: type, value: value, time: time)]
        case .proactiveAction(let outcome, let id, let name, let type):
            let wire: ProactiveActionOutcome =
                switch outcome {
                case .displayed: .displayed
                case .clicked: .clicked
                case .success: .success
                case .failed: .failed
                }
            return [.proactiveAction(wire, id: id, name: name, type: type)]
        }
    }
}
