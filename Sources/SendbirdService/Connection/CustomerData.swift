import Chat
import ChatModel
import ChatStore
import SendbirdWire

/// The customer as a user of the application: name and custom fields.
struct CustomerData: Sendable {
    let account: ConnectedUser

    /// Makes the user if the application has none of this id. Throws `invalidParameter` for an id that is too long,
    /// `serverError` for a user who is deactivated.
    func open() async throws(ChatError) {
        guard account.user.unicodeScalars.count <= SendbirdBound.userID else {
            throw ChatError(
                .invalidParameter, "On this platform a customer's id has at most \(SendbirdBound.userID) characters.",
                pointer: "/customer/id")
        }
        do throws(SendbirdFailure) {
            let user = try await account.client.ask(.user(account.user), .page, as: SendbirdUser.self)
            guard user.isActive else {
                throw .open(ChatError(.serverError, "The platform has deactivated the customer's user."))
            }
        } catch {
            guard error.isNotFound else { throw ChatError(error, about: .user) }
            try await make()
        }
    }

    private func make() async throws(ChatError) {
        let customer = account.record.customer
        let user = CreateUser(
            id: account.user, nickname: Self.nickname(of: customer), profileURL: customer.imageURL ?? "")
        do throws(SendbirdFailure) {
            _ = try await account.client.ask(.create(user), .deed, as: SendbirdUser.self)
        } catch {
            // Somebody else has just made it.
            guard error.code == .existsAlready else { throw ChatError(error, about: .user) }
        }
    }

    private static func nickname(of customer: Customer) -> String {
        (customer.fullName ?? "").cut(toScalars: SendbirdBound.nickname).text
    }

    /// The platform hears of the names first: where it does not, nothing has changed here, and who repeats the request
    /// tells it again.
    func setCustomer(_ draft: CustomerDraft, ifMatch version: Int64?) async throws(ChatError) -> Customer {
        try draft.check()
        let number = account.number
        var new = try await account.store.read { try $0.account(number) }
        try VersionRule.check(version, ContentVersion.of(new.customer))
        guard try new.rename(to: draft) else { return new.customer }
        var user = UpdateUser()
        user.nickname = Self.nickname(of: new.customer)
        try await account.tell(.update(user, id: account.user), about: .user)
        return try await account.store.write { transaction in
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
    }

    func setCustomFields(
        _ fields: [String: String], ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        let number = account.number
        let known = try await account.store.read { try $0.account(number) }
        try VersionRule.check(version, ContentVersion.of(known.customFields))
        let checked = try CustomFieldRules.check(fields, account.channel.customerFields)
        _ = try ThreadActions.check(CustomFieldRules.merge(checked, into: known.customFields))
        if !checked.isEmpty {
            try await account.tell(.writeMetadata(checked, ofUser: account.user), about: .user)
        }
        return try await account.store.write { transaction in
            var record = try transaction.account(number)
            // Others may have been set meanwhile.
            record.customFields = try CustomFieldRules.merge(checked, into: record.customFields)
            try transaction.save(record)
            return record.customFields
        }
    }
}
