import ChatModel
import ChatStore

/// Erasing a customer: sessions, threads, and every row, file and token that belongs to an account.
///
/// The first step takes the account from its key. From then on a new session of the same customer gets a new account,
/// and the erasure goes on after a kill (``resumeErasures(ended:)``), or when it is asked for again.
extension Sessions {
    /// Erases a customer's account on one channel, or on all channels of a service. Returns when all is gone; does
    /// nothing where nothing is.
    ///
    /// Throws `unknownService`, and what a write throws: then the rest is done later.
    ///
    /// - Parameter ended: called with the id of each session that was deleted.
    public func erase(
        customer: String, of serviceID: String, on channel: String?, ended: @escaping @Sendable (String) -> Void
    ) async throws(ChatError) {
        _ = try service(serviceID)
        try await store.write { transaction in
            for channel in try channel.map({ [$0] }) ?? transaction.channelsWithAccounts(of: serviceID) {
                _ = try transaction.beginErasure(
                    of: AccountKey(service: serviceID, channel: channel, customer: customer))
            }
        }
        for account in try await store.read({ try $0.erasingAccounts() })
        where account.key.customer == customer && account.key.service == serviceID
            && channel.map({ $0 == account.key.channel }) != false
        {
            try await erase(account, ended: ended)
        }
    }

    /// Goes on with the erasures that were cut off. To be called at the start, when the services are there, and at
    /// intervals.
    public func resumeErasures(ended: @escaping @Sendable (String) -> Void) async throws(ChatError) {
        for account in try await store.read({ try $0.erasingAccounts() }) { try await erase(account, ended: ended) }
    }

    private func erase(_ account: AccountRecord, ended: @Sendable (String) -> Void) async throws(ChatError) {
        repeat {
            var cursor: String?
            repeat {
                let page = try await delete(
                    SessionFilter(account: account.number), PageRequest(limit: 200, cursor: cursor))
                page.deleted.forEach(ended)
                cursor = page.next
            } while cursor != nil
            // A service that is not configured any more has nothing but rows.
            if let service = services.first(where: { $0.id == account.key.service }) {
                try await service.erase(account)
            } else {
                try await store.eraseThreads(ownedBy: account.number)
            }
        } while try await !store.eraseRows(of: account)
    }
}
