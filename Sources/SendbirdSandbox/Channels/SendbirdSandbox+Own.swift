import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import SendbirdWire

/// What a channel is for one of its members: hidden, read, begun anew.
extension SendbirdSandbox {
    /// `PUT /group_channels/{url}/hide`
    func hide(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(HideChannel.self), request.parameters["channel"])
        let isSteady = asked.allowsAutoUnhide == false, resets = asked.hidesPreviousMessages == true
        try await forMembers(asked.isForAll == true ? nil : asked.userID, of: url) { (connection) throws(ChatError) in
            if resets { _ = try await connection.resetHistory(url, receipt: nil) }
            _ = try await connection.setHidden(true, url, receipt: nil)
        } extras: { extras, users in
            extras.hiddenFor.removeAll(where: users.contains)
            if isSteady { extras.hiddenFor += users }
        }
        return SendbirdNothing()
    }

    /// `DELETE /group_channels/{url}/hide?user_id=`
    func unhide(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let isForAll = try request.flag("should_unhide_all") ?? false
        guard isForAll || request.query["user_id"] != nil else {
            throw SendbirdError(.missing, "\"user_id\" is missing.")
        }
        let url = request.parameters["channel"]
        try await forMembers(isForAll ? nil : request.query["user_id"], of: url) { (connection) throws(ChatError) in
            _ = try await connection.setHidden(false, url, receipt: nil)
        } extras: { extras, users in
            extras.hiddenFor.removeAll(where: users.contains)
        }
        return SendbirdNothing()
    }

    /// `PUT /group_channels/{url}/reset_user_history`
    func resetHistory(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(ResetHistory.self), request.parameters["channel"])
        let user = asked.isForAll == true ? nil : asked.userID
        try await forMembers(user, of: url) { (connection) throws(ChatError) in
            _ = try await connection.resetHistory(url, receipt: nil)
        }
        let line = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let account = try user.map { try transaction.user($0, in: self).number }
            return record.members.filter { account == nil || account == $0.account }.compactMap(\.historyResetAt).max()
        }
        return SendbirdCount(.messageOffset, line?.milliseconds ?? 0)
    }

    /// `POST`, `DELETE /group_channels/{url}/typing`
    func reportTyping(_ request: SandboxRequest, _ isTyping: Bool) async throws(SendbirdError) -> SendbirdNothing {
        let (asked, url) = (try request.read(ReportTyping.self), request.parameters["channel"])
        for user in unique(asked.userIDs) {
            try await forMembers(user, of: url) { (connection) throws(ChatError) in
                try await connection.reportTyping(isTyping, in: url)
            }
        }
        return SendbirdNothing()
    }

    /// Marks the channel as read by the user: `PUT .../messages/mark_as_read`.
    func markAsRead(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(ForUser.self), request.parameters["channel"])
        try await forMembers(asked.userID, of: url) { (connection) throws(ChatError) in
            _ = try await connection.markRead(url, receipt: nil)
        }
        return SendbirdNothing()
    }

    /// `PUT .../messages/mark_as_delivered`
    func markAsDelivered(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(ForUser.self), request.parameters["channel"])
        try await checkMember(asked.userID, of: url, is: nil)
        let now = UnixMilliseconds(store.environment.now())
        try await change(url) { extras, _ in extras.delivered[asked.userID] = now }
        return SendbirdCount(.time, now.value)
    }

    /// `GET .../messages/unread_count?user_ids=`
    func unreadCounts(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (url, wanted) = (request.parameters["channel"], request.texts("user_ids"))
        let counts = try await read { transaction in
            try transaction.knownChannel(url, in: self).members.map { member in
                (try transaction.account(member.account).key.customer, Int64(member.unreadCount))
            }
        }
        return SendbirdUnreadCounts(
            Dictionary(counts.filter { wanted?.contains($0.0) != false }) { first, _ in first })
    }

    /// Does something as a member, or as each; then changes what is kept beside the channel.
    private func forMembers(
        _ user: String?, of url: String, _ work: (any ServiceConnection) async throws(ChatError) -> Void,
        extras: (@Sendable (inout ChannelExtras, [String]) -> Void)? = nil
    ) async throws(SendbirdError) {
        if let user { try await checkMember(user, of: url, is: nil) }
        let users = if let user { [user] } else { try await memberIDs(of: url) }
        for user in users { try await act(as: user, work) }
        if let extras { try await change(url) { kept, _ in extras(&kept, users) } }
    }
}
