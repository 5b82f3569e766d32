import ChatModel
import ChatStore
import Formats
import SendbirdWire

/// What an answer shows of a channel.
struct ChannelView: Sendable {
    /// Whose own channel it is; nil: nothing personal is told.
    var user: String?
    var hasMembers = false
    var hasReceipts = false
    var hasMetadata = false
    var hasOperators = false
    var hasDeliveries = false
    var hasLastMessage = true
    /// Where the gateway is, for the addresses of files.
    let origin: String

    init(origin: String) { self.origin = origin }

    init(_ request: SandboxRequest, of user: String?) throws(SendbirdError) {
        self.init(origin: request.origin)
        self.user = user
        hasMembers = try request.flag("show_member") ?? false
        hasReceipts = try request.flag("show_read_receipt") ?? false
        hasDeliveries = try request.flag("show_delivery_receipt") ?? false
        hasMetadata = try request.flag("show_metadata") ?? false
    }
}

extension ReadTransaction {
    /// The channel of that URL; nil if there is none.
    func channel(_ url: String, in sandbox: SendbirdSandbox) throws -> ThreadRecord? {
        try deskThreads(url, onService: sandbox.service.id, channel: sandbox.channel, customer: nil).first
    }

    /// Throws 400201.
    func knownChannel(_ url: String, in sandbox: SendbirdSandbox) throws -> ThreadRecord {
        guard let record = try channel(url, in: sandbox) else {
            throw SendbirdError(.notFound, "No such channel: \(url.prefix(SendbirdBound.channelURL.upperBound)).")
        }
        return record
    }

    /// Whether the user is asked before it joins a channel.
    func isAsked(_ user: String, in sandbox: SendbirdSandbox) throws -> Bool {
        try extras(of: self.user(user, in: sandbox)).isAsked
    }

    func shape(of record: ThreadRecord, _ view: ChannelView, in sandbox: SendbirdSandbox) throws -> SendbirdChannel {
        let (thread, extras) = (record.thread, try extras(of: record))
        var channel = SendbirdChannel(url: thread.id, createdAt: UnixSeconds(thread.createdAt))
        channel.name = thread.name ?? ""
        channel.customType = thread.customType ?? ""
        (channel.data, channel.coverURL) = (extras.data, extras.coverURL)
        (channel.isFrozen, channel.isDistinct, channel.isPublic) =
            (extras.isFrozen, extras.isDistinct, extras.isPublic)
        channel.inviter = try extras.inviter.map { try person($0, in: sandbox) }
        channel.memberCount = record.members.count
        channel.joinedMemberCount = record.members.count { $0.state == .joined }
        if let user = view.user, let account = try account(sandbox.key(of: user))?.number,
            let own = record.members.first(where: { $0.account == account })
        {
            channel.personal = SendbirdMembership(own, of: user, extras, joinedAt: thread.createdAt)
            channel.personal?.isMuted = extras.isMuted(user, in: sandbox)
        }
        if view.hasMembers { channel.members = try record.members.map { try shape(of: $0, extras, in: sandbox) } }
        if view.hasOperators { channel.operators = try extras.operators.map { try person($0, in: sandbox) } }
        if view.hasMetadata { channel.metadata = extras.metadata }
        if view.hasReceipts {
            let times = try record.members.compactMap { member in
                try member.read.time.map { (try account(member.account).key.customer, UnixMilliseconds($0)) }
            }
            channel.readReceipts = Dictionary(times) { first, _ in first }
        }
        if view.hasDeliveries { channel.deliveryReceipts = extras.delivered }
        guard view.hasLastMessage else { return channel }
        channel.lastMessage = try record.lastMessageNumber.flatMap { try message(number: $0, in: record) }.flatMap {
            try $0.message.isRemoved ? nil : shape(of: $0, in: record, at: view.origin)
        }
        return channel
    }

    /// A user by its id alone where nobody has it.
    func person(_ id: String, in sandbox: SendbirdSandbox) throws -> SendbirdPerson {
        guard let account = try knownUser(id, in: sandbox) else { return SendbirdPerson(id: id) }
        var person = SendbirdPerson(
            id: id, nickname: account.customer.fullName ?? "", profileURL: account.customer.imageURL ?? "")
        person.metadata = try extras(of: account).metadata
        return person
    }

    func shape(
        of member: MemberRecord, _ extras: ChannelExtras, in sandbox: SendbirdSandbox
    ) throws -> SendbirdMember {
        let account = try account(member.account), user = try self.extras(of: account)
        let id = account.key.customer
        var shape = SendbirdMember(id: id, state: member.state == .joined ? .joined : .invited)
        shape.nickname = account.customer.fullName ?? ""
        shape.profileURL = account.customer.imageURL ?? ""
        (shape.metadata, shape.isActive) = (user.metadata, !user.isInactive)
        shape.role = extras.operators.contains(id) ? .operator : .nobody
        shape.lastSeenAt = UnixMilliseconds(-1)
        shape.readAt = member.read.time.map(UnixMilliseconds.init) ?? .never
        shape.deliveredAt = extras.delivered[id] ?? .never
        shape.isMuted = extras.isMuted(id, in: sandbox)
        return shape
    }
}

extension SendbirdMembership {
    init(_ member: MemberRecord, of user: String, _ extras: ChannelExtras, joinedAt: Timestamp) {
        self.init(state: member.state == .joined ? .joined : .invited, joinedAt: UnixSeconds(joinedAt))
        role = extras.operators.contains(user) ? .operator : .none
        hiddenState = Self.hidden(member, of: user, extras)
        messageOffset = member.historyResetAt.map(UnixMilliseconds.init) ?? .never
        unreadCount = member.unreadCount
        lastReadAt = member.read.time.map(UnixMilliseconds.init) ?? .never
        countPreference = extras.countPreferences[user] ?? "all"
    }

    static func hidden(_ member: MemberRecord, of user: String, _ extras: ChannelExtras) -> SendbirdHiddenState {
        if extras.hiddenFor.contains(user) { return .preventAutoUnhide }
        return member.isHidden ? .allowAutoUnhide : .unhidden
    }
}

extension ChannelExtras {
    func isMuted(_ user: String, in sandbox: SendbirdSandbox) -> Bool {
        muted[user]?.holds(at: UnixMilliseconds(sandbox.store.environment.now())) == true
    }
}
