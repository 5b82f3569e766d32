import Formats

/// A user whom the platform calls where it is a member.
package struct SendbirdBot: SendbirdListed {
    package static var listName: StaticString { "bots" }

    package var id: String
    package var nickname = ""
    package var profileURL = ""
    package var token = ""
    package var type = ""
    package var metadata: [String: String] = [:]
    package var callbackURL = ""
    package var isPrivate = true

    package init(id: String) { self.id = id }

    package init?(_ value: SendbirdValue) {
        guard let bot = value["bot"], let id = bot.id("bot_userid") else { return nil }
        self.init(id: id)
        nickname = bot.text("bot_nickname") ?? ""
        profileURL = bot.text("bot_profile_url") ?? ""
        token = bot.text("bot_token") ?? ""
        type = bot.text("bot_type") ?? ""
        metadata = bot.texts(inMap: "bot_metadata") ?? [:]
        callbackURL = value.text("bot_callback_url") ?? ""
        isPrivate = value.flag("is_privacy_mode") ?? true
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("bot") { json in
                json.member("bot_userid", id)
                json.member("bot_nickname", nickname)
                json.member("bot_profile_url", profileURL)
                json.member("bot_token", token)
                json.member("bot_type", type)
                json.member("bot_metadata", metadata)
            }
            json.member("bot_callback_url", callbackURL)
            json.member("is_privacy_mode", isPrivate)
            json.member("enable_mark_as_read", true)
            json.member("show_member", false)
            json.member("channel_invitation_preference", 0)
        }
    }
}

/// The answer to sending as a bot: `{"message": {...}}`.
package struct SentAsBot: SendbirdShape {
    package var message: SendbirdMessage

    package init(_ message: SendbirdMessage) { self.message = message }

    package init?(_ value: SendbirdValue) {
        guard let message: SendbirdMessage = value.shape("message") else { return nil }
        self.init(message)
    }

    package func write(to json: inout JSONWriter) { json.object { $0.member("message", message) } }
}

/// What a bot is told of: a message in one of its channels, or that it has come to one or gone. The shape is told by third
/// parties, or guessed.
package struct BotCallback: Sendable {
    package enum Event: Sendable {
        case message(SendbirdMessage)
        case join, leave
    }

    package var event: Event
    package var bot: SendbirdBot
    package var channel: SendbirdChannel
    package var members: [SendbirdPerson]
    package var time: UnixMilliseconds
    package var applicationID: String

    package init(
        _ event: Event, to bot: SendbirdBot, of channel: SendbirdChannel, members: [SendbirdPerson],
        at time: UnixMilliseconds, applicationID: String
    ) {
        (self.event, self.bot, self.channel, self.members) = (event, bot, channel, members)
        (self.time, self.applicationID) = (time, applicationID)
    }

    package var category: String {
        switch event {
        case .message: "bot_message_notification"
        case .join: "bot_event/group_channel:join"
        case .leave: "bot_event/group_channel:leave"
        }
    }

    /// The bytes that are sent, and signed.
    package var encoded: [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.object { json in
            json.member("category", category)
            if case .message(let message) = event {
                json.member("sender", ifPresent: message.sender?.plain)
                json.member("mentioned", message.mentioned.map(\.plain))
                json.member("message") { json in
                    json.member("text", message.text)
                    json.member("message_id", message.id)
                    json.member("data", message.data)
                    json.member("custom_type", message.customType)
                }
            }
            json.member("bot") { json in
                json.member("bot_userid", bot.id)
                json.member("bot_nickname", bot.nickname)
                json.member("bot_token", bot.token)
            }
            json.member("channel") { json in
                json.member("channel_url", channel.url)
                json.member("name", channel.name)
                json.member("custom_type", channel.customType)
                json.member("data", channel.data)
            }
            json.member("members", members.map(\.plain))
            json.member("ts", time)
            json.member("app_id", applicationID)
        }
        return SendbirdText.escapingSlashes(json.bytes)
    }
}
