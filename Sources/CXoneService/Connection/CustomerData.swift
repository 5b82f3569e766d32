import Chat
import ChatModel
import ChatStore
import CXoneWire

/// What a customer tells of themselves and of their threads: names and custom fields.
struct CustomerData: Sendable {
    let account: ConnectedAccount

    /// Merges the fields into the thread's, with the time of account.now. They are sent at once
    /// (`SetContactCustomFields`) if there is a contact, else with the first message. Returns all fields of the
    /// thread.
    func setCustomFields(
        _ fields: [String: String], of thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        let owner = FieldTimes.Owner(account: account.number, thread: thread)
        let known = try await account.offeringTimes { [self] offer throws(ChatError) in
            try await account.unit(thread) { transaction, record in
                try VersionRule.check(version, ContentVersion.of(record.thread.customFields))
                let checked = try CustomFieldRules.check(fields, account.channel.threadFields)
                let merged = try CustomFieldRules.merge(checked, into: record.thread.customFields)
                try transaction.change(&record) { $0.customFields = merged }
                account.service.fieldTimes.offer(
                    FieldTimes.times(of: checked.keys, of: owner, at: transaction.now), account: owner.account,
                    as: offer)
                return record.thread
            }
        }
        if let contact = known.contactID, known.state != .pending {
            let wire = account.service.fieldTimes.wire(known.customFields, of: owner, otherwise: known.createdAt)
            try await account.link.send(
                .setContactCustomFields(
                    SetContactCustomFields(thread: ThreadReference(id: thread), fields: wire, contactID: contact)))
        }
        return known.customFields
    }

    /// Changes the names here. No event of the protocol tells them: they are part of every later frame's
    /// identity.
    func setCustomer(_ draft: CustomerDraft, ifMatch version: Int64?) async throws(ChatError) -> Customer {
        try draft.check()
        let number = account.number
        let customer = try await account.store.write { transaction in
            var owner = try transaction.account(number)
            try VersionRule.check(version, ContentVersion.of(owner.customer))
            guard try owner.rename(to: draft) else { return owner.customer }
            try transaction.save(owner)
            transaction.actor = Author(owner.customer)
            for var record in try transaction.openThreads(of: number, limit: 100) {
                try transaction.save(&record, logging: .threadUpdated, withDesk: false)
            }
            return owner.customer
        }
        account.rename(to: customer)
        return customer
    }

    /// Merges the fields into the customer's and sends all of them (`SetCustomerCustomFields`). Returns all
    /// fields. If sending fails, they stay here, and go with the next message.
    func setCustomerCustomFields(
        _ fields: [String: String], ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        let number = account.number
        let owner = FieldTimes.Owner(account: number)
        let known = try await account.offeringTimes { [self] offer throws(ChatError) in
            try await account.store.write { transaction in
                var record = try transaction.account(number)
                try VersionRule.check(version, ContentVersion.of(record.customFields))
                let checked = try CustomFieldRules.check(fields, account.channel.customerFields)
                record.customFields = try CustomFieldRules.merge(checked, into: record.customFields)
                try transaction.save(record)
                account.service.fieldTimes.offer(
                    FieldTimes.times(of: checked.keys, of: owner, at: transaction.now), account: number, as: offer)
                return record
            }
        }
        try await account.link.send(
            .setCustomerCustomFields(
                account.service.fieldTimes.wire(known.customFields, of: owner, otherwise: known.createdAt)))
        return known.customFields
    }
}
