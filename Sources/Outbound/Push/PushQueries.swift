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
    var account: Int64 = 0
    var channel = ""
    /// Whose thread it is, for the desk.
    var customer: String?
    /// Of the channel.
    var settings: PushSettings?
    /// Nil where it was removed, or the account is not to be told of it any more.
    var message: Message?
    /// Of the message's event.
    var cursor: String
    var isRead = false
    /// Of the account, in all its threads; 0 for the desk, whose browsers show no count.
    var unreadCount = 0
}

/// What one step has taken from the log for all devices.
struct TakenPushes: Sendable {
    /// Each with its device.
    var pushes: [TakenDeliveries]
    /// The offset up to which the log was searched.
    var through: Int64
    /// Whether the log has messages that this step did not reach: take again at once.
    var hasMore: Bool
}

extension WriteTransaction {
    /// Messages of one step: they are read while other writers wait.
    private static var step: Int { 64 }

    /// Takes the next messages from the log, and makes a push for each device that is to be told of one. They are due in
    /// ``PushLook/delay``.
    ///
    /// - Parameter offset: where the search has come to; the store knows it for the last message that made a push.
    func takePushes(after offset: Int64, epoch: String) throws -> TakenPushes {
        let start = max(offset, try pushPosition())
        let (events, through) = try loggedMessages(after: start, limit: Self.step, epoch: epoch)
        let oldest = now.advanced(by: .zero - RetrySchedule.timeToLive)
        if events.isEmpty { return TakenPushes(pushes: [], through: through, hasMore: false) }
        // Asked for once: a desk may have a hundred browsers.
        let desk = try activeDevices(of: .desk).filter { device in
            try device.credential.map { try isCurrent($0, at: now) } ?? true
        }
        let drafts = try events.flatMap { try pushes(for: $0, since: oldest, desk: desk) }
        let taken =
            drafts.isEmpty ? [] : try takePushes(drafts, through: through, nextAt: now.advanced(by: PushLook.delay))
        return TakenPushes(pushes: taken, through: through, hasMore: events.count == Self.step)
    }
}

extension ReadTransaction {
    /// The pushes that a message makes.
    ///
    /// - Parameters:
    ///   - oldest: messages that were written before it are not worth a push.
    ///   - desk: the desk's devices that get pushes now.
    fileprivate func pushes(
        for event: LogEvent, since oldest: Timestamp, desk: [TargetRecord]
    ) throws -> [PushDraft] {
        var message: Message?
        return try event.audiences.flatMap { audience -> [PushDraft] in
            // Registered since: what was before is read from the list of threads.
            let all = audience == .desk ? desk : try activeDevices(of: audience)
            let devices = all.filter { $0.position < event.offset ?? 0 }
            if devices.isEmpty { return [] }
            // What cannot be decoded is told to nobody.
            if message == nil { message = try? event.createdMessage() }
            guard let message, message.createdAt >= oldest,
                try thread(telling: audience, of: message, number: event.message) != nil
            else { return [] }
            return devices.map { PushDraft(device: $0.number, event: event) }
        }
    }

    private func thread(telling audience: Audience, of message: Message, number: Int64?) throws -> ThreadRecord? {
        switch audience {
        case .account(let account): try thread(telling: account, of: message)
        case .desk: try thread(tellingDeskOf: message, number: number)
        case .session, .channel, .everyone: nil
        }
    }

    /// A push with what its decision depends on; nil where it has ended.
    func push(_ delivery: DeliveryRecord, epoch: String) throws -> PushView? {
        guard let current = try self.delivery(delivery.number, of: delivery.target)?.delivery,
            current.state == .pending,
            let device = try target(number: delivery.target), TargetKind.devices.contains(device.kind)
        else { return nil }
        var view = PushView(
            delivery: current, device: device, session: device.id,
            cursor: Cursor(epoch: epoch, offset: current.offset).description)
        let event = try deliveryEvents(at: [current.offset], epoch: epoch)[current.offset]?.event
        let message = try event?.createdMessage()
        switch device.audience {
        case .desk: try readDesk(&view, message)
        case .account(let account):
            guard let session = device.session else { return nil }
            (view.session, view.account) = (session, account)
            try readAccount(account, &view, message)
        case .session, .channel, .everyone: return nil
        }
        return view
    }

    private func readAccount(_ account: Int64, _ view: inout PushView, _ message: Message?) throws {
        view.channel = try self.account(account).key.channel
        view.unreadCount = try unreadTotal(of: account).unreadCount
        guard let message, let record = try thread(telling: account, of: message) else { return }
        view.message = message
        view.settings = try settings(ofChannelOf: record)
        let membership = record.members.first { $0.account == account }?.membership
        view.isRead =
            membership.map { $0.unreadCount == 0 || $0.lastReadAt.map { $0 >= message.createdAt } == true } ?? true
    }

    private func readDesk(_ view: inout PushView, _ message: Message?) throws {
        guard let message, let number = view.delivery.message,
            let record = try thread(tellingDeskOf: message, number: number)
        else { return }
        let owner = record.owner.key
        (view.message, view.channel, view.customer) = (message, owner.channel, owner.customer)
        // Whatever the channel says to its customers is nothing for the desk; what may be told is.
        view.settings = try settings(ofChannelOf: record).map { PushSettings(content: $0.content) }
        view.isRead = record.deskRead >= MessagePosition(createdAt: message.createdAt.milliseconds, number: number)
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
