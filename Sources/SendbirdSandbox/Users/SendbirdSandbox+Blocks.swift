import ChatModel
import ChatStore
import SendbirdWire

/// Whom a user does not want to hear of. It is kept and told, and has no effect.
extension SendbirdSandbox {
    /// `POST /users/{id}/block`
    func block(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, user) = (try request.read(BlockUsers.self), request.parameters["user"])
        let users = try await write { transaction in
            let account = try transaction.user(user, in: self)
            for id in asked.targets { _ = try transaction.user(id, in: self) }
            try transaction.change(UserExtras.self, of: .account(account.number)) { extras in
                extras.blocked = unique(extras.blocked + asked.targets)
                guard extras.blocked.count <= SendbirdBound.users else {
                    throw SendbirdError(.tooManyItems, "A user blocks at most \(SendbirdBound.users) users.")
                }
            }
            return try unique(asked.targets).map { try self.shape(of: transaction.user($0, in: self), in: transaction) }
        }
        return SendbirdPage(users)
    }

    /// `GET /users/{id}/block`
    func blocked(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let filter = PageFilter(request, [], in: self)
        let (skipped, user) = (try filter.place(), request.parameters["user"])
        let (page, count) = try await read { transaction in
            let all = try transaction.extras(of: transaction.user(user, in: self)).blocked
            let page = try all.dropFirst(skipped).prefix(limit).compactMap { id in
                try transaction.knownUser(id, in: self).map { try self.shape(of: $0, in: transaction) }
            }
            return (page, all.count)
        }
        return SendbirdPage(page, next: count > skipped + limit ? filter.token(skipped + limit) : "")
    }

    /// `DELETE /users/{id}/block/{target}`
    func unblock(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (user, target) = (request.parameters["user"], request.parameters["target"])
        try await write { transaction in
            let account = try transaction.user(user, in: self)
            _ = try transaction.user(target, in: self)
            try transaction.change(UserExtras.self, of: .account(account.number)) {
                $0.blocked.removeAll { $0 == target }
            }
        }
        return SendbirdNothing()
    }

    private func shape(of account: AccountRecord, in transaction: ReadTransaction) throws -> SendbirdUser {
        shape(of: account, try transaction.extras(of: account))
    }
}
