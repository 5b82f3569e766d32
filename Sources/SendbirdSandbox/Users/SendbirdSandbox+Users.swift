import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import SendbirdWire

/// Users: accounts of the embedded channel. The nickname is the customer's first name.
extension SendbirdSandbox {
    /// `POST /users`. Answers 400202 for a user who is there.
    func createUser(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let asked: CreateUser = try request.read()
        guard Identifier.isValid(asked.id) else {
            throw SendbirdError(.characterNotAllowed, "\"user_id\" must be printable ASCII here.")
        }
        guard asked.metadata?.isEmpty != false, asked.discoveryKeys?.isEmpty != false else {
            throw SendbirdError(.notServed, "The sandbox does not serve metadata and discovery keys of users yet.")
        }
        let key = key(of: asked.id), apps = apps
        let account = try await write { transaction in
            if try transaction.knownUser(asked.id, in: self) != nil {
                throw SendbirdError(.existsAlready, "The user exists already.")
            }
            var account = try transaction.openAccount(key)
            let before = account
            account.customer.firstName = asked.nickname
            account.customer.imageURL = asked.profileURL.isEmpty ? nil : asked.profileURL
            try transaction.save(account, since: before, isNew: true)
            try apps.note(key, in: transaction)
            return account
        }
        var user = SendbirdUser(account)
        (user.isCreated, user.phoneNumber) = (true, "")
        return user
    }

    /// `GET /users/{id}`
    func user(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let id = request.parameters["user"]
        return SendbirdUser(try await read { try $0.user(id, in: self) })
    }

    /// `PUT /users/{id}`
    func updateUser(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, id) = (try request.read(UpdateUser.self), request.parameters["user"])
        guard asked.isActive != false else {
            throw SendbirdError(.notServed, "The sandbox does not deactivate users yet.")
        }
        return SendbirdUser(
            try await write { transaction in
                var account = try transaction.user(id, in: self)
                let before = account
                if let nickname = asked.nickname {
                    (account.customer.firstName, account.customer.lastName) = (nickname, nil)
                }
                if let url = asked.profileURL { account.customer.imageURL = url.isEmpty ? nil : url }
                try transaction.save(account, since: before, isNew: false)
                return account
            })
    }

    /// `GET /users`, by id.
    func users(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let wanted = request.texts("user_ids"), nickname = request.query["nickname"]
        let prefix = request.query["nickname_startswith"] ?? ""
        let filter = PageFilter("users", request, ["user_ids", "nickname", "nickname_startswith"])
        let skipped = Int(try filter.place(request.query["token"]))
        let embedded = channel
        let found = try await read { transaction in
            // A sandbox may be slow: it looks through all of them.
            try transaction.accounts(on: embedded, of: LocalService.serviceID, after: "", limit: Self.most).filter {
                let name = $0.customer.fullName ?? ""
                return try wanted?.contains($0.key.customer) != false && (nickname == nil || nickname == name)
                    && name.hasPrefix(prefix) && transaction.knownUser($0.key.customer, in: self) != nil
            }
        }
        return SendbirdPage(
            found.dropFirst(skipped).prefix(limit).map(SendbirdUser.init),
            next: found.count > skipped + limit ? filter.token(Int64(skipped + limit)) : "")
    }

    /// `GET /users/{id}/unread_message_count`
    func unreadCount(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let id = request.parameters["user"]
        let total = try await read { transaction in
            try transaction.unreadTotal(of: transaction.user(id, in: self).number).unreadCount
        }
        return SendbirdCount(.unread, Int64(total))
    }

    /// The most rows that a list looks through.
    static let most = 2000

    func key(of user: String) -> AccountKey {
        AccountKey(service: LocalService.serviceID, channel: channel, customer: user)
    }
}

extension ReadTransaction {
    /// The account of a user: of whoever was made here, or belongs to a channel. Nil for others.
    func knownUser(_ id: String, in sandbox: SendbirdSandbox) throws -> AccountRecord? {
        let key = sandbox.key(of: id)
        guard Identifier.isValid(id), let account = try account(key),
            try sandbox.apps.has(key, in: self) || threadCount(of: account.number) > 0
        else { return nil }
        return account
    }

    /// The same. Throws 400301.
    func user(_ id: String, in sandbox: SendbirdSandbox) throws -> AccountRecord {
        guard let account = try knownUser(id, in: sandbox) else {
            throw SendbirdError(.userNotFound, "No such user: \(id.prefix(SendbirdBound.userID)).")
        }
        return account
    }
}

extension SendbirdUser {
    init(_ account: AccountRecord) {
        self.init(id: account.key.customer)
        nickname = account.customer.fullName ?? ""
        profileURL = account.customer.imageURL ?? ""
        accessToken = ""
        // Nobody has an SDK here.
        (isOnline, lastSeenAt, hasEverLoggedIn) = (false, UnixMilliseconds(-1), false)
        createdAt = UnixSeconds(account.createdAt)
        (discoveryKeys, preferredLanguages, requiresAuthForImage) = ([], [], false)
    }
}
