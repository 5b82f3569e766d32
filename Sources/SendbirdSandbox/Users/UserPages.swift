import ChatStore
import LocalService

extension ReadTransaction {
    /// A page of what the users of the application are turned into, by id, and whether there are more. It looks at no
    /// user behind the page but the first one.
    ///
    /// - Parameter make: returns nil for users who do not belong to the list.
    /// - Throws: 400920 if there are more users than a list looks through.
    func usersPage<Item>(
        in sandbox: SendbirdSandbox, after skipped: Int, limit: Int,
        _ make: (AccountRecord, UserExtras) throws -> Item?
    ) throws -> (items: [Item], hasMore: Bool) {
        var (items, found, seen, last) = ([Item](), 0, 0, "")
        while true {
            // In portions, as a list can have many.
            let portion = try accounts(
                on: sandbox.channel, of: LocalService.serviceID, after: last, limit: SendbirdSandbox.portion)
            for account in portion where try isKnown(account) {
                guard let item = try make(account, extras(of: account)) else { continue }
                guard found < skipped + limit else { return (items, true) }
                if found >= skipped { items.append(item) }
                found += 1
            }
            seen += portion.count
            guard portion.count == SendbirdSandbox.portion, let end = portion.last else { return (items, false) }
            guard seen < SendbirdSandbox.most else { throw SendbirdSandbox.tooMany("users") }
            last = end.key.customer
        }
    }
}
