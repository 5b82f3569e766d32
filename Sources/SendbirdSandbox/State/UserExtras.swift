import Formats
import SendbirdWire

/// What is kept beside a user's account.
struct UserExtras: MetadataExtras {
    /// Whether a program made the user. A reset removes it.
    var isMade = false
    /// Whether a program removed the user.
    var isDeleted = false
    var isInactive = false
    var hasToken = false
    /// Whether the user is asked before it joins a channel.
    var isAsked = false
    var metadata: [String: String] = [:]
    var discoveryKeys: [String] = []
    var languages: [String] = []
    /// The ids of whom the user does not want to hear.
    var blocked: [String] = []
    /// Nil for who is no bot.
    var bot: BotExtras?

    init() {}

    init?(_ value: SendbirdValue) {
        isMade = value.flag("made") ?? false
        isDeleted = value.flag("deleted") ?? false
        isInactive = value.flag("inactive") ?? false
        hasToken = value.flag("token") ?? false
        isAsked = value.flag("asked") ?? false
        metadata = value.texts(inMap: "metadata") ?? [:]
        discoveryKeys = value.texts("keys") ?? []
        languages = value.texts("languages") ?? []
        blocked = value.texts("blocked") ?? []
        bot = value.shape("bot")
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("made", isMade)
        json.member("deleted", isDeleted)
        json.member("inactive", isInactive)
        json.member("token", hasToken)
        json.member("asked", isAsked)
        json.member("metadata", metadata)
        json.member("keys", discoveryKeys)
        json.member("languages", languages)
        json.member("blocked", blocked)
        json.member("bot", ifPresent: bot)
        json.endObject()
    }
}
