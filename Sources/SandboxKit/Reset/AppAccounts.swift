import ChatModel
import ChatStore
import LocalService

/// The accounts of the embedded service for which apps have acted. A reset removes what is theirs, also after a restart,
/// so each has a marker in the store: an account of a service that is the sandbox's own.
package struct AppAccounts: Sendable {
    /// The id of the service under which the markers are kept.
    private let owner: String
    private let service: LocalService
    private let store: ChatStore

    package init(of owner: String, on service: LocalService, in store: ChatStore) {
        (self.owner, self.service, self.store) = (owner, service, store)
    }

    /// Notes that an app acts for a customer.
    package func note(_ key: AccountKey, in transaction: WriteTransaction) throws {
        _ = try transaction.openAccount(marker(of: key))
    }

    /// Whether an app has acted for a customer since the last reset.
    package func has(_ key: AccountKey, in transaction: ReadTransaction) throws -> Bool {
        try transaction.account(marker(of: key)) != nil
    }

    private func marker(of key: AccountKey) -> AccountKey {
        AccountKey(service: owner, channel: key.channel, customer: key.customer)
    }

    /// Removes the threads of all of these customers, their names, fields and notes, and the markers.
    ///
    /// - Parameter channel: the markers on it are no customers', and stay.
    package func clear(notOn channel: String) async throws(ChatError) -> SandboxReset {
        var done = SandboxReset()
        let owner = owner
        for marker in try await store.write({ try $0.accounts(of: owner, notOn: channel) }) {
            let key = AccountKey(
                service: LocalService.serviceID, channel: marker.key.channel, customer: marker.key.customer)
            if let account = try await store.read({ try $0.account(key) }) {
                done.threads += try await service.removeThreads(of: account.number)
                try await store.write { transaction in
                    guard var account = try transaction.account(key) else { return }
                    account.customer = Customer(id: key.customer)
                    account.customFields = [:]
                    try transaction.save(account)
                    try transaction.removeNotes(about: account.number)
                }
            }
            try await store.write { try $0.removeAccount(marker.number) }
            done.customers += 1
        }
        return done
    }
}
