import Chat
import ChatModel
import ChatStore
import Formats

/// A push as it is when it is looked at.
struct PushView: Sendable {
    var delivery: DeliveryRecord
    var device: TargetRecord
    /// The session whose streams must end first. For a device of the desk: the device's id.
    var session: String
    /// 0 for the desk.
    var account: Int64
    var channel: String
    /// Whose thread it is, for the desk.
    var customer: String?
    /// Of the channel.
    var settings: PushSettings?
    /// Nil where it was removed, or the account is not to be told of it any more.
    var message: Message?
    /// Of the message's event.
    var cursor: String
    var isRead: Bool
    /// Of the account, in all its threads; 0 for the desk, whose browsers show no count.
    var unreadCount: Int
}

extension ReadTransaction {
    /// The pushes that a message makes.
    ///
    /// - Parameters:
    ///   - audiences: whose devices count.
    ///   - oldest: messages that were written before it are not worth a push.
    func pushes(for event: LogEvent, to audiences: Set<Audience>, since oldest: Timestamp) throws -> [PushDraft] {
        let concerned = event.audiences.filter(audiences.contains)
        guard !concerned.isEmpty, let offset = event.offset, let message = try event.createdMessage(),
            message.createdAt >= oldest
        else { return [] }
        return try concerned.flatMap { audience -> [PushDraft] in
            guard try thread(telling: audience, of: message, number: event.message) != nil else { return [] }
            // Registered since: what was before is read from the list of threads.
            return try activeDevices(of: audience).filter { $0.position < offset }.map {
                PushDraft(device: $0.number, event: event)
            }
        }
    }

    private func thread(telling audience: Audience, of message: Message, number: Int64?) throws -> ThreadRecord? {
        switch audience {
        case .account(let account): try thread(telling: account, of: message)
        case .desk: try thread(tellingDeskOf: message, number: number)
        case .session, .everyone: nil
        }
    }

    /// A push with what its decision depends on; nil where it has ended.
    func push(_ delivery: DeliveryRecord, epoch: String) throws -> PushView? {
        guard let current = try self.delivery(delivery.number, of: delivery.target)?.delivery,
            current.state == .pending,
            let device = try target(number: delivery.target), TargetKind.devices.contains(device.kind)
        else { return nil }
        if device.audience == .desk { return try deskPush(current, to: device, epoch: epoch) }
        guard case .account(let account) = device.audience, let session = device.session else { return nil }
        var view = PushView(
            delivery: current, device: device, session: session, account: account,
            channel: try self.account(account).key.channel,
            cursor: Cursor(epoch: epoch, offset: current.offset).description, isRead: false,
            unreadCount: try unreadTotal(of: account).unreadCount)
        guard let event = try deliveryEvents(at: [current.offset], epoch: epoch)[current.offset]?.event,
            let message = try event.createdMessage(), let record = try thread(telling: account, of: message)
        else { return view }
        view.message = message
        view.settings = try settings(ofChannelOf: record)
        let membership = record.members.first { $0.account == account }?.membership
        view.isRead =
            membership.map { $0.unreadCount == 0 || $0.lastReadAt.map { $0 >= message.createdAt } == true } ?? true
        return view
    }

    /// The same for a device of the desk.
    private func deskPush(_ delivery: DeliveryRecord, to device: TargetRecord, epoch: String) throws -> PushView {
        var view = PushView(
            delivery: delivery, device: device, session: device.id, account: 0, channel: "",
            cursor: Cursor(epoch: epoch, offset: delivery.offset).description, isRead: false, unreadCount: 0)
        guard
            let message = try deliveryEvents(at: [delivery.offset], epoch: epoch)[delivery.offset]?.event
                .createdMessage(),
            let number = delivery.message, let record = try thread(tellingDeskOf: message, number: number)
        else { return view }
        let owner = record.owner.key
        (view.message, view.channel, view.customer) = (message, owner.channel, owner.customer)
        // Whatever the channel says to its customers is nothing for the desk; what may be told is.
        view.settings = try settings(ofChannelOf: record).map { PushSettings(content: $0.content) }
        view.isRead = record.deskRead >= MessagePosition(createdAt: message.createdAt.milliseconds, number: number)
        return view
    }

    /// Nil where the service of the thread has no such settings.
    private func settings(ofChannelOf record: ThreadRecord) throws -> PushSettings? {
        try channel(record.owner.key.channel, of: record.owner.key.service)?.push
    }
}

extension PushMessage {
    init(_ message: Message, for view: PushView) {
        self.init(
            channelID: view.channel, threadID: message.threadID, messageID: message.id, event: view.cursor,
            author: message.notificationTitle, words: PlainText(message.notificationText).text, settings: view.settings,
            customerID: view.customer)
    }
}
