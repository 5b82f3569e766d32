import Bounds
import HTTPRouting
import Synchronization

/// How often a client may call tools in a minute.
package struct ToolRates: Sendable {
    package var readsPerMinute = 3000
    package var writesPerMinute = 600

    package init() {}
}

/// Counts how often clients call tools. Any thread may use it.
///
/// An assistant of the gateway's token has a limit of its own if it has a name (`Mcp-Session-Id`). A session's token has
/// one limit, however many names it lets itself be given.
final class ToolLimits: Sendable {
    /// Who calls, and whether the tool only reads.
    struct Caller: Hashable {
        let identity: Identity
        let client: String?
        let isReading: Bool

        init(_ identity: Identity, client: String?, isReading: Bool) {
            (self.identity, self.isReading) = (identity, isReading)
            self.client = identity.runsGateway ? client : nil
        }
    }

    private let rates: ToolRates
    private let book = Mutex(RateBook<Caller>(capacity: 2048))

    init(_ rates: ToolRates) { self.rates = rates }

    /// Counts a call; one beyond the limit is not counted.
    ///
    /// - Parameter now: microseconds on a clock that never goes back.
    /// - Returns: nil, or the milliseconds until a call is possible, at least 1.
    func wait(_ caller: Caller, at now: Int64) -> Int64? {
        let count = caller.isReading ? rates.readsPerMinute : rates.writesPerMinute
        let rate = Rate(burst: count, perHour: count * 60)
        return book.withLock { $0.take(caller, at: now, rate) }.map { ($0 + 999) / 1000 }
    }
}
