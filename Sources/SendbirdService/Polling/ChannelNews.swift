import ChatModel
import ChatStore
import SendbirdWire

/// Whether the application's list says that there is something new in a channel.
extension SendbirdChannel {
    /// Whether there is a newer message than the store has, or the customer's newest one was read.
    func isAhead(of thread: ChatThread, for user: String) -> Bool {
        if let last = lastMessage?.createdAt.time, last > thread.lastActivityAt { return true }
        guard let last = thread.lastMessage, last.direction == .toAgent, last.status != .seen else { return false }
        return (readReceipts ?? [:]).contains { $0.key != user && $0.value >= UnixMilliseconds(last.createdAt) }
    }

    /// Differs when something has changed that a refresh is to find.
    ///
    /// - Parameter entries: the channels of Parley. Their agents are no members that anybody sees.
    func fingerprint(for entries: [SendbirdConfiguration.Entry]) -> ChannelFingerprint {
        let agents = entries.first { $0.customType == customType }?.agents ?? []
        var hasher = Hasher()
        hasher.combine(lastMessage?.id)
        hasher.combine(lastMessage?.updatedAt)
        hasher.combine(lastMessage?.isRemoved)
        hasher.combine(lastMessage?.thread)
        hasher.combine(readReceipts)
        hasher.combine(name)
        hasher.combine(isFrozen)
        hasher.combine(memberCount)
        let others = members.map { members in
            var hasher = Hasher()
            for member in members where !agents.contains(member.id) {
                hasher.combine(member.id)
                hasher.combine(member.nickname)
                hasher.combine(member.profileURL)
                hasher.combine(member.state)
            }
            return hasher.finalize()
        }
        return ChannelFingerprint(channel: hasher.finalize(), members: others)
    }
}

/// What tells a channel from what it was when it was looked at last.
struct ChannelFingerprint: Sendable, Equatable {
    var channel: Int
    /// Nil where the list leaves out the members.
    var members: Int?

    /// What only one of both tells is no difference.
    func differs(from other: ChannelFingerprint) -> Bool {
        channel != other.channel || members != nil && other.members != nil && members != other.members
    }

    /// With the members of an earlier one, where they are left out.
    func completed(by earlier: ChannelFingerprint?) -> ChannelFingerprint {
        ChannelFingerprint(channel: channel, members: members ?? earlier?.members)
    }
}
