import Formats

/// What the platform's description says of users, channels and messages, and nothing else: what a sandbox must show.
struct HistoryModel {
    struct Message {
        var id: Int64
        var createdAt: Int64 = 0
        /// Nil for an admin message.
        var sender: String?
        var text: String
        var parent: Int64?
        /// Whether the channel shows it: no reply, or one that was sent to the channel, too.
        var isInChannel = true
    }

    enum Hiding: String {
        case none = "unhidden"
        case untilMessage = "hidden_allow_auto_unhide"
        case steady = "hidden_prevent_auto_unhide"
    }

    struct Member {
        var unread: Set<Int64> = []
        /// When the newest message was made that it has read; 0 for none.
        var readAt: Int64 = 0
        var hiding = Hiding.none
    }

    struct Channel {
        var name = ""
        var members: [String: Member]
        var messages: [Message] = []

        mutating func read(_ user: String) {
            // Who had nothing to read has no new receipt.
            guard members[user]?.unread.isEmpty == false else { return }
            members[user]?.unread = []
            if let last = messages.last(where: \.isInChannel) { members[user]?.readAt = last.createdAt }
        }
    }

    var nicknames: [String: String] = [:]
    var channels: [String: Channel] = [:]

    mutating func send(_ message: Message, to url: String, marksAsRead: Bool) {
        change(url) { channel in
            channel.messages.append(message)
            for user in channel.members.keys where message.isInChannel {
                if user != message.sender { channel.members[user]?.unread.insert(message.id) }
                if channel.members[user]?.hiding == .untilMessage { channel.members[user]?.hiding = .none }
            }
            if let sender = message.sender, marksAsRead { channel.read(sender) }
        }
    }

    mutating func remove(_ id: Int64, from url: String) {
        change(url) { channel in
            channel.messages.removeAll { $0.id == id }
            for user in channel.members.keys { channel.members[user]?.unread.remove(id) }
        }
    }

    mutating func edit(_ id: Int64, in url: String, to text: String) {
        change(url) { channel in
            for index in channel.messages.indices where channel.messages[index].id == id {
                channel.messages[index].text = text
            }
        }
    }

    mutating func join(_ user: String, _ url: String) {
        change(url) { $0.members[user] = $0.members[user] ?? Member() }
    }

    mutating func leave(_ user: String, _ url: String) { change(url) { $0.members[user] = nil } }

    mutating func read(_ user: String, _ url: String) { change(url) { $0.read(user) } }

    mutating func hide(_ user: String, _ url: String, _ hiding: Hiding) {
        change(url) { $0.members[user]?.hiding = hiding }
    }

    private mutating func change(_ url: String, _ body: (inout Channel) -> Void) {
        guard var channel = channels[url] else { return }
        body(&channel)
        channels[url] = channel
    }

    func unread(of user: String) -> Int64 {
        channels.values.reduce(0) { sum, channel in
            guard let member = channel.members[user], member.hiding == .none else { return sum }
            return sum + Int64(member.unread.count)
        }
    }
}
