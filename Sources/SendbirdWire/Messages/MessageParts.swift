import Formats

/// A message's extra data: `sorted_metaarray`.
package struct SendbirdExtra: SendbirdShape {
    package var key: String
    package var values: [String]

    package init(key: String, values: [String]) { (self.key, self.values) = (key, values) }

    /// Nil without a key.
    package init?(_ value: SendbirdValue) {
        guard let key = value.id("key") else { return nil }
        self.init(key: key, values: value.texts("value") ?? [])
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("key", key)
            json.member("value", values)
        }
    }
}

/// What a reply belongs to: two members of the message, not an object of its own.
package struct SendbirdParent: Sendable, Hashable {
    package var id: Int64
    /// Nil where it was not asked for.
    package var summary: Summary?

    package init(id: Int64, summary: Summary? = nil) { (self.id, self.summary) = (id, summary) }

    /// Nil for what is no reply, and for 0, which tells the same.
    init?(_ message: SendbirdValue) {
        guard let id = message.number("parent_message_id"), id > 0 else { return nil }
        self.init(id: id, summary: message.shape("parent_message_info"))
    }

    /// Writes the members into the message.
    func write(to json: inout JSONWriter) {
        json.member("parent_message_id", id)
        json.member("parent_message_info", ifPresent: summary)
    }

    /// `parent_message_info`
    package struct Summary: SendbirdShape {
        package var type: SendbirdMessageType
        package var sender: SendbirdPerson?
        package var text: String
        package var createdAt: UnixMilliseconds

        package init(
            type: SendbirdMessageType, sender: SendbirdPerson? = nil, text: String, createdAt: UnixMilliseconds
        ) {
            (self.type, self.sender, self.text, self.createdAt) = (type, sender, text, createdAt)
        }

        package init?(_ value: SendbirdValue) {
            guard value.isObject else { return nil }
            self.init(
                type: value.text("type").map(SendbirdMessageType.init(rawValue:)) ?? .text,
                sender: value.shape("user"), text: value.text("message") ?? "",
                createdAt: value.milliseconds("ts") ?? .never)
        }

        package func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("type", type.rawValue)
                json.member("user", ifPresent: sender)
                json.member("message", text)
                json.member("ts", createdAt)
            }
        }
    }
}

/// What a message says of its replies: `thread_info`.
package struct SendbirdThreadInfo: SendbirdShape {
    package var replyCount: Int
    /// At most five.
    package var mostReplies: [SendbirdPerson]
    package var lastRepliedAt: UnixMilliseconds
    package var updatedAt: UnixMilliseconds

    package static let mostPeople = 5

    package init(
        replyCount: Int, mostReplies: [SendbirdPerson], lastRepliedAt: UnixMilliseconds, updatedAt: UnixMilliseconds
    ) {
        (self.replyCount, self.mostReplies) = (replyCount, mostReplies)
        (self.lastRepliedAt, self.updatedAt) = (lastRepliedAt, updatedAt)
    }

    /// Nil without a count.
    package init?(_ value: SendbirdValue) {
        guard let count = value.count("reply_count"), count >= 0 else { return nil }
        self.init(
            replyCount: count,
            mostReplies: (value.list("most_replies") ?? []).first(upTo: Self.mostPeople),
            lastRepliedAt: value.milliseconds("last_replied_at") ?? .never,
            updatedAt: value.milliseconds("updated_at") ?? .never)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("reply_count", replyCount)
            json.member("most_replies", mostReplies)
            json.member("last_replied_at", lastRepliedAt)
            json.member("updated_at", updatedAt)
        }
    }
}

/// Who has reacted to a message with what.
package struct SendbirdReaction: SendbirdShape {
    package var key: String
    package var userIDs: [String]
    package var updatedAt: UnixMilliseconds

    package init(key: String, userIDs: [String], updatedAt: UnixMilliseconds) {
        (self.key, self.userIDs, self.updatedAt) = (key, userIDs, updatedAt)
    }

    /// Nil without a key.
    package init?(_ value: SendbirdValue) {
        guard let key = value.id("key") else { return nil }
        self.init(
            key: key, userIDs: value.list("user_ids") { $0.id } ?? [],
            updatedAt: value.milliseconds("updated_at") ?? .never)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("key", key)
            json.member("user_ids", userIDs)
            json.member("updated_at", updatedAt)
        }
    }
}
