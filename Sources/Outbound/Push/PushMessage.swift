import ChatModel
import ChatStore
import Formats

/// What a push tells of: one message of a thread. Ids and texts are the chat's own, of any length.
package struct PushMessage: Sendable, Hashable {
    package var channelID: String
    package var threadID: String
    package var messageID: String
    /// The cursor of the message's event.
    package var event: String
    /// Who wrote it.
    package var author: String
    /// What a notification shows of it: the message's words, or what stands for them.
    package var words: String
    /// Of its channel; nil: what is usual.
    package var settings: PushSettings?
    /// Whose thread it is, where the id of a thread alone does not say which: at the desk.
    package var customerID: String?

    package init(
        channelID: String, threadID: String, messageID: String, event: String, author: String, words: String,
        settings: PushSettings? = nil, customerID: String? = nil
    ) {
        self.channelID = channelID
        self.threadID = threadID
        self.messageID = messageID
        self.event = event
        self.author = author
        self.words = words
        self.settings = settings
        self.customerID = customerID
    }

    /// The link of the channel's pushes to apps.
    var deepLink: DeepLinkTemplate? { settings?.deeplink.flatMap(DeepLinkTemplate.init) }

    /// Bytes of an id in JSON above which a payload leaves it out: a cut id would be another id.
    static let maximumIDLength = 256

    /// The id, if there is one and a payload can hold it.
    static func bounded(_ id: String) -> String? { !id.isEmpty && id.jsonLength <= maximumIDLength ? id : nil }
}

/// One push as its sender gets it.
package struct Push: Sendable {
    /// Names the push among those of its device, the same in each attempt.
    var id: String
    var message: PushMessage
    /// How many messages the account has not read; nil: nobody has counted.
    var badge: Int?
    /// From this time on the message is too old to be worth a push; nil: never.
    var expiresAt: Timestamp?

    /// The push as it is for an app that knows the channel by another id.
    func known(in channel: String?) -> Push {
        guard let channel else { return self }
        var push = self
        push.message.channelID = channel
        return push
    }
}
