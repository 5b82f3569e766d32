import ChatModel
import ChatStore
import Formats
import SendbirdWire

extension ReadTransaction {
    /// Throws 400201.
    func knownMessage(_ id: Int64, in record: ThreadRecord) throws -> MessageRecord {
        guard let message = try message(number: id, in: record) else {
            throw SendbirdError(.notFound, "No such message: \(id).")
        }
        return message
    }

    func shape(of stored: MessageRecord, in record: ThreadRecord) throws -> SendbirdMessage {
        let message = stored.message
        var shape = SendbirdMessage(
            id: stored.number, type: SendbirdMessageType(message), channelURL: message.threadID,
            createdAt: UnixMilliseconds(message.createdAt))
        shape.customType = message.customType ?? ""
        shape.sender = try person(message.author, in: record)
        shape.text = message.text ?? ""
        shape.updatedAt = message.editedAt.map(UnixMilliseconds.init) ?? .never
        shape.isByOperator = shape.sender?.role == .operator
        if let id = message.parentID, let parent = try storedMessage(id, in: record) {
            shape.parent = SendbirdParent(
                id: parent.number,
                summary: SendbirdParent.Summary(
                    type: SendbirdMessageType(parent.message), sender: try person(parent.message.author, in: record),
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
            var person = SendbirdPerson(id: "agent_\(author.id)", nickname: author.name ?? "")
            person.role = .operator
            return person
        case .customer:
            let key = AccountKey(
                service: record.owner.key.service, channel: record.owner.key.channel, customer: author.id)
            let image = try account(key)?.customer.imageURL
            var person = SendbirdPerson(id: author.id, nickname: author.name ?? "", profileURL: image ?? "")
            person.role = .nobody
            return person
        }
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
