import ChatModel
import ChatStore
import Formats

/// Whose events a webhook gets: those of the desk's streams, or of one session's.
public enum WebhookAudience: Sendable, Hashable {
    case desk
    /// The events that this session's streams carry. The webhook stays when the session is deleted, because the account
    /// stays.
    case session(String, account: Int64)
}

/// A URL to which the gateway sends events, as its owner sees it at one moment.
///
/// The values of the owner's headers are not part of it: they may be secrets, and nobody can read them back.
public struct Webhook: Sendable {
    public var id: String
    public var url: String
    public var description: String?
    public var audience: WebhookAudience
    /// The event types that are sent. Where the owner named none, these are all types that the log stores.
    public var types: [EventType]
    /// Which messages are sent, by their direction; nil sends all.
    public var directions: [MessageDirection]?
    /// The channels whose events are sent; nil sends those of all.
    public var channels: [String]?
    /// The names of the owner's headers, without their values.
    public var headerNames: [String]
    /// For how many threads a request may be in flight at once, from 1 to 64. Events of one thread are always sent one
    /// after the other.
    public var concurrency: Int
    /// How long one request may take, from 1 to 60 s.
    public var timeoutSeconds: Int
    public var state: TargetState
    /// The reason for the state, as a code of one word.
    public var reason: String?
    /// How far the log was read for this webhook. Events up to here became deliveries, or are not wanted.
    public var cursor: Cursor
    /// How many events it has not got yet; see ``ChatStore/ReadTransaction/lag(of:limit:)``.
    public var lag: Int64
    /// When the deliveries began to fail without a success since; nil while they succeed.
    public var failingSince: Timestamp?
    /// When a webhook that fails is tried again; nil where none is planned.
    public var nextAttemptAt: Timestamp?
    public var createdAt: Timestamp
    /// The key of its signatures. Only the answers that create or rotate it carry it; otherwise nil.
    public var secret: String?
    /// Grows with each change of settings, secret or state.
    public var version: Int64
    /// The log's position when the webhook was read: where to follow its changes from.
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

    /// The webhook as the API shows it. Members without a value are left out.
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

/// Webhooks and their deliveries, for whoever holds the gateway's token. Every call may come from any task, and answers
/// after the commit.
///
/// An operation that takes a receipt stores under it the id of what it changed, and no body: a body may hold a secret,
/// or text that a receiver answered.
public protocol WebhookService: Sendable {
    /// A page of all webhooks, oldest first. Throws `invalidParameter` for a cursor of another list.
    func webhooks(_ page: PageRequest) async throws(ChatError) -> WebhookPage
    /// One webhook, without its secret. Throws `unknownWebhook`.
    func webhook(_ id: String) async throws(ChatError) -> Webhook
    /// The webhook with its newest secret: the answer to a repeated request, whose first answer may be lost. Throws
    /// `unknownWebhook`.
    func webhookWithSecret(_ id: String) async throws(ChatError) -> Webhook
    /// Makes a webhook, or returns the one of this id if its settings are the same. The result has the secret.
    ///
    /// Throws `webhookExists`, `tooManyWebhooks`, `cursorExpired`, and what ``update(_:settings:ifMatch:)`` throws.
    func create(_ draft: WebhookDraft, receipt: Receipt?) async throws(ChatError) -> (webhook: Webhook, isNew: Bool)
    /// Changes what the members say (RFC 7396).
    ///
    /// Throws `unknownWebhook`, `preconditionFailed`. Settings that are wrong have a fault each: `invalidParameter`,
    /// `missingParameter`, `targetNotAllowed`.
    func update(_ id: String, settings: JSONValue, ifMatch version: Int64?) async throws(ChatError) -> Webhook
    /// Deletes the webhook with its deliveries; requests in flight may still arrive. Throws `unknownWebhook`.
    func delete(_ id: String) async throws(ChatError)

    /// Sends one test message now, whatever the webhook's state is, and returns when its attempt has ended. Throws
    /// `unknownWebhook`.
    func test(_ id: String) async throws(ChatError) -> Delivery
    /// Stops the deliveries, or lets them go on from where they stopped: nothing is lost meanwhile. Throws
    /// `unknownWebhook`.
    func setPaused(_ isPaused: Bool, webhook id: String, receipt: Receipt?) async throws(ChatError) -> Webhook
    /// Gives the webhook a new secret, which the answer has. Throws `unknownWebhook`.
    ///
    /// - Parameter graceSeconds: how long requests are signed with the old secret too, so that receivers can change
    ///   over.
    func rotate(_ id: String, graceSeconds: Int, receipt: Receipt?) async throws(ChatError) -> Webhook
    /// Sends the log's events from there on again, each under the `webhook-id` that it had before. Throws
    /// `unknownWebhook`, `cursorExpired`.
    func replay(_ id: String, from start: ReplayStart, receipt: Receipt?) async throws(ChatError) -> Webhook

    /// The newest event first. Throws `unknownWebhook`.
    func deliveries(
        of id: String, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> ShownDeliveryPage
    /// Throws `unknownWebhook`, `unknownDelivery`.
    func delivery(_ delivery: String, of id: String) async throws(ChatError) -> Delivery
    /// Sends a delivery again, at once. Throws `unknownWebhook`, `unknownDelivery`, `deliveryExpired`.
    func redeliver(_ delivery: String, of id: String, receipt: Receipt?) async throws(ChatError) -> Delivery
    /// Sends all dead deliveries again whose events the log still has. The outcome's body says how many, `{"count"}`.
    /// Throws `unknownWebhook`.
    func redeliverDead(of id: String, receipt: Receipt?) async throws(ChatError) -> Outcome

    /// The counts of webhooks and of devices, for the metrics.
    func statistics() async throws(ChatError) -> DeliveryStatistics
}

/// A webhook that is to be made.
public struct WebhookDraft: Sendable {
    /// The id that the owner chose; with nil the gateway makes one.
    public var id: String?
    public var audience: WebhookAudience
    /// An object with members out of ``settingNames``. Nothing is checked yet.
    public var settings: JSONValue
    /// Where in the log the webhook begins; nil begins with the next event.
    public var after: Cursor?

    /// The members of a webhook that its owner chooses and may change.
    public static let settingNames = [
        "url", "description", "types", "directions", "channels", "headers", "concurrency", "timeoutSeconds",
    ]

    public init(id: String?, audience: WebhookAudience, settings: JSONValue, after: Cursor?) {
        self.id = id
        self.audience = audience
        self.settings = settings
        self.after = after
    }
}

/// From where events are sent again.
public enum ReplayStart: Sendable, Hashable {
    /// What was logged after this place.
    case after(Cursor)
    /// What was logged at this time or later.
    case since(Timestamp)
}

public struct WebhookPage: Sendable {
    public var items: [Webhook]
    /// Where the list goes on; nil at its end.
    public var next: String?
    /// The position in the log from which to follow.
    public var offset: Int64

    public init(items: [Webhook], next: String?, offset: Int64) {
        self.items = items
        self.next = next
        self.offset = offset
    }
}
