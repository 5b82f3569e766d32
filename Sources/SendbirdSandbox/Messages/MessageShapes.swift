import ChatModel
import ChatStore
import Formats
import SendbirdWire

extension ReadTransaction {
    /// Throws 400201.
    func knownMessage(_ id: Int64, in record: ThreadRecord) throws -> MessageRecord {
        guard let message = try message(number: id, in: record), !message.message.isRemoved else {
            throw SendbirdError(.notFound, "No such message: \(id).")
        }
        return message
    }

    /// - Parameter origin: where the gateway is, for the addresses of files.
    func shape(
        of stored: MessageRecord, in record: ThreadRecord, at origin: String, withReactions: Bool = false
    ) throws -> SendbirdMessage {
        let message = stored.message
        let extras = try kept(MessageExtras.self, of: .message(stored.number)) ?? MessageExtras()
        var shape = SendbirdMessage(
            id: stored.number, type: SendbirdMessageType(message), channelURL: message.threadID,
            createdAt: UnixMilliseconds(message.createdAt))
        shape.customType = message.customType ?? ""
        shape.sender = try person(message.author, in: record)
        shape.text = message.text ?? ""
        shape.files = message.attachments.map { SendbirdFile($0, at: origin) }
        if let file = extras.file { (shape.type, shape.text, shape.files) = (.file, "", [file]) }
        (shape.data, shape.extras) = (extras.data, extras.items)
        if withReactions { shape.reactions = extras.reactions }
        shape.mentionType = extras.mentionType ?? "users"
        shape.mentioned = try extras.mentioned.map { id in
            try account(record.owner.key.of(id)).map { try person($0) } ?? SendbirdPerson(id: id)
        }
        shape.updatedAt = message.editedAt.map(UnixMilliseconds.init) ?? .never
        shape.isByOperator = shape.sender?.role == .operator
        if let id = message.parentID, let parent = try storedMessage(id, in: record) {
            shape.parent = SendbirdParent(
                id: parent.number,
                summary: SendbirdParent.Summary(
                    type: SendbirdMessageType(parent.message),
                    sender: try parent.message.isRemoved ? nil : person(parent.message.author, in: record),
                    text: parent.message.text ?? "", createdAt: UnixMilliseconds(parent.message.createdAt)))
            shape.isReplyToChannel = message.alsoInThread ?? true
        }
        if let info = message.replyInfo, info.count > 0 {
            shape.thread = SendbirdThreadInfo(
                replyCount: info.count, mostReplies: try info.mostReplies.compactMap { try person($0, in: record) },
                lastRepliedAt: info.lastRepliedAt.map(UnixMilliseconds.init) ?? .never,
                updatedAt: UnixMilliseconds(info.updatedAt))
        }
        return shape
    }

    /// Who wrote something; nil for the system. An agent of the desk is no member, and has a name that no user has.
    private func person(_ author: Author, in record: ThreadRecord) throws -> SendbirdPerson? {
        switch author.kind {
        case .system: return nil
        case .agent, .bot:
            var person = SendbirdPerson(id: SendbirdSandbox.agentPrefix + author.id, nickname: author.name ?? "")
            person.role = .operator
            return person
        case .customer:
            var person = SendbirdPerson(id: author.id, nickname: author.name ?? "")
            if let account = try account(record.owner.key.of(author.id)) {
                person.profileURL = account.customer.imageURL ?? ""
                person.metadata = try extras(of: account).metadata
            }
            person.role = try extras(of: record).operators.contains(author.id) ? .operator : .nobody
            return person
        }
    }

    private func person(_ account: AccountRecord) throws -> SendbirdPerson {
        SendbirdPerson(
            id: account.key.customer, nickname: account.customer.fullName ?? "",
            profileURL: account.customer.imageURL ?? "", metadata: try extras(of: account).metadata)
    }
}

extension AccountKey {
    /// That of another customer of the channel.
    fileprivate func of(_ customer: String) -> AccountKey {
        AccountKey(service: service, channel: channel, customer: customer)
    }
}

extension SendbirdMessageType {
    init(_ message: Message) {
        if message.author.kind == .system {
            self = .admin
        } else {
            self = message.attachments.isEmpty ? .text : .file
        }
    }
}
