import Formats

/// `POST /group_channels/{url}/messages`, as JSON. A file comes as a form whose other fields are these.
package struct SendMessage: SendbirdRequestBody, Hashable {
    package var type: SendbirdMessageType
    /// A member; clients demand one for an admin message, too.
    package var userID: String?
    /// Of a text or admin message.
    package var text: String?
    package var customType: String?
    package var data: String?
    package var parentID: Int64?
    /// Whether a reply is shown in the channel, too.
    package var isReplyToChannel: Bool?
    package var extras: [SendbirdExtra]?
    /// Two sends under one id are one message.
    package var deduplicationID: String?
    /// Whether the sender has read up to here; nil: yes.
    package var marksAsRead: Bool?
    package var sendsPush: Bool?
    package var isSilent: Bool?
    package var mentionType: String?
    package var mentionedIDs: [String]?
    /// A file that has an address already.
    package var file: SendbirdFile?

    package init(_ type: SendbirdMessageType, userID: String?, text: String? = nil) {
        (self.type, self.userID, self.text) = (type, userID, text)
    }

    package init(reading request: inout SendbirdRequestReader) {
        request.need("message_type")
        type = .init(
            rawValue: request.choice("message_type", of: ["MESG", "FILE", "ADMM"]) ?? SendbirdMessageType.text.rawValue)
        if type != .admin { request.need("user_id") }
        userID = request.userID("user_id")
        if type != .file { request.need("message") }
        text = request.text("message", upTo: SendbirdBound.messageText)
        customType = request.text("custom_type", upTo: SendbirdBound.customType)
        data = request.text("data", upTo: SendbirdBound.data)
        parentID = request.number("parent_message_id", in: 0...Int64.max).flatMap { $0 == 0 ? nil : $0 }
        isReplyToChannel = request.flag("reply_to_channel")
        extras = request.extras("sorted_metaarray")
        deduplicationID = request.text("dedup_id", upTo: SendbirdBound.metadataKey)
        marksAsRead = request.flag("mark_as_read")
        sendsPush = request.flag("send_push")
        isSilent = request.flag("is_silent")
        mentionType = request.choice("mention_type", of: ["users", "channel"])
        mentionedIDs = request.userIDs("mentioned_user_ids")
        file = request.file()
        request.refuseUnserved(
            "created_at", "require_auth", "thumbnail1", "thumbnail2", "thumbnail3", "thumbnails", "files",
            "poll_id", "target_langs")
        // Nobody gets a push here.
        request.ignore("push_message_template", "apns_bundle_id")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("message_type", type.rawValue)
            json.member("user_id", userID)
            json.member("message", text)
            if let file {
                json.member("url", file.url)
                json.member("file_name", file.name)
                json.member("file_type", file.type)
                json.member("file_size", file.size)
            }
            json.member("custom_type", customType)
            json.member("data", data)
            json.member("parent_message_id", ifPresent: parentID)
            json.member("reply_to_channel", ifPresent: isReplyToChannel)
            json.member("dedup_id", deduplicationID)
            json.member("sorted_metaarray", ifPresent: extras)
            json.member("mark_as_read", ifPresent: marksAsRead)
            json.member("send_push", ifPresent: sendsPush)
            json.member("is_silent", ifPresent: isSilent)
            json.member("mention_type", mentionType)
            json.member("mentioned_user_ids", ifPresent: mentionedIDs)
        }
    }
}

/// `PUT .../messages/{id}`: what is nil stays as it is.
package struct UpdateMessage: SendbirdRequestBody, Hashable {
    package var type: SendbirdMessageType
    package var text: String?
    package var customType: String?
    package var data: String?
    package var mentionType: String?
    package var mentionedIDs: [String]?

    package init(_ type: SendbirdMessageType, text: String? = nil) { (self.type, self.text) = (type, text) }

    package init(reading request: inout SendbirdRequestReader) {
        request.need("message_type")
        type = .init(
            rawValue: request.choice("message_type", of: ["MESG", "FILE", "ADMM"]) ?? SendbirdMessageType.text.rawValue)
        text = request.text("message", upTo: SendbirdBound.messageText)
        customType = request.text("custom_type", upTo: SendbirdBound.customType)
        data = request.text("data", upTo: SendbirdBound.data)
        mentionType = request.choice("mention_type", of: ["users", "channel"])
        mentionedIDs = request.userIDs("mentioned_user_ids")
        request.refuseUnserved("url")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("message_type", type.rawValue)
            json.member("message", text)
            json.member("custom_type", customType)
            json.member("data", data)
            json.member("mention_type", mentionType)
            json.member("mentioned_user_ids", ifPresent: mentionedIDs)
        }
    }
}

/// `POST`, `PUT .../messages/{id}/sorted_metaarray`.
package struct WriteExtras: SendbirdRequestBody, Hashable {
    package var extras: [SendbirdExtra]
    /// Whether `PUT` removes these values instead of adding them.
    package var isRemoval: Bool?
    package var isUpsert: Bool?

    package init(_ extras: [SendbirdExtra], isRemoval: Bool? = nil, isUpsert: Bool? = nil) {
        (self.extras, self.isRemoval, self.isUpsert) = (extras, isRemoval, isUpsert)
    }

    package init(reading request: inout SendbirdRequestReader) {
        request.need("sorted_metaarray")
        extras = request.extras("sorted_metaarray") ?? []
        isRemoval = request.choice("mode", of: ["add", "remove"]).map { $0 == "remove" }
        isUpsert = request.flag("upsert")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("sorted_metaarray", extras)
            json.member("mode", isRemoval.map { $0 ? "remove" : "add" })
            json.member("upsert", ifPresent: isUpsert)
        }
    }
}
