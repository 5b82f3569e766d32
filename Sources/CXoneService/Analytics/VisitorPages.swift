import Chat
import ChatModel
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
