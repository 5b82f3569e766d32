/// The channels of each account of which the application's list says something new. They wait to be refreshed, one after
/// the other for each account. It is pure.
struct AccountNews: Sendable {
    struct Item: Sendable {
        var url: String
        /// What was known of the channel before.
        var known: ChannelFingerprint?
    }

    enum Place: Sendable {
        /// Nothing of the account is refreshed now: whoever has added it begins.
        case first
        case behind
        /// Too many wait.
        case full
    }

    /// Of the accounts for which one is refreshed now.
    private var waiting: [Int64: [Item]] = [:]

    /// The most that wait for one account.
    static let most = 1000

    mutating func add(_ item: Item, of account: Int64) -> Place {
        guard let items = waiting[account] else {
            waiting[account] = [item]
            return .first
        }
        guard !items.contains(where: { $0.url == item.url }) else { return .behind }
        guard items.count < Self.most else { return .full }
        waiting[account]?.append(item)
        return .behind
    }

    /// Takes the next one of an account; nil: there is none, and nothing of the account is refreshed any more.
    mutating func next(of account: Int64) -> Item? {
        guard let first = waiting[account]?.first else {
            waiting[account] = nil
            return nil
        }
        waiting[account]?.removeFirst()
        return first
    }

    mutating func forget(_ account: Int64) { waiting[account] = nil }
}
