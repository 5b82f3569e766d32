import Formats

/// What `POST /bots` and `PUT /bots/{id}` say of a bot. What is nil stays as it is.
package struct BotSettings: Sendable, Hashable {
    package var nickname: String?
    package var profileURL: String?
    package var type: String?
    /// "": the bot is not called.
    package var callbackURL: String?
    /// Whether it is told only of messages that begin with a slash or mention it.
    package var isPrivate: Bool?
    package var metadata: [String: String]?

    package init() {}

    init(reading request: inout SendbirdRequestReader) {
        nickname = request.text("bot_nickname", upTo: SendbirdBound.nickname)
        profileURL = request.text("bot_profile_url", upTo: SendbirdBound.url)
        type = request.text("bot_type", upTo: SendbirdBound.customType)
        callbackURL = request.text("bot_callback_url", upTo: 1024)
        isPrivate = request.flag("is_privacy_mode")
        metadata = request.metadata("bot_metadata")
        // Known, and of no effect.
        request.ignore("enable_mark_as_read", "show_member", "channel_invitation_preference")
    }

    func write(to json: inout JSONWriter) {
        json.member("bot_nickname", nickname)
        json.member("bot_profile_url", profileURL)
        json.member("bot_type", type)
        json.member("bot_callback_url", callbackURL)
        json.member("is_privacy_mode", ifPresent: isPrivate)
        json.member("bot_metadata", ifPresent: metadata)
    }
}

/// `POST /bots`.
package struct CreateBot: SendbirdRequestBody, Hashable {
    package var id: String
    package var settings: BotSettings

    package init(reading request: inout SendbirdRequestReader) {
        id = request.requiredUserID("bot_userid")
        request.need("bot_nickname")
        settings = BotSettings(reading: &request)
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("bot_userid", id)
            settings.write(to: &json)
        }
    }
}

/// `PUT /bots/{id}`.
package struct UpdateBot: SendbirdRequestBody, Hashable {
    package var settings: BotSettings

    package init(reading request: inout SendbirdRequestReader) { settings = BotSettings(reading: &request) }

    package func write(to json: inout JSONWriter) { json.object { settings.write(to: &$0) } }
}

/// `POST /bots/{id}/channels`.
package struct JoinBot: SendbirdRequestBody, Hashable {
    package var urls: [String]

    package init(reading request: inout SendbirdRequestReader) {
        request.need("channel_urls")
        urls = request.texts("channel_urls", upTo: SendbirdBound.channelURL.upperBound) ?? []
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("channel_urls", urls) } }
}

/// `POST /bots/{id}/send`.
package struct SendAsBot: SendbirdRequestBody, Hashable {
    package var url: String
    /// Without a user.
    package var message: SendMessage

    package init(reading request: inout SendbirdRequestReader) {
        url = request.requiredText("channel_url", upTo: SendbirdBound.channelURL.upperBound)
        // Texts alone are served.
        _ = request.choice("message_type", of: ["MESG"])
        message = SendMessage(
            .text, userID: nil, text: request.requiredText("message", upTo: SendbirdBound.messageText))
        message.customType = request.text("custom_type", upTo: SendbirdBound.customType)
        message.data = request.text("data", upTo: SendbirdBound.data)
        message.deduplicationID = request.text("dedup_id", upTo: SendbirdBound.metadataKey)
        message.marksAsRead = request.flag("mark_as_read")
        message.mentionedIDs = request.userIDs("mentioned")
        request.refuseUnserved("target_message_id", "extended_message_payload")
        request.ignore("send_push", "user_id")
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("channel_url", url)
            json.member("message", message.text)
            json.member("custom_type", message.customType)
            json.member("data", message.data)
            json.member("dedup_id", message.deduplicationID)
            json.member("mentioned", ifPresent: message.mentionedIDs)
        }
    }
}
