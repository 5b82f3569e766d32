import Chat
import ChatModel
import ChatStore
import LocalService
import SendbirdWire

/// A user and all of its channels at once: counts, reading, leaving; and what the user prefers.
extension SendbirdSandbox {
    /// `GET /users/{id}/unread_message_count`
    func unreadCount(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        SendbirdCount(.unread, Int64(try await unread(of: request.parameters["user"]).unreadCount))
    }

    /// `GET /users/{id}/unread_channel_count`
    func unreadChannelCount(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        SendbirdCount(.unread, Int64(try await unread(of: request.parameters["user"]).threadCount))
    }

    private func unread(of id: String) async throws(SendbirdError) -> UnreadTotal {
        try await read { try $0.shownUnread(of: $0.user(id, in: self), in: self) }
    }

    /// `GET /users/{id}/unread_item_count`
    func unreadItems(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let id = request.parameters["user"]
        let messages = try await unread(of: id).unreadCount
        let invitations = try await channels(of: id).count { $0.state == .invited }
        return SendbirdItemCounts(messages: messages, invitations: invitations)
    }

    /// `GET /users/{id}/group_channel_count`
    func channelCount(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let state: MemberState? =
            switch request.query["state"] {
            case nil, "", "all": nil
            case "joined": .joined
            case "invited", "invited_by_friend", "invited_by_non_friend": .invited
            default: throw SendbirdError(.invalidValue, "\"state\" must be all, joined or invited.")
            }
        let all = try await channels(of: request.parameters["user"])
        return SendbirdCount(.channels, Int64(all.count { state == nil || $0.state == state }))
    }

    /// `PUT /users/{id}/mark_as_read_all`
    func markAllAsRead(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let id = request.parameters["user"]
        let wanted = request.body.isEmpty ? nil : try request.read(ForChannels.self).urls
        let unread = try await channels(of: id).filter { own in
            own.state == .joined && wanted?.contains(own.url) != false
        }
        try await act(as: id) { (connection) throws(ChatError) in
            for own in unread { _ = try await connection.markRead(own.url, receipt: nil) }
        }
        return SendbirdNothing()
    }

    /// `PUT /users/{id}/my_group_channels/leave`
    func leaveAll(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let type = request.body.isEmpty ? nil : try request.read(ForChannels.self).customType
        try await leaveAll(request.parameters["user"], ofType: type)
        return SendbirdNothing()
    }

    func leaveAll(_ id: String, ofType type: String? = nil) async throws(SendbirdError) {
        for own in try await channels(of: id) where type == nil || own.customType == type {
            try await remove([id], from: own.url)
        }
    }

    private struct OwnChannel: Sendable {
        var url: String
        var customType: String
        var state: MemberState
    }

    /// Throws 400920 for more channels than a list looks through.
    private func channels(of id: String) async throws(SendbirdError) -> [OwnChannel] {
        let embedded = channel
        return try await read { transaction in
            let account = try transaction.user(id, in: self).number
            var own: [OwnChannel] = []
            try transaction.eachChannel(of: embedded, withMember: account) { record in
                guard let member = record.members.first(where: { $0.account == account }) else { return }
                own.append(
                    OwnChannel(
                        url: record.thread.id, customType: record.thread.customType ?? "", state: member.state))
            }
            return own
        }
    }

    // MARK: What the user prefers

    /// `GET /users/{id}/channel_invitation_preference`
    func invitationPreference(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let id = request.parameters["user"]
        return try await read { SendbirdInvitationPreference(try !$0.extras(of: $0.user(id, in: self)).isAsked) }
    }

    /// `PUT /users/{id}/channel_invitation_preference`
    func setInvitationPreference(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, id) = (try request.read(SetInvitationPreference.self), request.parameters["user"])
        try await write { transaction in
            let account = try transaction.user(id, in: self)
            try transaction.change(UserExtras.self, of: .account(account.number)) { $0.isAsked = !asked.acceptsAtOnce }
        }
        return SendbirdInvitationPreference(asked.acceptsAtOnce)
    }

    /// `GET /users/{id}/count_preference/{url}`
    func countPreference(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (id, url) = (request.parameters["user"], request.parameters["channel"])
        return try await read { transaction in
            _ = try transaction.user(id, in: self)
            let extras = try transaction.extras(of: transaction.knownChannel(url, in: self))
            return SendbirdCountPreference(extras.countPreferences[id] ?? "all")
        }
    }

    /// `PUT /users/{id}/count_preference/{url}`. It has no effect on counts here.
    func setCountPreference(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let asked = try request.read(SetCountPreference.self)
        let (id, url) = (request.parameters["user"], request.parameters["channel"])
        try await write { transaction in
            let account = try transaction.user(id, in: self).number
            let record = try transaction.knownChannel(url, in: self)
            guard record.members.contains(where: { $0.account == account }) else { throw Self.noMember }
            try transaction.change(ChannelExtras.self, of: .thread(record.number)) {
                $0.countPreferences[id] = asked.preference
            }
        }
        return SendbirdCountPreference(asked.preference)
    }

    /// `POST /users/{id}/token`: for client SDKs, which the sandbox does not serve. Its body may be `{}`.
    func issueToken(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, id) = (try request.read(IssueToken.self), request.parameters["user"])
        _ = try await read { try $0.user(id, in: self) }
        let week = store.environment.now().advanced(byMilliseconds: 7 * 86_400_000)
        return SendbirdSessionToken(token: sdkToken(of: id), expiresAt: asked.expiresAt ?? UnixMilliseconds(week))
    }
}

extension ReadTransaction {
    /// What a user has not read, in the channels that it has not hidden. A message shows a channel again to the
    /// embedded service, also where the platform keeps it hidden.
    func shownUnread(of user: AccountRecord, in sandbox: SendbirdSandbox) throws -> UnreadTotal {
        let (account, id) = (user.number, user.key.customer)
        var total = try unreadTotal(of: account)
        guard total.unreadCount > 0 else { return total }
        try eachChannel(of: sandbox.channel, withMember: account) { record in
            guard let own = record.members.first(where: { $0.account == account }), own.unreadCount > 0, !own.isHidden,
                own.state == .joined, record.thread.state != .closed, try extras(of: record).hiddenFor.contains(id)
            else { return }
            total.unreadCount -= own.unreadCount
            total.threadCount -= 1
        }
        return total
    }
}
