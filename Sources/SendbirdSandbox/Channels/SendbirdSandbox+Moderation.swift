import Chat
import ChatModel
import ChatStore
import SendbirdWire

/// Who may not write in a channel, and who may not be in it. Both apply only to calls of this API. The desk and Parley's
/// own API ignore them.
extension SendbirdSandbox {
    private var now: UnixMilliseconds { UnixMilliseconds(store.environment.now()) }

    // MARK: Mutes

    /// `POST /group_channels/{url}/mute`
    func mute(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(RestrictUser.self), request.parameters["channel"])
        try await checkMember(asked.userID, of: url, is: nil)
        try await restrict(asked, in: url, \.muted)
        return try await channel(url, as: ChannelView(origin: request.origin))
    }

    /// `GET /group_channels/{url}/mute/{id}`
    func muteOfUser(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        SendbirdMuteAnswer(try await restriction(request, \.muted), at: now)
    }

    /// `DELETE /group_channels/{url}/mute/{id}`
    func unmute(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        try await lift(request, \.muted)
    }

    // MARK: Bans

    /// `POST /group_channels/{url}/ban`: a member leaves.
    func ban(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(RestrictUser.self), request.parameters["channel"])
        let restriction = try await restrict(asked, in: url, \.banned)
        if try await memberIDs(of: url).contains(asked.userID) { try await remove([asked.userID], from: url) }
        return SendbirdRestrictedUser(.ban, try await person(asked.userID), restriction)
    }

    /// `GET /group_channels/{url}/ban/{id}`
    func banOfUser(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        guard let restriction = try await restriction(request, \.banned) else { throw Self.notBanned }
        return SendbirdRestrictedUser(.ban, try await person(request.parameters["user"]), restriction)
    }

    /// `PUT /group_channels/{url}/ban/{id}`
    func updateBan(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, user) = (try request.read(UpdateBan.self), request.parameters["user"])
        guard let old = try await restriction(request, \.banned) else { throw Self.notBanned }
        var restriction = old
        if let seconds = asked.seconds {
            restriction = SendbirdRestriction(from: old.startAt, seconds: seconds, text: old.text)
        }
        if let text = asked.text { restriction.text = text }
        let changed = restriction
        try await change(request.parameters["channel"]) { extras, _ in extras.banned[user] = changed }
        return SendbirdRestrictedUser(.ban, try await person(user), changed)
    }

    /// `DELETE /group_channels/{url}/ban/{id}`
    func unban(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        try await lift(request, \.banned)
    }

    private static let notBanned = SendbirdError(.notFound, "The user is not banned.")

    // MARK: Lists

    /// `GET /group_channels/{url}/mute`, `.../ban`
    func restricted(
        _ request: SandboxRequest, _ kind: SendbirdRestrictedUser.Kind
    ) async throws(SendbirdError) -> any SendbirdShape {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let filter = PageFilter(request, [], in: self)
        let (skipped, url, now) = (try filter.place(), request.parameters["channel"], now)
        let (page, total) = try await read { transaction in
            let extras = try transaction.extras(of: transaction.knownChannel(url, in: self))
            let all = extras.restrictions(kind).filter { $0.value.holds(at: now) }.sorted { $0.key < $1.key }
            let page = try all.dropFirst(skipped).prefix(limit).map { id, restriction in
                SendbirdRestrictedUser(kind, try transaction.person(id, in: self), restriction)
            }
            return (page, all.count)
        }
        return SendbirdRestrictedUsers(
            kind, page, total: total, next: total > skipped + limit ? filter.token(skipped + limit) : "")
    }

    /// `GET /users/{id}/mute`, `.../ban`
    func restrictedChannels(
        _ request: SandboxRequest, _ kind: SendbirdRestrictedUser.Kind
    ) async throws(SendbirdError) -> any SendbirdShape {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let filter = PageFilter(request, [], in: self)
        let (skipped, user, now) = (try filter.place(), request.parameters["user"], now)
        let (embedded, view) = (channel, ChannelView(origin: request.origin))
        let (page, total) = try await read { transaction in
            _ = try transaction.user(user, in: self)
            var found: [(url: String, number: Int64)] = []
            try transaction.eachChannel(of: embedded, withMember: nil) { record in
                let restriction = try transaction.extras(of: record).restrictions(kind)[user]
                if restriction?.holds(at: now) == true { found.append((record.thread.id, record.number)) }
            }
            found.sort { $0.url < $1.url }
            let page = try transaction.threads(numbered: found.dropFirst(skipped).prefix(limit).map(\.number))
            return (try page.map { try transaction.shape(of: $0, view, in: self) }, found.count)
        }
        return SendbirdRestrictedChannels(
            kind, page, next: total > skipped + limit ? filter.token(skipped + limit) : "")
    }

    // MARK: Both

    @discardableResult
    private func restrict(
        _ asked: RestrictUser, in url: String,
        _ list: WritableKeyPath<ChannelExtras, [String: SendbirdRestriction]> & Sendable
    ) async throws(SendbirdError) -> SendbirdRestriction {
        _ = try await person(asked.userID)
        let restriction = SendbirdRestriction(from: now, seconds: asked.seconds, text: asked.text ?? "")
        try await change(url) { extras, _ in
            extras[keyPath: list] = extras[keyPath: list].filter { $0.value.holds(at: restriction.startAt) }
            extras[keyPath: list][asked.userID] = restriction
            guard extras[keyPath: list].count <= SendbirdBound.users else {
                throw SendbirdError(.tooManyItems, "At most \(SendbirdBound.users) users can be muted or banned.")
            }
        }
        return restriction
    }

    /// What holds for a user of the channel now. Throws 400301, 400201.
    private func restriction(
        _ request: SandboxRequest, _ list: KeyPath<ChannelExtras, [String: SendbirdRestriction]> & Sendable
    ) async throws(SendbirdError) -> SendbirdRestriction? {
        let (url, user, now) = (request.parameters["channel"], request.parameters["user"], now)
        return try await read { transaction in
            let extras = try transaction.extras(of: transaction.knownChannel(url, in: self))
            _ = try transaction.user(user, in: self)
            return extras[keyPath: list][user].flatMap { $0.holds(at: now) ? $0 : nil }
        }
    }

    private func lift(
        _ request: SandboxRequest, _ list: WritableKeyPath<ChannelExtras, [String: SendbirdRestriction]> & Sendable
    ) async throws(SendbirdError) -> SendbirdNothing {
        let user = request.parameters["user"]
        _ = try await person(user)
        try await change(request.parameters["channel"]) { extras, _ in extras[keyPath: list][user] = nil }
        return SendbirdNothing()
    }

    /// A user as answers show one. Throws 400301.
    private func person(_ id: String) async throws(SendbirdError) -> SendbirdPerson {
        try await read { transaction in
            _ = try transaction.user(id, in: self)
            return try transaction.person(id, in: self)
        }
    }

    /// Throws 400751 for somebody who is banned from the channel.
    func checkBan(of users: [String], from extras: ChannelExtras) throws(SendbirdError) {
        guard let user = users.first(where: { extras.banned[$0]?.holds(at: now) == true }) else { return }
        throw SendbirdError(.bannedFromChannel, "The user is banned from the channel: \(user).")
    }
}

extension ChannelExtras {
    fileprivate func restrictions(_ kind: SendbirdRestrictedUser.Kind) -> [String: SendbirdRestriction] {
        switch kind {
        case .mute: muted
        case .ban: banned
        }
    }
}
