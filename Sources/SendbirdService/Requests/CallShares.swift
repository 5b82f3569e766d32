/// Who has made how many of an application's calls lately: a busy account's calls become less urgent, so that the calls
/// of others pass them. It is pure.
///
/// Half of the limit may be one account's all the time. What it makes beyond that is a debt, and with each second's worth
/// of debt its calls wait behind those that are one step less urgent.
struct CallShares: Sendable {
    private struct Debt: Sendable {
        var calls: Double
        var at: Duration
    }
    private var debts: [Int64: Debt] = [:]

    /// The share of the limit by which a debt goes down.
    private static let share = 0.5
    /// The largest debt: as many calls as the limit allows in so many seconds. Ten seconds later nothing is left of it.
    private static let most = 5.0
    /// At so many accounts those without a debt are forgotten. A debt lasts for seconds, so that there are never many.
    private static let sweeping = 1000

    private func debt(of account: Int64, limit: Int, at now: Duration) -> Double {
        guard let debt = debts[account] else { return 0 }
        return max(0, debt.calls - Double(limit) * Self.share * ((now - debt.at) / .seconds(1)))
    }

    /// By how many steps an account's next call is less urgent.
    ///
    /// - Parameters:
    ///   - waiting: how many of its calls wait already.
    ///   - limit: how many calls the application has in a second.
    func steps(of account: Int64, waiting: Int, limit: Int, at now: Duration) -> Int {
        Int((debt(of: account, limit: limit, at: now) + Double(waiting)) / Double(max(1, limit)))
    }

    /// A call of an account has begun.
    mutating func began(_ account: Int64, limit: Int, at now: Duration) {
        if debts.count >= Self.sweeping {
            debts = debts.filter { debt(of: $0.key, limit: limit, at: now) > 0 }
        }
        let calls = min(debt(of: account, limit: limit, at: now) + 1, Self.most * Double(limit))
        debts[account] = Debt(calls: calls, at: now)
    }
}
