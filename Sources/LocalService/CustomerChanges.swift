import Chat
import ChatModel
import ChatStore
import Formats

/// What customers change about themselves.
extension LocalConnection {
    /// Sets the customer's names. The account's 100 most recently active open threads are logged with the new names
    /// at once; any other thread takes them with its next change. Throws `nameVouched`.
    func setCustomer(_ draft: CustomerDraft, ifMatch version: Int64?) async throws(ChatError) -> Customer {
        try draft.check()
        return try await store.write { transaction in
            var owner = try transaction.account(account)
            try VersionRule.check(version, ContentVersion.of(owner.customer))
            let before = owner
            guard try owner.rename(to: draft) else { return owner.customer }
            transaction.actor = Author(owner.customer)
            try transaction.save(owner, since: before)
            // Only open threads can be on a screen now. The others take the new name with their next change.
            for var record in try transaction.openThreads(of: account, limit: 100) {
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            return owner.customer
        }
    }

    /// Merges values into the customer's own fields, and returns all of them. No event has them; the desk is told that they
    /// are others.
    func setCustomerCustomFields(
        _ fields: [String: String], ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        try await store.write { transaction in
            var owner = try transaction.account(account)
            try VersionRule.check(version, ContentVersion.of(owner.customFields))
            let before = owner
            let checked = try CustomFieldRules.check(fields, currentChannel(transaction).customerFields)
            owner.customFields = try CustomFieldRules.merge(checked, into: owner.customFields)
            transaction.actor = Author(owner.customer)
            try transaction.save(owner, since: before)
            return owner.customFields
        }
    }
}
