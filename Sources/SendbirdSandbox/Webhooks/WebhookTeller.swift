import ChatModel
import ChatStore
import SendbirdWire

/// Writes webhooks into the log. It does so in the same unit as the change that they report, so both are stored, or neither.
struct WebhookTeller {
    private let sandbox: SendbirdSandbox
    private let transaction: WriteTransaction
    private let settings: TargetSettings
    private let account: AccountRecord

    /// Nil if nobody is told.
    init?(_ sandbox: SendbirdSandbox, in transaction: WriteTransaction) throws {
        guard let settings = try transaction.webhook(of: sandbox), settings.shown.isEnabled else { return nil }
        (self.sandbox, self.transaction, self.settings) = (sandbox, transaction, settings)
        account = try transaction.callbackAccount(of: sandbox)
    }

    /// - Parameter message: the message whose text is told.
    func tell(_ event: SendbirdWebhook.Event, of record: ThreadRecord, message: Int64? = nil) throws {
        var view = ChannelView(origin: settings.origin)
        view.hasLastMessage = false
        var webhook = SendbirdWebhook(
            event, of: try transaction.shape(of: record, view, in: sandbox), applicationID: sandbox.applicationID)
        guard settings.shown.wants(webhook.category) else { return }
        if settings.shown.includesMembers { webhook.members = try members(of: record) }
        try transaction.log(
            CallbackEvent(threadID: record.thread.id, category: webhook.category.rawValue, body: webhook.encoded),
            of: record, message: message, to: account)
    }

    private func members(of record: ThreadRecord) throws -> [SendbirdWebhookMember] {
        let extras = try transaction.extras(of: record)
        return try record.members.map { member in
            let id = try transaction.account(member.account).key.customer
            var shape = SendbirdWebhookMember(
                try transaction.person(id, in: sandbox), member.state == .joined ? .joined : .invited)
            shape.isHidden = SendbirdMembership.hidden(member, of: id, extras) != .unhidden
            shape.unreadCount = member.unreadCount
            shape.totalUnreadCount = try transaction.unreadTotal(of: member.account).unreadCount
            return shape
        }
    }

    // MARK: Deeds

    /// - Parameter context: of the call that does them.
    func tell(_ deeds: [Deed], _ context: DeedContext) throws {
        var made: Set<Int64> = []
        // Counts are told as they are at the end.
        var latest: [Int64: ThreadRecord] = [:]
        for case .threadChanged(let record, _, _) in deeds { latest[record.number] = record }
        for case .threadMade(let record) in deeds where made.insert(record.number).inserted {
            try tellMade(record, context)
        }
        for deed in deeds {
            switch deed {
            case .threadMade: break
            case .threadChanged(let record, let thread, let members):
                if !made.contains(record.number) { try tellMembers(of: record, since: members, context) }
                try tellValues(of: record, since: thread)
                try tellReading(of: record, since: members)
            case .threadRemoved(let record): try tell(.remove(at: now), of: record)
            case .messageSent(let message, var record):
                record = latest[record.number] ?? record
                try tell(.messageSend(shape(of: message, in: record)), of: record, message: message.number)
            case .messageChanged(let message, let record, let changes):
                guard changes.contains("text") || changes.contains("customType"), !message.message.isRemoved else {
                    continue
                }
                try tellUpdate(of: message, in: latest[record.number] ?? record)
            case .messageRemoved(let message, var record):
                record = latest[record.number] ?? record
                var shape = try shape(of: message, in: record)
                (shape.text, shape.files) = ("", [])
                try tell(.messageDelete(shape, at: now), of: record)
            }
        }
    }

    func tellUpdate(of message: MessageRecord, in record: ThreadRecord) throws {
        var shape = try shape(of: message, in: record)
        if shape.updatedAt == .never { shape.updatedAt = now }
        try tell(.messageUpdate(shape), of: record, message: message.number)
    }

    private var now: UnixMilliseconds { UnixMilliseconds(transaction.now) }

    private func shape(of message: MessageRecord, in record: ThreadRecord) throws -> SendbirdMessage {
        try transaction.shape(of: message, in: record, at: settings.origin)
    }

    /// Who is in it at once has joined it, and was not invited.
    private func tellMade(_ record: ThreadRecord, _ context: DeedContext) throws {
        let inviter = try person(context.inviter)
        try tell(.create(at: UnixMilliseconds(record.thread.createdAt), inviter: inviter), of: record)
        let invited = record.members.filter { $0.state == .invited },
            joined = record.members.filter { $0.state == .joined }
        if !invited.isEmpty { try tell(.invite(people(invited), by: inviter, at: now), of: record) }
        if !joined.isEmpty { try tell(.join(people(joined), inviter: inviter, at: now), of: record) }
    }

    private func tellMembers(of record: ThreadRecord, since before: [MemberRecord], _ context: DeedContext) throws {
        let known = Dictionary(before.map { ($0.account, $0) }) { first, _ in first }
        let new = record.members.filter { known[$0.account] == nil }
        let inviter = try person(context.inviter)
        if !new.isEmpty, !context.isJoining { try tell(.invite(people(new), by: inviter, at: now), of: record) }
        let joined = record.members.filter { $0.state == .joined && known[$0.account]?.state != .joined }
        if !joined.isEmpty { try tell(.join(people(joined), inviter: inviter, at: now), of: record) }
        let gone = before.filter { old in !record.members.contains { $0.account == old.account } }
        let declining = gone.filter { $0.state == .invited }, leaving = gone.filter { $0.state == .joined }
        if !declining.isEmpty { try tell(.declineInvite(people(declining), inviter: nil), of: record) }
        if !leaving.isEmpty { try tell(.leave(people(leaving), at: now), of: record) }
    }

    private func tellValues(of record: ThreadRecord, since before: ChatThread) throws {
        let pairs = [
            ("name", before.name, record.thread.name), ("custom_type", before.customType, record.thread.customType),
        ]
        try tellChanges(pairs.map { .init(key: $0.0, old: $0.1 ?? "", new: $0.2 ?? "") }, of: record)
    }

    /// What a program has changed beside the thread.
    func tell(_ extras: ChannelExtras, since before: ChannelExtras, of record: ThreadRecord) throws {
        try tellChanges(
            [
                .init(key: "data", old: before.data, new: extras.data),
                .init(key: "cover_url", old: before.coverURL, new: extras.coverURL),
            ], of: record)
        if extras.isFrozen != before.isFrozen { try tell(.freeze(extras.isFrozen), of: record) }
    }

    /// Of values, those that differ.
    func tellChanges(_ changes: [SendbirdWebhook.Change], of record: ThreadRecord) throws {
        let changes = changes.filter { !$0.old.hasSameBytes(as: $0.new) }
        if !changes.isEmpty { try tell(.changed(changes, at: now), of: record) }
    }

    /// Those who have read all that was new.
    private func tellReading(of record: ThreadRecord, since before: [MemberRecord]) throws {
        let updates = try record.members.compactMap { member -> SendbirdWebhook.ReadUpdate? in
            guard member.unreadCount == 0, let readAt = member.read.time,
                let old = before.first(where: { $0.account == member.account }), old.unreadCount > 0,
                old.read < member.read
            else { return nil }
            return SendbirdWebhook.ReadUpdate(
                userID: try transaction.account(member.account).key.customer, readAt: UnixMilliseconds(readAt),
                unreadCount: 0, totalUnreadCount: try transaction.unreadTotal(of: member.account).unreadCount)
        }
        if !updates.isEmpty { try tell(.messageRead(updates), of: record) }
    }

    private func people(_ members: [MemberRecord]) throws -> [SendbirdPerson] {
        try members.map { try transaction.person(transaction.account($0.account).key.customer, in: sandbox) }
    }

    private func person(_ id: String?) throws -> SendbirdPerson? {
        try id.map { try transaction.person($0, in: sandbox) }
    }
}
