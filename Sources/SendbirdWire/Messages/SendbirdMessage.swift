import Formats

/// A message of a group channel.
package struct SendbirdMessage: SendbirdShape {
    /// 64 bits, above 2^32 for years already.
    package var id: Int64
    package var type: SendbirdMessageType
    package var customType = ""
    package var channelURL: String
    /// As of the sending; nil for an admin message.
    package var sender: SendbirdPerson?
    /// "" for a file.
    package var text = ""
    package var data = ""
    package var translations: [String: String] = [:]
    /// One, or up to 30.
    package var files: [SendbirdFile] = []
    package var createdAt: UnixMilliseconds
    /// Never, if it was not edited.
    package var updatedAt: UnixMilliseconds = .never
    package var isRemoved = false
    package var isByOperator = false
    package var isSilent = false
    package var extras: [SendbirdExtra] = []
    package var parent: SendbirdParent?
    /// Nil for what is no reply.
    package var isReplyToChannel: Bool?
    /// Of a message that has replies.
    package var thread: SendbirdThreadInfo?
    /// Nil where they were not asked for.
    package var reactions: [SendbirdReaction]?
    package var mentionType = "users"
    package var mentioned: [SendbirdPerson] = []

    package init(id: Int64, type: SendbirdMessageType, channelURL: String, createdAt: UnixMilliseconds) {
        (self.id, self.type, self.channelURL, self.createdAt) = (id, type, channelURL, createdAt)
    }

    /// Nil without an id.
    package init?(_ value: SendbirdValue) {
        guard let id = value.number("message_id"), id > 0 else { return nil }
        self.init(
            id: id, type: value.text("type").map(SendbirdMessageType.init(rawValue:)) ?? .text,
            channelURL: value.id("channel_url") ?? "", createdAt: value.milliseconds("created_at") ?? .never)
        customType = value.text("custom_type") ?? ""
        sender = value.shape("user")
        text = value.text("message") ?? ""
        data = value.text("data") ?? ""
        translations = value.texts(inMap: "translations") ?? [:]
        files = value.shape("file").map { [$0] } ?? value.list("files")?.first(upTo: SendbirdFile.most) ?? []
        updatedAt = value.milliseconds("updated_at") ?? .never
        isRemoved = value.flag("is_removed") ?? false
        isByOperator = value.flag("is_op_msg") ?? false
        isSilent = value.flag("silent") ?? false
        extras = value.list("sorted_metaarray") ?? []
        parent = SendbirdParent(value)
        isReplyToChannel = parent == nil ? nil : value.flag("is_reply_to_channel") ?? false
        thread = value.shape("thread_info")
        reactions = value.list("reactions")
        mentionType = value.text("mention_type") ?? "users"
        mentioned = value.list("mentioned_users") ?? []
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("message_id", id)
            json.member("type", type.rawValue)
            json.member("custom_type", customType)
            json.member("channel_url", channelURL)
            json.member("channel_type", "group")
            json.member("user", ifPresent: sender)
            json.member("message", text)
            json.member("data", data)
            json.member("translations", translations)
            json.member("file", orEmpty: files.count == 1 ? files.first : nil)
            if files.count > 1 { json.member("files", files.map(SendbirdFile.InList.init)) }
            json.member("created_at", createdAt)
            json.member("updated_at", updatedAt)
            json.member("is_removed", isRemoved)
            json.member("is_op_msg", isByOperator)
            json.member("silent", isSilent)
            json.member("req_id", "")
            json.member("message_retention_hour", -1)
            json.member("message_survival_seconds", -1)
            json.member("sorted_metaarray", extras)
            parent?.write(to: &json)
            json.member("is_reply_to_channel", ifPresent: isReplyToChannel)
            json.member("thread_info", orEmpty: thread)
            json.member("reactions", ifPresent: reactions)
            json.member("mention_type", mentionType)
            json.member("mentioned_users", mentioned)
            json.member("message_events") { json in
                json.member("send_push_notification", "receivers")
                json.member("update_unread_count", !isSilent)
                json.member("update_mention_count", !isSilent)
                json.member("update_last_message", !isSilent)
            }
        }
    }
}

/// What a message is. Unknown ones are kept as they are.
package struct SendbirdMessageType: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let text = Self(rawValue: "MESG")
    package static let file = Self(rawValue: "FILE")
    package static let admin = Self(rawValue: "ADMM")
}

extension Array {
    /// At most so many.
    func first(upTo limit: Int) -> [Element] { count > limit ? Array(self[..<limit]) : self }
}
