import ChatModel
import ChatStore
import Crypto
import Formats
import SendbirdWire

/// For whom messages of the platform are read: it decides their direction, their author and how far they have come.
struct MessageReader: Sendable {
    var account: AccountRecord
    /// The users who are agents; if there are none, everybody but the customer is.
    var agents: Set<String>
    /// Up to when each member of the thread has read, and has received; empty where it is not known.
    var readReceipts: [String: UnixMilliseconds] = [:]
    var deliveryReceipts: [String: UnixMilliseconds] = [:]
    /// What is not younger was reset for this customer.
    var line: Timestamp?

    /// The key under which a message carries the id that Parley has given it.
    static let idKey = "parley_id"

    var user: String { account.key.customer }

    /// The message as the store takes it, in a thread. Nil for what is removed, for what was reset, and for a message
    /// that tells no time.
    func read(_ wire: SendbirdMessage, in thread: String) -> RemoteMessage? {
        guard !wire.isRemoved, let time = wire.createdAt.time, time > line ?? .earliest else { return nil }
        let (author, direction) = author(of: wire)
        let files = wire.files.prefix(SendbirdFile.most).filter { $0.url.utf8.count <= SendbirdBound.url }
        var message = Message(
            id: String(wire.id), threadID: thread, createdAt: time, direction: direction, author: author,
            type: type(of: wire, files), text: wire.text.isEmpty && !files.isEmpty ? nil : wire.text,
            status: status(of: wire))
        message.customType =
            wire.customType.isEmpty ? nil : wire.customType.cut(toScalars: SendbirdBound.customType).text
        if let editedAt = wire.updatedAt.time {
            message.editedAt = editedAt
            message.updatedAt = max(time, editedAt)
        }
        if let parent = wire.parent {
            message.parentID = String(parent.id)
            message.alsoInThread = wire.isReplyToChannel ?? false
        }
        message.replyInfo = wire.thread.flatMap(replyInfo)
        message.attachments = files.enumerated().map { index, file in
            Attachment(
                id: attachmentID(index, of: wire.id, in: thread), name: FileName.clean(file.name),
                mimeType: FileName.cleanType(file.type), size: file.size)
        }
        return RemoteMessage(message, requestID: requestID(of: wire), fileURLs: files.map(\.url))
    }

    /// The id under which this account has sent it; nil for others' messages. Anybody may write any id into a message,
    /// so that only the customer's own counts.
    func requestID(of wire: SendbirdMessage) -> String? {
        guard wire.sender?.id == user else { return nil }
        let id = wire.extras.first { $0.key == Self.idKey }?.values.first
        return id.flatMap { Identifier.isValid($0) ? $0 : nil }
    }

    private func author(of wire: SendbirdMessage) -> (Author, MessageDirection) {
        guard wire.type != .admin, let sender = wire.sender else { return (.system, .toClient) }
        if sender.id == user { return (Author(account.customer), .toAgent) }
        return isAgent(sender.id) ? (person(sender), .toClient) : (person(sender), .toAgent)
    }

    func isAgent(_ user: String) -> Bool { user != self.user && (agents.isEmpty || agents.contains(user)) }

    private func person(_ wire: SendbirdPerson) -> Author {
        let name = wire.nickname.isEmpty ? nil : wire.nickname.cut(toScalars: 256).text
        return Author(id: wire.id.cut(toScalars: SendbirdBound.userID).text, name: name, kind: kind(of: wire.id))
    }

    private func kind(of user: String) -> Author.Kind { isAgent(user) ? .agent : .customer }

    private func type(of wire: SendbirdMessage, _ files: [SendbirdFile]) -> MessageType {
        if wire.type == .admin { return .admin }
        return files.isEmpty ? .text : .file
    }

    /// How far the message has come: seen by any other member, or delivered to all of them.
    private func status(of wire: SendbirdMessage) -> MessageStatus {
        let sender = wire.sender?.id
        if readReceipts.contains(where: { $0.key != sender && $0.value >= wire.createdAt }) { return .seen }
        let others = deliveryReceipts.filter { $0.key != sender }
        return !others.isEmpty && others.allSatisfy { $0.value >= wire.createdAt } ? .delivered : .sent
    }

    private func replyInfo(_ wire: SendbirdThreadInfo) -> ReplyInfo? {
        guard let updatedAt = wire.updatedAt.time ?? wire.lastRepliedAt.time else { return nil }
        return ReplyInfo(
            count: wire.replyCount,
            mostReplies: wire.mostReplies.prefix(ReplyInfo.maximumAuthors).map {
                $0.id == user ? Author(account.customer) : person($0)
            }, lastRepliedAt: wire.lastRepliedAt.time, updatedAt: updatedAt)
    }

    /// The same each time, and good for a file's name whatever the platform's ids are.
    private func attachmentID(_ index: Int, of message: Int64, in thread: String) -> String {
        let digest = SHA256.hash(data: Array("sendbird\n\(account.number)\n\(thread)\n\(message)\n\(index)".utf8))
        return "r" + Hexadecimal.encode(digest.prefix(16))
    }
}

extension [RemoteMessage] {
    /// In the order of their times.
    var ascending: [RemoteMessage] {
        enumerated().sorted { left, right in
            (left.element.message.createdAt, left.offset) < (right.element.message.createdAt, right.offset)
        }.map(\.element)
    }
}
