import Chat
import ChatModel
import ChatStore

/// A push as it is when it is looked at.
struct PushView: Sendable {
    var delivery: DeliveryRecord
    var device: TargetRecord
    var session: String
    var account: Int64
    var channel: String
    /// Nil where it was removed, or the account is not to be told of it any more.
    var message: Message?
    /// Of the message's event.
    var cursor: String
    var isRead: Bool
    /// Of the account, in all its threads.
    var unreadCount: Int
}

extension ReadTransaction {
    /// The pushes that a message makes.
    ///
    /// - Parameters:
    ///   - accounts: whose devices count.
    ///   - oldest: messages that were written before it are not worth a push.
    func pushes(for event: LogEvent, to accounts: Set<Int64>, since oldest: Timestamp) throws -> [PushDraft] {
        let concerned = event.members.compactMap { member -> Int64? in
            if case .account(let account) = member.audience, accounts.contains(account) { account } else { nil }
        }
        guard !concerned.isEmpty, let offset = event.offset, let message = try event.createdMessage(), message.createdAt >= oldest
        else { return [] }
        return try concerned.flatMap { account -> [PushDraft] in
            guard try thread(telling: account, of: message) != nil else { return [] }
            // Registered since: what was before is read from the list of threads.
            return try activeDevices(of: account).filter { $0.position < offset }.map { PushDraft(device: $0.number, event: event) }
        }
    }

    /// A push with what its decision depends on; nil where it has ended.
    func push(_ delivery: DeliveryRecord, epoch: String) throws -> PushView? {
        guard let current = try self.delivery(delivery.number, of: delivery.target)?.delivery, current.state == .pending,
              let device = try target(number: delivery.target), case .account(let account) = device.audience,
              let session = device.session else { return nil }
        var view = PushView(
            delivery: current, device: device, session: session, account: account, channel: try self.account(account).key.channel,
            cursor: Cursor(epoch: epoch, offset: current.offset).description, isRead: false,
            unreadCount: try unreadTotal(of: account).unreadCount)
        guard let event = try deliveryEvents(at: [current.offset], epoch: epoch)[current.offset]?.event,
              let message = try event.createdMessage(), let record = try thread(telling: account, of: message) else { return view }
        view.message = message
        let membership = record.members.first { $0.account == account }?.membership
        view.isRead = membership.map { $0.unreadCount == 0 || $0.lastReadAt.map { $0 >= message.createdAt } == true } ?? true
        return view
    }
}

extension PushMessage {
    init(_ message: Message, channel: String, cursor: String) {
        self.init(
            channelID: channel, threadID: message.threadID, messageID: message.id, event: cursor, author: message.notificationTitle,
            words: message.notificationText)
    }
}
