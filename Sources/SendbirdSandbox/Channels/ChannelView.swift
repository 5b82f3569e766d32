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

    init() {}

    init(_ request: SandboxRequest, of user: String?) throws(SendbirdError) {
        self.user = user
        hasMembers = try request.flag("show_member") ?? false
        hasReceipts = try request.flag("show_read_receipt") ?? false
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

    func shape(of record: ThreadRecord, _ view: ChannelView, in sandbox: SendbirdSandbox) throws -> SendbirdChannel {
        let thread = record.thread
        var channel = SendbirdChannel(url: thread.id, createdAt: UnixSeconds(thread.createdAt))
        channel.name = thread.name ?? ""
        channel.customType = thread.customType ?? ""
        channel.isDistinct = thread.id.hasPrefix(SendbirdSandbox.distinctPrefix)
        channel.memberCount = record.members.count
        channel.joinedMemberCount = record.members.count { $0.state == .joined }
        let people = try record.members.map { (member: $0, customer: try account($0.account).key.customer) }
        if let user = view.user, let own = people.first(where: { $0.customer == user })?.member {
            channel.personal = SendbirdMembership(own, joinedAt: thread.createdAt)
        }
        if view.hasMembers { channel.members = try record.members.map { try shape(of: $0) } }
        if view.hasMetadata { channel.metadata = [:] }
        if view.hasReceipts {
            let times = people.compactMap { person in
                person.member.read.time.map { (person.customer, UnixMilliseconds($0)) }
            }
            channel.readReceipts = Dictionary(times) { first, _ in first }
        }
        channel.lastMessage = try record.lastMessageNumber.flatMap { try message(number: $0, in: record) }.map {
            try shape(of: $0, in: record)
        }
        return channel
    }

    func shape(of member: MemberRecord) throws -> SendbirdMember {
        let account = try account(member.account)
        var shape = SendbirdMember(
            id: account.key.customer, state: member.state == .joined ? .joined : .invited)
        shape.nickname = account.customer.fullName ?? ""
        shape.profileURL = account.customer.imageURL ?? ""
        shape.lastSeenAt = UnixMilliseconds(-1)
        shape.readAt = member.read.time.map(UnixMilliseconds.init) ?? .never
        return shape
    }
}

extension SendbirdMembership {
    init(_ member: MemberRecord, joinedAt: Timestamp) {
        self.init(state: member.state == .joined ? .joined : .invited, joinedAt: UnixSeconds(joinedAt))
        hiddenState = member.isHidden ? .allowAutoUnhide : .unhidden
        messageOffset = member.historyResetAt.map(UnixMilliseconds.init) ?? .never
        unreadCount = member.unreadCount
        lastReadAt = member.read.time.map(UnixMilliseconds.init) ?? .never
    }
}
