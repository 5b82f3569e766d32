import Chat
import ChatModel
import ChatStore

/// What the desk knows of customers.
extension LocalDesk {
    public func customers(
        startingWith text: String?, on channels: DeskChannels, page: PageRequest
    ) async throws(ChatError) -> FoundCustomers {
        try await store.read { transaction in
            try transaction.customerPage(
                of: LocalService.serviceID, on: transaction.channels(of: channels), startingWith: text, page)
        }
    }

    public func customer(_ customer: DeskCustomer) async throws(ChatError) -> [UInt8] {
        try await store.read { try $0.customerView(of: $0.find(customer)) }
    }

    /// Changes a customer. As with ``LocalConnection/setCustomer(_:ifMatch:)``, the 100 most recently active open
    /// threads are logged with the new names at once.
    public func update(
        _ customer: DeskCustomer, _ patch: CustomerPatch, as agent: Agent?
    ) async throws(ChatError) -> [UInt8] {
        try await store.write { transaction in
            let before = try transaction.find(customer)
            try transaction.act(as: agent)
            var account = before
            try account.apply(patch, transaction.localChannel(before.key.channel).customerFields)
            try transaction.save(account, since: before)
            if !account.customer.hasSameBytes(as: before.customer) {
                let isSeenByOthers = !account.customer.amongOthers.hasSameBytes(as: before.customer.amongOthers)
                for var record in try transaction.openThreads(of: account.number, limit: 100)
                where isSeenByOthers || record.members.count == 1 {
                    try transaction.save(&record, logging: .threadUpdated, withDesk: true)
                }
            }
            return try transaction.customerView(of: account)
        }
    }

    public func notes(about customer: DeskCustomer, page: PageRequest) async throws(ChatError) -> PageBytes {
        try await store.read { try $0.notePage(about: $0.find(customer), page) }
    }

    public func note(_ note: String, about customer: DeskCustomer) async throws(ChatError) -> Versioned {
        try await store.read { transaction in
            let json = try transaction.note(note, about: transaction.find(customer))
            return Versioned(body: json, version: 1, offset: try transaction.headOffset())
        }
    }

    public func addNote(
        _ text: String, by agent: Agent, about customer: DeskCustomer, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await store.write { transaction in
            let account = try transaction.find(customer)
            let agent = try transaction.named(agent)
            try transaction.act(as: agent)
            try transaction.noteAgent(agent)
            return try transaction.addNote(text, by: Author(agent), about: account, receipt: receipt)
        }
    }

    public func removeNote(
        _ note: String, about customer: DeskCustomer, as agent: Agent?
    ) async throws(ChatError) {
        try await store.write { transaction in
            let account = try transaction.find(customer)
            try transaction.act(as: agent)
            try transaction.removeNote(note, about: account)
        }
    }
}

extension ReadTransaction {
    /// The ids of the channels that are meant, and on which somebody is.
    fileprivate func channels(of wanted: DeskChannels) throws -> [String] {
        let all = try wanted.channel.map { [$0] } ?? channelsWithAccounts(of: LocalService.serviceID)
        return all.filter { wanted.visible?.contains($0) != false }
    }

    /// The account of a customer whom the desk names. Throws `noSuchCustomer`, `ambiguousCustomer`.
    fileprivate func find(_ customer: DeskCustomer) throws -> AccountRecord {
        // Not those that have joined this customer: what they had is here now.
        let found = try accounts(
            ofCustomer: customer.id, of: LocalService.serviceID, on: channels(of: customer.channels)
        ).filter { $0.key.customer.hasSameBytes(as: customer.id) }
        guard let account = found.first else {
            throw ChatError(.noSuchCustomer, "The desk knows no customer \(customer.id).")
        }
        guard found.count == 1 else {
            throw ChatError(.ambiguousCustomer, "Customers of \(found.count) channels have the id \(customer.id).")
        }
        return account
    }
}
