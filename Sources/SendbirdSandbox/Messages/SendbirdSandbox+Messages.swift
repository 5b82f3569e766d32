import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import SendbirdWire

/// Messages of a channel. A message's id is its number in the database.
extension SendbirdSandbox {
    /// `POST /group_channels/{url}/messages`, as JSON, or as a form that has a file.
    func sendMessage(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, upload) = try FileForm.read(request, as: SendMessage.self)
        return try await send(asked, upload, to: request.parameters["channel"], at: request.origin)
    }

    func send(
        _ asked: SendMessage, _ upload: FileForm.File?, to url: String, at origin: String
    ) async throws(SendbirdError) -> SendbirdMessage {
        guard asked.isSilent != true else {
            throw SendbirdError(.notServed, "\"is_silent\" is not served by the sandbox.")
        }
        guard asked.type != .file || upload != nil || asked.file != nil else {
            throw SendbirdError(.missing, "\"file\" or \"url\" is missing.")
        }
        let ownID = asked.deduplicationID.map { deduplicated($0, asked.userID) }
        let (parent, known) = try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            if asked.type != .admin { try transaction.checkSender(asked.userID ?? "", in: record, self) }
            return (
                try asked.parentID.map { try transaction.knownMessage($0, in: record).message.id },
                try ownID.flatMap { try transaction.storedMessage($0, in: record) }.flatMap {
                    // The embedded service refuses the id of one that was removed.
                    try $0.message.isRemoved ? nil : transaction.shape(of: $0, in: record, at: origin)
                }
            )
        }
        // Who sends again under an id gets what was sent first, whatever it is now.
        if let known { return known }
        var draft = MessageDraft(
            id: ownID, text: asked.text,
            customType: asked.customType, parentID: parent,
            alsoInThread: parent == nil ? nil : asked.isReplyToChannel ?? false, isAdmin: asked.type == .admin)
        if asked.type == .file {
            // The embedded service has no file without its bytes: there its address is the text.
            draft.text = upload == nil ? asked.file?.url : nil
        }
        var context = DeedContext()
        let file = upload == nil && asked.type == .file ? asked.file : nil
        context.message = { extras in
            (extras.data, extras.items, extras.file) = (asked.data ?? "", asked.extras ?? [], file)
            (extras.mentionType, extras.mentioned) = (asked.mentionType, unique(asked.mentionedIDs ?? []))
        }
        let id =
            asked.type == .admin
            ? try await sendAsAdmin(draft, to: url, context)
            : try await send(
                draft, upload, as: asked.userID ?? "", to: url, marksAsRead: asked.marksAsRead != false, context)
        return try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            guard let message = try transaction.storedMessage(id, in: record) else {
                throw SendbirdError(.notFound, "The message was removed meanwhile.")
            }
            return try transaction.shape(of: message, in: record, at: origin)
        }
    }

    private func sendAsAdmin(
        _ draft: MessageDraft, to url: String, _ context: DeedContext
    ) async throws(SendbirdError) -> String {
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        return try await act(with: context) { () throws(ChatError) in
            try await desk.send(
                draft, as: Agent(id: "sendbird"), to: thread, under: AnswerTerms(), receipt: nil
            ).id
        }
    }

    private func send(
        _ draft: MessageDraft, _ file: FileForm.File?, as user: String, to url: String, marksAsRead: Bool,
        _ context: DeedContext
    ) async throws(SendbirdError) -> String {
        let upload = try await file.asyncMap { (file) throws(SendbirdError) in try await stage(file) }
        return try await act(as: user, with: context) { (connection) throws(ChatError) in
            var draft = draft
            if let upload {
                draft.attachments = [try await connection.attach(upload, receipt: nil).id]
            }
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
        let hasReactions = try request.flag("include_reactions") ?? false
        return try await shape(
            of: messageID(request), in: request.parameters["channel"], at: request.origin, withReactions: hasReactions)
    }

    private func shape(
        of id: Int64, in url: String, at origin: String, withReactions: Bool = false
    ) async throws(SendbirdError) -> SendbirdMessage {
        try await read { transaction in
            let record = try transaction.knownChannel(url, in: self)
            return try transaction.shape(
                of: transaction.knownMessage(id, in: record), in: record, at: origin, withReactions: withReactions)
        }
    }

    /// `GET .../messages/thread_info?parent_message_id=`
    func threadInfo(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        guard let id = try request.number("parent_message_id", in: 1...Int64.max) else {
            throw SendbirdError(.missing, "\"parent_message_id\" is missing.")
        }
        let message = try await shape(of: id, in: request.parameters["channel"], at: request.origin)
        return message.thread
            ?? SendbirdThreadInfo(replyCount: 0, mostReplies: [], lastRepliedAt: .never, updatedAt: .never)
    }

    /// `PUT .../messages/{id}`: the text, as its author, and what is kept beside it.
    func updateMessage(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (asked, url) = (try request.read(UpdateMessage.self), request.parameters["channel"])
        let id = try messageID(request)
        let message = try await known(id, in: url)
        let change: @Sendable (inout MessageExtras) -> Void = { extras in
            if let data = asked.data { extras.data = data }
            if let type = asked.mentionType { extras.mentionType = type }
            if let ids = asked.mentionedIDs { extras.mentioned = unique(ids) }
        }
        let text = asked.text.flatMap { message.text.hasSameBytes(as: $0) ? nil : $0 }
        let type = asked.customType.flatMap { (message.customType ?? "").hasSameBytes(as: $0) ? nil : $0 }
        if text != nil || type != nil {
            let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
            try await act(with: DeedContext(message: change)) { () throws(ChatError) in
                try await desk.edit(anybodys: message.id, in: thread, text: text, customType: type)
            }
        } else {
            try await self.change(id, in: url, change)
        }
        return try await self.message(request)
    }

    /// `DELETE .../messages/{id}`. Its replies stay.
    func deleteMessage(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let (url, id) = (request.parameters["channel"], try messageID(request))
        let message = try await known(id, in: url)
        let (desk, thread) = (service.desk, DeskThread(id: url, channel: channel))
        try await act { () throws(ChatError) in try await desk.remove(anybodys: message.id, in: thread) }
        return SendbirdNothing()
    }

    // MARK: Extra data

    /// `POST`, `PUT .../messages/{id}/sorted_metaarray`. `POST` adds keys, `PUT` adds values to keys, or removes them.
    func writeExtras(_ request: SandboxRequest, creates: Bool) async throws(SendbirdError) -> SendbirdExtras {
        let asked = try request.read(WriteExtras.self)
        return try await change(messageID(request), in: request.parameters["channel"]) { extras in
            for item in asked.extras {
                let index = extras.items.firstIndex { $0.key.hasSameBytes(as: item.key) }
                if let index, asked.isRemoval == true {
                    extras.items[index].values.removeAll { item.values.contains($0) }
                } else if let index {
                    extras.items[index].values = unique(extras.items[index].values + item.values)
                } else if asked.isRemoval != true, creates || asked.isUpsert == true {
                    extras.items.append(item)
                }
            }
            guard extras.items.count <= SendbirdBound.metaArray,
                extras.items.allSatisfy({ $0.values.count <= SendbirdBound.metaArray })
            else {
                throw SendbirdError(
                    .tooManyItems, "\"sorted_metaarray\" must have at most \(SendbirdBound.metaArray) items.")
            }
            return SendbirdExtras(extras.items)
        }
    }

    /// `DELETE .../messages/{id}/sorted_metaarray?keys=`: all of it where none is named, as the official client asks.
    func removeExtras(_ request: SandboxRequest) async throws(SendbirdError) -> any SendbirdShape {
        let keys = request.texts("keys")
        return try await change(messageID(request), in: request.parameters["channel"]) { extras in
            extras.items.removeAll { keys?.contains($0.key) != false }
            return SendbirdExtras(extras.items)
        }
    }

    /// Changes what is kept beside a message. Throws 400201.
    @discardableResult
    private func change<T: Sendable>(
        _ id: Int64, in url: String, _ work: @escaping @Sendable (inout MessageExtras) throws -> T
    ) async throws(SendbirdError) -> T {
        try await write { transaction in
            let record = try transaction.knownChannel(url, in: self)
            let message = try transaction.knownMessage(id, in: record)
            let before = try transaction.kept(MessageExtras.self, of: .message(message.number))
            let result = try transaction.change(MessageExtras.self, of: .message(message.number), work)
            if try transaction.kept(MessageExtras.self, of: .message(message.number)) != before {
                try WebhookTeller(self, in: transaction)?.tellUpdate(of: message, in: record)
            }
            return result
        }
    }

    func messageID(_ request: SandboxRequest) throws(SendbirdError) -> Int64 {
        guard let id = Int64(request.parameters["message"]) else {
            throw SendbirdError(.notNumber, "\"message_id\" must be a number.")
        }
        return id
    }

    private func known(_ id: Int64, in url: String) async throws(SendbirdError) -> Message {
        try await read { try $0.knownMessage(id, in: $0.knownChannel(url, in: self)).message }
    }
}

extension ReadTransaction {
    /// Throws 400108 for who is no member, or is muted, and in a frozen channel for who is no operator.
    fileprivate func checkSender(_ id: String, in record: ThreadRecord, _ sandbox: SendbirdSandbox) throws {
        let account = try user(id, in: sandbox).number
        guard record.members.contains(where: { $0.account == account }) else { throw SendbirdSandbox.noMember }
        let extras = try extras(of: record)
        guard !extras.isFrozen || extras.operators.contains(id) else {
            throw SendbirdError(.notAuthorized, "The channel is frozen.")
        }
        guard !extras.isMuted(id, in: sandbox) else {
            throw SendbirdError(.notAuthorized, "The user is muted.")
        }
    }
}

extension Optional {
    fileprivate func asyncMap<T, E: Error>(_ work: (Wrapped) async throws(E) -> T) async throws(E) -> T? {
        guard let self else { return nil }
        return try await work(self)
    }
}
