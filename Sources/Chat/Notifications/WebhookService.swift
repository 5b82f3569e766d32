import ChatModel
import ChatStore
import Formats

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
