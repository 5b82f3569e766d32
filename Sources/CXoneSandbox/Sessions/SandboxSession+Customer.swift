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
            throw ChatError(.invalidParameter, "The customer's id must be \(Identifier.rule).")
        }
        if identity?.key.customer == customer.id { return nil }
        try CustomerDraft(firstName: customer.firstName, lastName: customer.lastName, imageURL: customer.shownImage)
            .check()
        let key = AccountKey(service: LocalService.serviceID, channel: face.channel, customer: customer.id)
        let account = try await sandbox.store.write(isRepeatable: true) { transaction in
            let known = try transaction.account(key)
            let before = try known ?? transaction.openAccount(key)
            var account = before
            account.customer.firstName = customer.firstName ?? before.customer.firstName
            account.customer.lastName = customer.lastName ?? before.customer.lastName
            account.customer.imageURL = customer.shownImage ?? before.customer.imageURL
            transaction.actor = Author(account.customer)
            try transaction.save(account, since: before, isNew: known == nil)
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
        told.removeAll()
        // The last that is set is the last to be dropped: the thread with the latest activity.
        for thread in threads.reversed() { told[thread.id] = ThreadNews(thread) }
        countTold()
        sandbox.log(.debug, "customer known", self, [:])
        if let visitor { try await sandbox.takeDevice(of: visitor, account: account.number, on: face) }
        if let template = channel.welcomeMessage { greeting = template }
        return account
    }

    /// Takes the names and the picture that each request carries. One that is absent does not remove the known one.
    /// What the gateway's own side has vouched for stays.
    func rename(_ customer: WireCustomer?) async throws(ChatError) {
        guard let customer, let identity, customer.id == identity.key.customer else { return }
        guard customer.firstName != nil || customer.lastName != nil || customer.shownImage != nil else { return }
        let account = identity.account
        let record = try await sandbox.store.read { try $0.account(account) }
        guard !record.isNameVouched else { return }
        let known = record.customer
        let draft = CustomerDraft(
            firstName: customer.firstName ?? known.firstName, lastName: customer.lastName ?? known.lastName,
            imageURL: customer.shownImage ?? known.imageURL)
        guard (draft.firstName, draft.lastName, draft.imageURL) != (known.firstName, known.lastName, known.imageURL)
        else { return }
        _ = try await identity.connection.setCustomer(draft)
    }

    /// Throws `customerAssociationFailure` for a client that has not said who it acts for.
    func known() throws(ChatError) -> Identity {
        guard let identity else { throw ChatError(.customerAssociationFailure, "The customer is not authorized.") }
        return identity
    }

    /// The embedded channel as the desk has it now.
    func channel() async throws(ChatError) -> Channel { try await sandbox.service.channel(face.channel) }

    /// What is needed to write these messages of a thread for this client. The customer's names are read from the store
    /// each time.
    func context(of thread: String, messages: [String]) async throws(ChatError) -> WireContext {
        let account = try known().account
        let customer = try await sandbox.store.read { try $0.account(account).customer }
        return WireContext(
            ids: try await clientIDs(of: thread, messages: messages), base: base, customer: customer)
    }
}

extension WireCustomer {
    /// `image`, if pages may show it. Another one is no reason to refuse the customer.
    fileprivate var shownImage: String? { image.flatMap { CustomerDraft.isImage($0) ? $0 : nil } }
}
