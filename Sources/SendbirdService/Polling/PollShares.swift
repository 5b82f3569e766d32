/// How the GETs that an application's polls may take are divided where they are not enough for all. It is pure.
///
/// The lists have half of them, and what the threads in view leave. The rest is divided among the accounts that have
/// threads in view: who wants less than others gets all of it, so that nobody waits for who has many in view.
struct PollShares: Sendable, Equatable {
    /// GETs a second.
    struct Wishes: Sendable, Equatable {
        /// Of the lists of the application and of the accounts.
        var lists = 0.0
        /// Of the threads in view, by account.
        var views: [Int64: Double] = [:]
    }

    /// By which factor the intervals of the lists are longer.
    let lists: Double
    /// GETs a second that the views of one account may take.
    private let level: Double

    init(_ wishes: Wishes, of capacity: Double) {
        let all = wishes.views.values.reduce(0, +)
        let forLists = min(wishes.lists, max(capacity / 2, capacity - all))
        lists = wishes.lists > 0 ? wishes.lists / forLists : 1
        level = Self.level(of: wishes.views.values.sorted(), in: capacity - forLists)
    }

    /// By which factor the intervals are longer of the threads that an account has in view.
    func stretch(ofViewsThatTake rate: Double) -> Double { max(1, rate / level) }

    /// The most that each may take, so that all together take no more than there is.
    private static func level(of rates: [Double], in capacity: Double) -> Double {
        var rest = capacity
        for (index, rate) in rates.enumerated() {
            let part = rest / Double(rates.count - index)
            guard rate <= part else { return part }
            rest -= rate
        }
        return .infinity
    }
}
