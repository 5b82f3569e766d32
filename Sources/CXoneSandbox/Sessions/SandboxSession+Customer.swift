import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import LocalService

/// Whom the client acts for.
extension SandboxSession {
    /// Sets the customer: opens the account, connects it to the embedded service, and pushes events from now on.
    /// The same customer again changes nothing. Returns the account if it is another one now. Throws
    /// `invalidParameter` for a bad id or name, and what the store throws.
    @discardableResult
    func identify(_ customer: WireCustomer) async throws(ChatError) -> AccountRecord? {
        guard Identifier.isValid(customer.id) else {
            throw ChatError(.invalidParameter, "The customer's id must be 1 to 128 printable ASCII characters.")
        }
        if identity?.key.customer == customer.id { return nil }
        try CustomerDraft(firstName: customer.firstName, lastName: customer.lastName).check()
        let key = AccountKey(service: LocalService.serviceID, channel: face.channel, customer: customer.id)
        let account = try await sandbox.store.write(isRepeatable: true) { transaction in
            var account = try transaction.openAccount(key)
            let before = account.customer
            account.customer.firstName = customer.firstName ?? before.firstName
            account.customer.lastName = customer.lastName ?? before.lastName
            if account.customer != before { try transaction.save(account) }
            try transaction.noteApp(of: key)
            return account
        }
        sandbox.listen(self, account: account.number, customer: customer.id)
        let embedded = face.channel
        let (head, threads, found) = try await sandbox.store.read { transaction in
            (
                try transaction.headOffset(),
                try transaction.openThreads(of: account.number, limit: 200).map(\.thread),
                try transaction.channel(embedded, of: LocalService.serviceID)
            )
        }
        guard let channel = found else { throw ChatError(.unknownChannel, "The channel is gone.") }
        let connection = try await sandbox.service.connect(account, channel: channel) {}
        identity = Identity(account: account.number, key: key, connection: connection)
        offset = head
        told = Dictionary(threads.map { ($0.id, ThreadNews($0)) }) { first, _ in first }
        sandbox.log(.debug, "customer known", self, [:])
        if let visitor { try await sandbox.takeDevice(of: visitor, account: account.number, on: face) }
        if let template = channel.welcomeMessage { greeting = template }
        return account
    }

    /// Takes the names that each request carries. A name that is absent does not remove the known one.
    func rename(_ customer: WireCustomer?) async throws(ChatError) {
        guard let customer, let identity, customer.id == identity.key.customer else { return }
        guard customer.firstName != nil || customer.lastName != nil else { return }
        let account = identity.account
        let known = try await sandbox.store.read { try $0.account(account).customer }
        let draft = CustomerDraft(
            firstName: customer.firstName ?? known.firstName, lastName: customer.lastName ?? known.lastName)
        guard (draft.firstName, draft.lastName) != (known.firstName, known.lastName) else { return }
        _ = try await identity.connection.setCustomer(draft)
    }

    /// Throws `customerAssociationFailure` for a client that has not said who it acts for.
    func known() throws(ChatError) -> Identity {
        guard let identity else { throw ChatError(.customerAssociationFailure, "The customer is not authorized.") }
        return identity
    }

    /// The embedded channel as the desk has it now.
    func channel() async throws(ChatError) -> Channel { try await sandbox.service.channel(face.channel) }

    /// What is needed to write messages for this client. The customer's names are read from the store each time.
    var context: WireContext {
        get async throws(ChatError) {
            let account = try known().account
            let customer = try await sandbox.store.read { try $0.account(account).customer }
            return WireContext(ids: sandbox.ids, base: base, customer: customer)
        }
    }
}
