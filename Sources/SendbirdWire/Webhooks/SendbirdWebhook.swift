import Formats

/// What a webhook tells, as the platform sends it. The platform's own are read as ``ReceivedWebhook``.
package struct SendbirdWebhook: Sendable {
    /// What has happened. The shapes of `remove`, `declineInvite`, `messageUpdate`, `messageDelete` and `freeze` are told by
    /// third parties, or guessed.
    package enum Event: Sendable {
        case create(at: UnixMilliseconds, inviter: SendbirdPerson?)
        case remove(at: UnixMilliseconds)
        case changed([Change], at: UnixMilliseconds)
        case invite([SendbirdPerson], by: SendbirdPerson?, at: UnixMilliseconds)
        case declineInvite([SendbirdPerson], inviter: SendbirdPerson?)
        case join([SendbirdPerson], inviter: SendbirdPerson?, at: UnixMilliseconds)
        case leave([SendbirdPerson], at: UnixMilliseconds)
        case messageSend(SendbirdMessage)
        case messageUpdate(SendbirdMessage)
        /// Its text is gone.
        case messageDelete(SendbirdMessage, at: UnixMilliseconds)
        case messageRead([ReadUpdate])
        case freeze(Bool)
        case reaction(SendbirdReactionChange, by: SendbirdPerson)
    }

    /// A member of a channel that has another value now, as `name`.
    package struct Change: Sendable, Hashable {
        package var key: String
        package var old: String
        package var new: String

        package init(key: String, old: String, new: String) { (self.key, self.old, self.new) = (key, old, new) }
    }

    /// Somebody has read everything of the channel.
    package struct ReadUpdate: Sendable, Hashable {
        package var userID: String
        package var readAt: UnixMilliseconds
        package var unreadCount: Int
        /// Of all channels.
        package var totalUnreadCount: Int

        package init(userID: String, readAt: UnixMilliseconds, unreadCount: Int, totalUnreadCount: Int) {
            (self.userID, self.readAt) = (userID, readAt)
            (self.unreadCount, self.totalUnreadCount) = (unreadCount, totalUnreadCount)
        }
    }

    package var applicationID: String
    package var channel: SendbirdChannel
    package var event: Event
    /// Nil where members are not told.
    package var members: [SendbirdWebhookMember]?

    package init(_ event: Event, of channel: SendbirdChannel, applicationID: String) {
        (self.event, self.channel, self.applicationID) = (event, channel, applicationID)
    }

    package var category: SendbirdCategory {
        switch event {
        case .create: .create
        case .remove: .remove
        case .changed: .changed
        case .invite: .invite
        case .declineInvite: .declineInvite
        case .join: .join
        case .leave: .leave
        case .messageSend: .messageSend
        case .messageUpdate: .messageUpdate
        case .messageDelete: .messageDelete
        case .messageRead: .messageRead
        case .freeze: .freezeUnfreeze
        case .reaction(let change, _): change.isAdded ? .reactionAdd : .reactionDelete
        }
    }

    /// The bytes that are sent, and signed.
    package var encoded: [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            json.member("category", category.rawValue)
            json.member("app_id", applicationID)
            if case .messageRead(let updates) = event {
                writeChannel(to: &json)
                write(updates, to: &json)
            } else {
                writeEvent(to: &json)
                writeChannel(to: &json)
            }
            json.member("members", ifPresent: members)
        }
        return SendbirdText.escapingSlashes(json.bytes)
    }

    private func writeEvent(to json: inout JSONWriter) {
        switch event {
        case .create(let time, let inviter):
            json.member("created_at", time)
            json.member("inviter", orNull: inviter)
        case .remove(let time): json.member("removed_at", time)
        case .changed(let changes, let time):
            json.member("created_at", time)
            write(changes, to: &json)
        case .invite(let people, let inviter, let time):
            json.member("invited_at", time)
            json.member("inviter", orNull: inviter)
            json.member("invitees", people)
        case .declineInvite(let people, let inviter):
            json.member("inviter", orNull: inviter)
            json.member("users", people)
        case .join(let people, let inviter, let time):
            json.member("joined_at", time)
            json.member("users", people.map { JoinedPerson(person: $0, inviter: inviter) })
        case .leave(let people, let time):
            json.member("left_at", time)
            json.member("users", people)
        case .messageSend(let message): write(message, to: &json)
        case .messageUpdate(let message): write(message, to: &json) { $0.member("updated_at", message.updatedAt) }
        case .messageDelete(let message, let time): write(message, to: &json) { $0.member("deleted_at", time) }
        case .messageRead: break
        case .freeze(let isFrozen): json.member("freeze", isFrozen)
        case .reaction(let change, let person):
            json.member("reaction", change.key)
            json.member("ts", change.updatedAt)
            json.member("user", person.plain)
            json.member("message") { $0.member("message_id", change.message) }
        }
    }

    private func write(_ changes: [Change], to json: inout JSONWriter) {
        json.name("changes")
        json.beginArray()
        for change in changes {
            json.object { json in
                json.member("key", change.key)
                json.member("old", change.old)
                json.member("new", change.new)
            }
        }
        json.endArray()
    }

    private func write(_ updates: [ReadUpdate], to json: inout JSONWriter) {
        json.name("read_updates")
        json.beginArray()
        for update in updates {
            json.object { json in
                json.member("user_id", update.userID)
                json.member("read_ts", update.readAt)
                json.member("channel_unread_message_count", update.unreadCount)
                json.member("total_unread_message_count", update.totalUnreadCount)
            }
        }
        json.endArray()
    }

    /// - Parameter time: writes into the payload what the category has besides.
    private func write(
        _ message: SendbirdMessage, to json: inout JSONWriter, _ time: (inout JSONWriter) -> Void = { _ in }
    ) {
        json.member("sdk", "API")
        json.member("type", message.type.rawValue)
        json.member("silent", message.isSilent)
        json.member("sender", ifPresent: message.sender?.plain)
        json.member("sender_ip_addr", "127.0.0.1")
        json.member("custom_type", message.customType)
        json.member("mention_type", message.mentionType)
        json.member("mentioned_users", message.mentioned.map(\.plain))
        json.member("parent_message_id", message.parent?.id ?? 0)
        json.member("payload") { json in
            json.member("message_id", message.id)
            if let file = message.files.first {
                json.member("url", file.url)
                json.member("filename", file.name)
                json.member("content_type", file.type)
                json.member("filesize", file.size)
            } else {
                json.member("message", message.text)
            }
            json.member("custom_type", message.customType)
            json.member("data", message.data)
            json.member("translations", message.translations)
            json.member("created_at", message.createdAt)
            time(&json)
        }
    }

    private func writeChannel(to json: inout JSONWriter) {
        json.member("channel") { json in
            json.member("channel_url", channel.url)
            json.member("name", channel.name)
            json.member("custom_type", channel.customType)
            json.member("data", channel.data)
            json.member("is_distinct", channel.isDistinct)
            json.member("is_public", channel.isPublic)
            json.member("is_super", channel.isSuper)
            json.member("is_ephemeral", channel.isEphemeral)
            json.member("is_discoverable", channel.isDiscoverable)
        }
    }
}

/// Somebody who has joined, with who has invited them.
private struct JoinedPerson: SendbirdShape {
    var person: SendbirdPerson
    var inviter: SendbirdPerson?

    init(person: SendbirdPerson, inviter: SendbirdPerson?) { (self.person, self.inviter) = (person, inviter) }

    init?(_ value: SendbirdValue) {
        guard let person = SendbirdPerson(value) else { return nil }
        self.init(person: person, inviter: value.shape("inviter"))
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("user_id", person.id)
            json.member("nickname", person.nickname)
            json.member("profile_url", person.profileURL)
            json.member("metadata", person.metadata)
            json.member("inviter", orNull: inviter?.plain)
        }
    }
}

extension SendbirdPerson {
    /// The four members that a webhook tells of a user.
    var plain: SendbirdPerson {
        SendbirdPerson(id: id, nickname: nickname, profileURL: profileURL, metadata: metadata)
    }
}
