import Formats

/// What a push says of a message. A channel decides it.
public enum PushContent: String, Sendable, CaseIterable {
    /// Author and words. Right for Web Push, which is encrypted.
    case full
    /// The author, and the channel's body.
    case sender
    /// The channel's title and body: whoever carries the push learns nothing. Right for apps, whose pushes Apple (APNs)
    /// or Google (FCM) can read.
    case none
}

/// How a channel's customers are told of messages by pushes.
public struct PushSettings: CanonicalJSON, Hashable {
    /// Characters of a title at most.
    public static let maximumTitleLength = 128
    /// Characters of a body at most.
    public static let maximumBodyLength = 600

    /// For ``PushContent/none``; nil: a fixed one.
    public var title: String?
    /// For all but ``PushContent/full``; nil: a fixed one.
    public var body: String?
    /// The link that an app opens, with `{channelId}` and `{threadId}` in it; nil: pushes to apps have no link.
    public var deeplink: String?
    /// Nil: what is right for the kind of device.
    public var content: PushContent?

    public init(title: String? = nil, body: String? = nil, deeplink: String? = nil, content: PushContent? = nil) {
        self.title = title
        self.body = body
        self.deeplink = deeplink
        self.content = content
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("title", title)
        json.member("body", body)
        json.member("deeplink", deeplink)
        json.member("content", content?.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        title = json["title"]?.string
        body = json["body"]?.string
        deeplink = json["deeplink"]?.string
        content = json["content"]?.string.flatMap(PushContent.init)
    }
}

/// What becomes of a session's message that could not be sent (SyncManager's resend policy).
public enum ResendPolicy: Sendable, Hashable {
    /// It is dropped.
    case none
    /// It is kept as failed, until somebody resends or removes it.
    case manual
    /// It is kept as failed and sent again by itself, this many times at most.
    case automatic(attempts: Int)

    public static let defaultAttempts = 10
    public static let attemptsRange = 1...50

    /// `none`, `manual`, `automatic`.
    public var name: String {
        switch self {
        case .none: "none"
        case .manual: "manual"
        case .automatic: "automatic"
        }
    }

    /// As it is stored: `automatic:10`.
    public var text: String {
        if case .automatic(let attempts) = self { return "\(name):\(attempts)" }
        return name
    }

    /// Nil for a text that no policy has.
    public init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("none", 1): self = .none
        case ("manual", 1): self = .manual
        case ("automatic", 2):
            guard let attempts = Int(parts[1]), Self.attemptsRange.contains(attempts) else { return nil }
            self = .automatic(attempts: attempts)
        default: return nil
        }
    }
}
