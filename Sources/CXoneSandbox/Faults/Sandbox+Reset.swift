import ChatModel
import ChatStore
import Formats
import LocalService

/// A clean start without a restart.
extension Sandbox {
    /// What a reset has removed.
    struct Reset: Sendable {
        var sockets = 0
        var customers = 0
        var threads = 0

        /// Writes it as the API shows it (the schema `SandboxReset`).
        func encode(to json: inout JSONWriter) {
            json.beginObject()
            json.member("sockets", sockets)
            json.member("customers", customers)
            json.member("threads", threads)
            json.endObject()
        }
    }

    /// The service under which the sandbox keeps accounts of its own, and the channel of the one for uploads.
    static let ownService = "cxone-sandbox"
    static let uploadChannel = "uploads"

    /// Closes all sockets with 1001, voids all tokens, and removes faults, scripts, frames, devices, and the threads of
    /// the customers for whom apps have acted. Returns when all of it is done. Sockets that are opened meanwhile are
    /// closed at once.
    func reset() async throws(ChatError) -> Reset {
        var done = Reset()
        removeFaults()
        done.sockets = await closeAll()
        faults.restart(at: store.environment.now())
        do throws(ChatError) {
            let channel = Self.uploadChannel
            let own = try await store.write { try $0.accounts(of: Self.ownService, notOn: channel) }
            for marker in own {
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
            try await store.write { try $0.restartContacts() }
            // Those that were registered before the process started are among them.
            try await devices?.removeAll(ofHoldersBeginningWith: Self.holderPrefix)
        } catch {
            reopen()
            throw error
        }
        visitorDevices.removeAll()
        reopen()
        frames.restart(as: Self.incarnation(store.environment))
        return done
    }
}

extension WriteTransaction {
    /// Notes that an app acts for a customer, so that a reset knows whose threads to remove, also after a restart.
    func noteApp(of key: AccountKey) throws {
        _ = try openAccount(
            AccountKey(service: Sandbox.ownService, channel: key.channel, customer: key.customer))
    }
}
