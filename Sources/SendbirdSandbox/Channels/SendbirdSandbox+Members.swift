import Chat
import ChatModel
import ChatStore
import LocalService
import SendbirdWire

/// Who belongs to a channel.
extension SendbirdSandbox {
    /// `GET /group_channels/{url}/members`, by nickname.
    func members(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let limit = Int(try request.number("limit", in: 1...100) ?? 10)
        let filter = PageFilter("members", request, [])
        let (skipped, url) = (Int(try filter.place(request.query["token"])), request.parameters["channel"])
        let all = try await read { transaction in
            try transaction.knownChannel(url, in: self).members.map { try transaction.shape(of: $0) }.sorted {
                ($0.nickname, $0.id) < ($1.nickname, $1.id)
            }
        }
        let page = Array(all.dropFirst(skipped).prefix(limit))
        return SendbirdPage(page, next: all.count > skipped + limit ? filter.token(Int64(skipped + limit)) : "")
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
        let asking = unique(asked.userIDs)
        try await read { transaction in
            _ = try transaction.knownChannel(url, in: self)
            for id in asking { _ = try transaction.user(id, in: self) }
        }
        let drafts = members(asking, asked.invitationStatus)
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        _ = try await act { () throws(ChatError) in
            try await desk.add(drafts, to: thread, as: nil, receipt: nil)
        }
        var view = ChannelView()
        view.hasMembers = true
        var channel = try await channel(url, as: view)
        channel.invitedAt = UnixMilliseconds(store.environment.now())
        return channel
    }

    /// `PUT /group_channels/{url}/leave`
    func leave(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(LeaveChannel.self), request.parameters["channel"])
        let leaving = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let members = try record.members.map { try transaction.account($0.account).key.customer }
            return asked.isForAll == true ? members : members.filter { asked.userIDs.contains($0) }
        }
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        for id in leaving {
            try await act { () throws(ChatError) in try await desk.remove(member: id, from: thread, as: nil) }
        }
        return SendbirdNothing()
    }
}
