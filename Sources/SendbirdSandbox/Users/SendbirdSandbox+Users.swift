import Chat
import ChatModel
import ChatStore
import Crypto
import Formats
import LocalService
import SendbirdWire

/// Users: accounts of the embedded channel. The nickname is the customer's first name.
extension SendbirdSandbox {
    /// `POST /users`. Answers 400202 for a user who is there.
    func createUser(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let asked: CreateUser = try request.read()
        try checkID(asked.id)
        let key = key(of: asked.id)
        var user = try await write { transaction in
            if try transaction.knownUser(asked.id, in: self) != nil {
                throw SendbirdError(.existsAlready, "The user exists already.")
            }
            var account = try transaction.openAccount(key)
            let before = account
            account.customer.firstName = asked.nickname.isEmpty ? nil : asked.nickname
            account.customer.imageURL = asked.profileURL.isEmpty ? nil : asked.profileURL
            try transaction.save(account, since: before, isNew: true)
            let extras = try transaction.change(UserExtras.self, of: .account(account.number)) { extras in
                extras = UserExtras()
                extras.isMade = true
                extras.hasToken = asked.issuesAccessToken == true
                extras.metadata = asked.metadata ?? [:]
                extras.discoveryKeys = asked.discoveryKeys ?? []
                return extras
            }
            return self.shape(of: account, extras)
        }
        (user.isCreated, user.phoneNumber) = (true, "")
        return user
    }

    func checkID(_ id: String) throws(SendbirdError) {
        guard Identifier.isValid(id), !id.hasPrefix(Self.agentPrefix) else {
            throw SendbirdError(
                .characterNotAllowed, "A user's id must be printable ASCII here, and no agent's (\(Self.agentPrefix)).")
        }
    }

    /// `GET /users/{id}`, also of an agent, who is no user of a list.
    func user(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let id = request.parameters["user"]
        if id.hasPrefix(Self.agentPrefix) { return try await agent(id) }
        let isCounted = try request.flag("include_unread_count") ?? false
        return try await read { transaction in
            let account = try transaction.user(id, in: self)
            var user = try self.shape(of: account, transaction.extras(of: account))
            if isCounted { user.unreadCount = try transaction.shownUnread(of: account, in: self).unreadCount }
            return user
        }
    }

    private func agent(_ id: String) async throws(SendbirdError) -> SendbirdUser {
        let agents = try await act { () throws(ChatError) in try await service.desk.agents() }
        guard let agent = agents.first(where: { Self.agentPrefix + $0.id == id }) else {
            throw SendbirdError(.userNotFound, "No such user: \(id.prefix(SendbirdBound.userID)).")
        }
        var user = SendbirdUser(id: id)
        (user.nickname, user.isOnline, user.lastSeenAt) = (agent.name ?? "", false, UnixMilliseconds(-1))
        return user
    }

    /// `PUT /users/{id}`
    func updateUser(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, id) = (try request.read(UpdateUser.self), request.parameters["user"])
        if asked.isActive == false, asked.leavesAllWhenDeactivated != false { try await leaveAll(id) }
        return try await write { transaction in
            var account = try transaction.user(id, in: self)
            let before = account
            if let nickname = asked.nickname {
                (account.customer.firstName, account.customer.lastName) = (nickname.isEmpty ? nil : nickname, nil)
            }
            if let url = asked.profileURL { account.customer.imageURL = url.isEmpty ? nil : url }
            try transaction.save(account, since: before, isNew: false)
            let extras = try transaction.change(UserExtras.self, of: .account(account.number)) { extras in
                if let isActive = asked.isActive { extras.isInactive = !isActive }
                if let isIssued = asked.issuesAccessToken { extras.hasToken = isIssued }
                if let keys = asked.discoveryKeys { extras.discoveryKeys = keys }
                if let languages = asked.preferredLanguages { extras.languages = languages }
                return extras
            }
            return self.shape(of: account, extras)
        }
    }

    /// `DELETE /users/{id}`: leaves all channels. The account stays, for it may own channels of others.
    func deleteUser(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let id = request.parameters["user"]
        try await leaveAll(id)
        let target = try await write { transaction in
            var account = try transaction.user(id, in: self)
            let before = account
            account.customer = Customer(id: id)
            try transaction.save(account, since: before, isNew: false)
            try transaction.change(UserExtras.self, of: .account(account.number)) { extras in
                let isMade = extras.isMade
                extras = UserExtras()
                (extras.isMade, extras.isDeleted) = (isMade, true)
            }
            return try transaction.setTarget(ofBot: id, to: "", self)
        }
        try await refresh(target)
        return SendbirdNothing()
    }

    /// `GET /users`, by id.
    func users(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let wanted = try UserFilter(request)
        let filter = PageFilter(request, UserFilter.names, in: self)
        let skipped = try filter.place()
        let (users, hasMore) = try await read { transaction in
            try transaction.usersPage(in: self, after: skipped, limit: limit) { account, extras in
                let user = self.shape(of: account, extras)
                return wanted.fits(user) ? user : nil
            }
        }
        return SendbirdPage(users, next: hasMore ? filter.token(skipped + limit) : "")
    }

    /// The most rows that a list looks through.
    static let most = 2000
    /// How many are in memory at a time.
    static let portion = 100
    /// With which the ids of the desk's agents begin.
    static let agentPrefix = "agent_"

    static func tooMany(_ things: String) -> SendbirdError {
        SendbirdError(.combinationRefused, "There are more than \(most) \(things) to look through. Ask for fewer.")
    }

    func key(of user: String) -> AccountKey {
        AccountKey(service: LocalService.serviceID, channel: channel, customer: user)
    }

    func shape(of account: AccountRecord, _ extras: UserExtras) -> SendbirdUser {
        var user = SendbirdUser(id: account.key.customer)
        user.nickname = account.customer.fullName ?? ""
        user.profileURL = account.customer.imageURL ?? ""
        user.accessToken = extras.hasToken ? sdkToken(of: user.id) : ""
        user.isActive = !extras.isInactive
        // Nobody has an SDK here.
        (user.isOnline, user.lastSeenAt, user.hasEverLoggedIn) = (false, UnixMilliseconds(-1), false)
        user.createdAt = UnixSeconds(account.createdAt)
        (user.discoveryKeys, user.preferredLanguages) = (extras.discoveryKeys, extras.languages)
        (user.metadata, user.requiresAuthForImage) = (extras.metadata, false)
        return user
    }

    /// What client SDKs would sign in with; here it opens nothing.
    func sdkToken(of user: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array(ids.uuid("sdk token\n\(user)").utf8)).prefix(20))
    }
}

/// Which users a list has.
struct UserFilter: Sendable {
    static let names = [
        "user_ids", "nickname", "nickname_startswith", "active_mode", "metadatakey", "metadatavalues_in",
    ]

    private let ids: [String]?
    private let nickname: String?
    private let prefix: String
    /// Nil: all.
    private let isActive: Bool?
    private let metadata: (key: String, values: [String]?)?

    init(_ request: SandboxRequest) throws(SendbirdError) {
        ids = request.texts("user_ids")
        nickname = request.query["nickname"]
        prefix = request.query["nickname_startswith"] ?? ""
        switch request.query["active_mode"] {
        case nil, "", "activated": isActive = true
        case "deactivated": isActive = false
        case "all": isActive = nil
        default: throw SendbirdError(.invalidValue, "\"active_mode\" must be activated, deactivated or all.")
        }
        metadata = request.query["metadatakey"].map { ($0, request.texts("metadatavalues_in")) }
    }

    func fits(_ user: SendbirdUser) -> Bool {
        if let metadata {
            guard let value = user.metadata[metadata.key], metadata.values?.contains(value) != false else {
                return false
            }
        }
        return ids?.contains(user.id) != false && (nickname == nil || nickname == user.nickname)
            && user.nickname.utf8.starts(with: prefix.utf8) && (isActive == nil || isActive == user.isActive)
    }
}

extension ReadTransaction {
    /// Whether an account is a user: one that a program made, or that belongs to a channel.
    func isKnown(_ account: AccountRecord) throws -> Bool {
        let extras: UserExtras? = try kept(of: .account(account.number))
        return try extras.map { !$0.isDeleted } ?? (threadCount(of: account.number) > 0)
    }

    /// The account of a user; nil for others.
    func knownUser(_ id: String, in sandbox: SendbirdSandbox) throws -> AccountRecord? {
        guard Identifier.isValid(id), let account = try account(sandbox.key(of: id)), try isKnown(account) else {
            return nil
        }
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
