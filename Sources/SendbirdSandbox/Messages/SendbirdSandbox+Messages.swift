import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import SendbirdWire

/// Messages of a channel. A message's id is its number in the database.
extension SendbirdSandbox {
    /// `POST /group_channels/{url}/messages`
    func sendMessage(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(SendMessage.self), request.parameters["channel"])
        guard asked.type != .file else {
            throw SendbirdError(.notServed, "The sandbox does not serve files yet.")
        }
        guard asked.extras?.isEmpty != false, asked.data?.isEmpty != false, asked.isSilent != true else {
            throw SendbirdError(
                .notServed, "The sandbox does not serve \"sorted_metaarray\", \"data\" and \"is_silent\" yet.")
        }
        let parent = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            return try asked.parentID.map { try transaction.knownMessage($0, in: record).message.id }
        }
        let draft = MessageDraft(
            id: asked.deduplicationID.map { deduplicated($0, asked.userID) }, text: asked.text,
            customType: asked.customType, parentID: parent,
            alsoInThread: parent == nil ? nil : asked.isReplyToChannel ?? false, isAdmin: asked.type == .admin)
        let id =
            asked.type == .admin
            ? try await sendAsAdmin(draft, to: url)
            : try await send(draft, as: asked.userID ?? "", to: url, marksAsRead: asked.marksAsRead != false)
        return try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            guard let message = try transaction.storedMessage(id, in: record) else {
                throw SendbirdError(.notFound, "The message was removed meanwhile.")
            }
            return try transaction.shape(of: message, in: record)
        }
    }

    private func sendAsAdmin(_ draft: MessageDraft, to url: String) async throws(SendbirdError) -> String {
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        return try await act { () throws(ChatError) in
            try await desk.send(
                draft, as: Agent(id: "sendbird"), to: thread, under: AnswerTerms(), receipt: nil
            ).id
        }
    }

    /// Throws 400108 for who is no member.
    private func send(
        _ draft: MessageDraft, as user: String, to url: String, marksAsRead: Bool
    ) async throws(SendbirdError) -> String {
        try await read { transaction in
            let account = try transaction.user(user, in: self).number
            guard try transaction.knownChannel(url, in: self).members.contains(where: { $0.account == account }) else {
                throw SendbirdError(.notAuthorized, "The user is no member of the channel.")
            }
        }
        return try await act(as: user) { (connection) throws(ChatError) in
            let outcome = try await connection.send(draft, to: url, receipt: nil)
            // The message is there: a fault of the reading must not look like one of the sending.
            if marksAsRead { _ = try? await connection.markRead(url, receipt: nil) }
            return outcome.id
        }
    }

    /// Two sends under one id in one channel are one message. Another user's id must not collide.
    private func deduplicated(_ id: String, _ user: String?) -> String {
        "sendbird-" + ids.uuid("message\n\(user ?? "")\n\(id)")
    }

    /// `GET .../messages/{id}`
    func message(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (url, id) = (request.parameters["channel"], try messageID(request))
        return try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            return try transaction.shape(of: transaction.knownMessage(id, in: record), in: record)
        }
    }

    /// `PUT .../messages/{id}`: the text, as its author.
    func updateMessage(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(UpdateMessage.self), request.parameters["channel"])
        guard let text = asked.text, asked.customType == nil, asked.data == nil else {
            throw SendbirdError(.notServed, "The sandbox changes the \"message\" only, yet.")
        }
        let message = try await known(try messageID(request), in: url)
        try await actAsAuthor(of: message, in: url) { (connection) throws(ChatError) in
            _ = try await connection.edit(message.id, in: url, text: text, ifMatch: nil)
        } orAtDesk: { (desk, thread, agent) throws(ChatError) in
            _ = try await desk.edit(message.id, in: thread, text: text, ifMatch: nil, as: agent)
        }
        return try await self.message(request)
    }

    /// `DELETE .../messages/{id}`
    func deleteMessage(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let url = request.parameters["channel"]
        let message = try await known(try messageID(request), in: url)
        try await actAsAuthor(of: message, in: url) { (connection) throws(ChatError) in
            try await connection.remove(message.id, in: url, ifMatch: nil)
        } orAtDesk: { (desk, thread, agent) throws(ChatError) in
            try await desk.remove(message.id, in: thread, ifMatch: nil, as: agent)
        }
        return SendbirdNothing()
    }

    /// `PUT .../messages/mark_as_read`
    func markAsRead(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(ForUser.self), request.parameters["channel"])
        try await read { _ = try $0.knownChannel(url, in: self) }
        try await act(as: asked.userID) { (connection) throws(ChatError) in
            _ = try await connection.markRead(url, receipt: nil)
        }
        return SendbirdNothing()
    }

    private func messageID(_ request: SandboxRequest) throws(SendbirdError) -> Int64 {
        guard let id = Int64(request.parameters["message"]) else {
            throw SendbirdError(.notNumber, "\"message_id\" must be a number.")
        }
        return id
    }

    private func known(_ id: Int64, in url: String) async throws(SendbirdError) -> Message {
        try await read { try $0.knownMessage(id, in: $0.knownChannel(url, in: self)).message }
    }

    /// The embedded service lets only the author change a message; the token may act as anybody.
    private func actAsAuthor(
        of message: Message, in url: String,
        _ byCustomer: (any ServiceConnection) async throws(ChatError) -> Void,
        orAtDesk byAgent: (LocalDesk, DeskThread, Agent) async throws(ChatError) -> Void
    ) async throws(SendbirdError) {
        if message.author.kind == .customer { return try await act(as: message.author.id, byCustomer) }
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        let agent = Agent(id: message.author.id, name: message.author.name)
        try await act { () throws(ChatError) in try await byAgent(desk, thread, agent) }
    }
}
