import Chat
import ChatModel
import ChatStore
import LocalService
import SendbirdWire

/// Who belongs to a channel.
extension SendbirdSandbox {
    /// `GET /group_channels/{url}/members`, by nickname, or the operators first.
    func members(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let names = ["order", "operator_filter", "member_state_filter", "muted_member_filter", "nickname_startswith"]
        let filter = PageFilter(request, names, in: self)
        let (skipped, url) = (try filter.place(), request.parameters["channel"])
        let order = try request.choice(
            "order", of: ["member_nickname_alphabetical", "operator_then_member_alphabetical"])
        let role = try request.choice("operator_filter", of: ["all", "operator", "nonoperator"])
        let muted = try request.choice("muted_member_filter", of: ["all", "muted", "unmuted"])
        let prefix = request.query["nickname_startswith"] ?? ""
        let state: SendbirdMemberState? =
            switch request.query["member_state_filter"] {
            case "invited_only", "invited_by_friend", "invited_by_non_friend": .invited
            case "joined_only": .joined
            default: nil
            }
        let all = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self), extras = try transaction.extras(of: record)
            return try record.members.map { try transaction.shape(of: $0, extras, in: self) }.filter { member in
                (state == nil || state == member.state) && member.nickname.utf8.starts(with: prefix.utf8)
                    && (role ?? "all" == "all" || (role == "operator") == (member.role == .operator))
                    && (muted ?? "all" == "all" || (muted == "muted") == member.isMuted)
            }.sorted { left, right in
                func rank(_ member: SendbirdMember) -> Int {
                    order == "operator_then_member_alphabetical" && member.role != .operator ? 1 : 0
                }
                return (rank(left), left.nickname, left.id) < (rank(right), right.nickname, right.id)
            }
        }
        let page = Array(all.dropFirst(skipped).prefix(limit))
        return SendbirdPage(page, next: all.count > skipped + limit ? filter.token(skipped + limit) : "")
    }

    /// `GET /group_channels/{url}/members/{id}`
    func membership(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (url, user) = (request.parameters["channel"], request.parameters["user"])
        let state: SendbirdMemberState = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let account = try transaction.user(user, in: self).number
            guard let member = record.members.first(where: { $0.account == account }) else { return .none }
            return member.state == .joined ? .joined : .invited
        }
        return SendbirdMembershipAnswer(state)
    }

    /// `POST /group_channels/{url}/invite`
    func invite(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(InviteMembers.self), request.parameters["channel"])
        let asking = unique(asked.userIDs), inviting = asked.inviterID
        let (asks, inviter) = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            for id in asking { _ = try transaction.user(id, in: self) }
            try self.checkBan(of: asking, from: transaction.extras(of: record))
            let inviter = try inviting.map {
                try transaction.person(transaction.user($0, in: self).key.customer, in: self)
            }
            return (try asking.filter { try transaction.isAsked($0, in: self) }, inviter)
        }
        let drafts = members(asking, asked.invitationStatus, asking: asks)
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        _ = try await act(with: DeedContext(inviter: inviting)) { () throws(ChatError) in
            try await desk.add(drafts, to: thread, as: nil, receipt: nil)
        }
        var view = ChannelView(origin: request.origin)
        view.hasMembers = true
        var channel = try await channel(url, as: view)
        channel.invitedAt = UnixMilliseconds(store.environment.now())
        if let inviter { channel.inviter = inviter }
        return channel
    }

    /// `PUT /group_channels/{url}/accept`
    func accept(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (user, url) = (try request.read(ForUser.self).userID, request.parameters["channel"])
        try await checkMember(user, of: url, is: nil)
        try await act(as: user) { (connection) throws(ChatError) in _ = try await connection.join(url, receipt: nil) }
        return try await channel(url, as: ownView(of: user, request))
    }

    /// `PUT /group_channels/{url}/decline`: of who is invited and did not join.
    func decline(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (user, url) = (try request.read(ForUser.self).userID, request.parameters["channel"])
        try await checkMember(user, of: url, is: .invited)
        try await remove([user], from: url)
        return SendbirdNothing()
    }

    /// `PUT /group_channels/{url}/join`: a public channel.
    func join(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (user, url) = (try request.read(ForUser.self).userID, request.parameters["channel"])
        try await read { transaction in
            _ = try transaction.user(user, in: self)
            let extras = try transaction.extras(of: transaction.knownChannel(url, in: self))
            guard extras.isPublic else { throw SendbirdError(.notAuthorized, "The channel is not public.") }
            try self.checkBan(of: [user], from: extras)
        }
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        _ = try await act(with: DeedContext(isJoining: true)) { () throws(ChatError) in
            try await desk.add([MemberDraft(id: user, state: .joined)], to: thread, as: nil, receipt: nil)
        }
        return try await channel(url, as: ownView(of: user, request))
    }

    private func ownView(of user: String, _ request: SandboxRequest) -> ChannelView {
        var view = ChannelView(origin: request.origin)
        (view.user, view.hasMembers) = (user, true)
        return view
    }

    /// `PUT /group_channels/{url}/leave`
    func leave(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(LeaveChannel.self), request.parameters["channel"])
        let members = try await memberIDs(of: url)
        let leaving = asked.isForAll == true ? members : members.filter { asked.userIDs.contains($0) }
        try await remove(leaving, from: url)
        if asked.removesOperators == true {
            try await change(url) { extras, _ in extras.operators.removeAll { leaving.contains($0) } }
        }
        return SendbirdNothing()
    }

    func memberIDs(of url: String) async throws(SendbirdError) -> [String] {
        try await read { transaction in
            try transaction.knownChannel(url, in: self).members.map {
                try transaction.account($0.account).key.customer
            }
        }
    }

    func remove(_ members: [String], from url: String) async throws(SendbirdError) {
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        for id in members {
            try await act { () throws(ChatError) in try await desk.remove(member: id, from: thread, as: nil) }
        }
        try await change(url) { extras, _ in for id in members { extras.forget(id) } }
    }

    /// Throws 400108 unless the user is a member, in this state if one is named.
    func checkMember(_ user: String, of url: String, is state: MemberState?) async throws(SendbirdError) {
        try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let account = try transaction.user(user, in: self).number
            guard let member = record.members.first(where: { $0.account == account }) else { throw Self.noMember }
            guard state == nil || state == member.state else {
                throw SendbirdError(.notAuthorized, "The user has joined the channel already.")
            }
        }
    }

    static let noMember = SendbirdError(.notAuthorized, "The user is no member of the channel.")

    // MARK: Operators

    /// `GET /group_channels/{url}/operators`
    func operators(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let filter = PageFilter(request, [], in: self)
        let (skipped, url) = (try filter.place(), request.parameters["channel"])
        let (page, count) = try await read { transaction in
            let ids = try transaction.extras(of: transaction.knownChannel(url, in: self)).operators
            return (
                try ids.dropFirst(skipped).prefix(limit).map { try transaction.person($0, in: self) }, ids.count
            )
        }
        return SendbirdPage(page, next: count > skipped + limit ? filter.token(skipped + limit) : "")
    }

    /// `POST /group_channels/{url}/operators`
    func addOperators(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let asked = try request.read(AddOperators.self)
        try await change(request.parameters["channel"]) { extras, _ in
            let all = unique(extras.operators + asked.userIDs)
            guard all.count <= SendbirdBound.users else {
                throw SendbirdError(.tooManyItems, "A channel has at most \(SendbirdBound.users) operators.")
            }
            extras.operators = all
        }
        return SendbirdNothing()
    }

    /// `DELETE /group_channels/{url}/operators?operator_ids=`
    func removeOperators(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let isAll = try request.flag("delete_all") ?? false
        guard let ids = isAll ? [] : request.texts("operator_ids") else {
            throw SendbirdError(.missing, "\"operator_ids\" is missing.")
        }
        try await change(request.parameters["channel"]) { extras, _ in
            extras.operators.removeAll { isAll || ids.contains($0) }
        }
        return SendbirdNothing()
    }
}
