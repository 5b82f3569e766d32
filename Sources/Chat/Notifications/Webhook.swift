import ChatModel
import ChatStore
import Formats

/// Whose events a webhook gets.
public enum WebhookAudience: Sendable, Hashable {
    case desk
    /// What the streams of this session carry. It goes on when the session is deleted, for the account does.
    case session(String, account: Int64)
}

/// A URL to which the gateway sends events, as its owner sees it.
///
/// The values of its own headers are not here: nobody can read them back.
public struct Webhook: Sendable {
    public var id: String
    public var url: String
    public var description: String?
    public var audience: WebhookAudience
    /// The types that are sent; all that the log keeps where the owner named none.
    public var types: [EventType]
    /// Nil lets messages of all directions pass.
    public var directions: [MessageDirection]?
    /// Nil lets all channels pass.
    public var channels: [String]?
    public var headerNames: [String]
    /// How many threads have a request in flight at once.
    public var concurrency: Int
    public var timeoutSeconds: Int
    public var state: TargetState
    /// The reason for the state, as a code of one word.
    public var reason: String?
    /// The last place of the log that was taken for it.
    public var cursor: Cursor
    /// How many events it has not got yet; see ``ChatStore/ReadTransaction/lag(of:limit:)``.
    public var lag: Int64
    public var failingSince: Timestamp?
    public var nextAttemptAt: Timestamp?
    public var createdAt: Timestamp
    /// The key of its signatures. Only the answers that make one have it.
    public var secret: String?
    /// Grows with each change of settings, secret or state.
    public var version: Int64
    /// The position in the log at which it was read.
    public var offset: Int64

    public init(
        id: String, url: String, description: String?, audience: WebhookAudience, types: [EventType],
        directions: [MessageDirection]?, channels: [String]?, headerNames: [String], concurrency: Int,
        timeoutSeconds: Int, state: TargetState, reason: String?, cursor: Cursor, lag: Int64, failingSince: Timestamp?,
        nextAttemptAt: Timestamp?, createdAt: Timestamp, version: Int64, offset: Int64
    ) {
        self.id = id
        self.url = url
        self.description = description
        self.audience = audience
        self.types = types
        self.directions = directions
        self.channels = channels
        self.headerNames = headerNames
        self.concurrency = concurrency
        self.timeoutSeconds = timeoutSeconds
        self.state = state
        self.reason = reason
        self.cursor = cursor
        self.lag = lag
        self.failingSince = failingSince
        self.nextAttemptAt = nextAttemptAt
        self.createdAt = createdAt
        self.version = version
        self.offset = offset
    }

    public var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.member("id", id)
        json.member("url", url)
        json.member("description", description)
        json.member("audience", audience)
        json.member("types", types.map(\.rawValue))
        json.member("directions", directions?.map(\.rawValue))
        json.member("channels", channels)
        json.member("headerNames", headerNames)
        json.member("concurrency", concurrency)
        json.member("timeoutSeconds", timeoutSeconds)
        json.member("state", state.rawValue)
        json.member("reason", reason)
        json.member("cursor", cursor.description)
        json.member("lag", lag)
        if let failingSince { json.member("failingSince", failingSince) }
        if let nextAttemptAt { json.member("nextAttemptAt", nextAttemptAt) }
        json.member("createdAt", createdAt)
        json.member("secret", secret)
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ strings: [String]?) {
        guard let strings else { return }
        self.name(name)
        beginArray()
        for string in strings { value(string) }
        endArray()
    }

    fileprivate mutating func member(_ name: StaticString, _ audience: WebhookAudience) {
        self.name(name)
        beginObject()
        switch audience {
        case .desk: member("desk", true)
        case .session(let id, _): member("session", id)
        }
        endObject()
    }
}
