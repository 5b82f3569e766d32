import ChatModel
import ChatStore
import Formats

/// A browser or an app that is told of messages by push while no page or app of the session is open. Also a browser of
/// an agent at the desk.
public struct Device: Sendable {
    /// Whether the device's push service takes pushes for it.
    public enum State: String, Sendable, CaseIterable {
        case active
        /// The push service does not accept pushes from this gateway. A new registration makes the device active.
        case refused
        /// The push service does not know the device any more. A new registration makes it active.
        case gone
    }

    /// Who sends the pushes.
    public enum Sender: String, Sendable, CaseIterable {
        case gateway
        /// The platform behind the session, which was given the device. It does not report whether its pushes arrive.
        case platform
    }

    public var id: String
    public var kind: TargetKind
    public var pushedBy = Sender.gateway
    public var state: State
    /// When it was last registered.
    public var createdAt: Timestamp
    /// The host of the browser's push endpoint. The rest of that URL is a secret: whoever knows it can push.
    public var endpointHost: String?
    /// What the app is called at its push service: its bundle id at APNs, its Firebase project at FCM. Nil for a
    /// browser, and for an app to which a platform pushes.
    public var app: String?
    /// The newest push, with its attempts; nil where none is stored.
    public var lastDelivery: DeliveryDetail?

    public init(
        id: String, kind: TargetKind, state: State, createdAt: Timestamp, endpointHost: String? = nil,
        app: String? = nil,
        lastDelivery: DeliveryDetail?
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.createdAt = createdAt
        self.endpointHost = endpointHost
        self.app = app
        self.lastDelivery = lastDelivery
    }

    /// The device as the API shows it, without its secrets.
    public var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: 256)
        json.beginObject()
        json.member("id", id)
        json.member("kind", kind.rawValue)
        json.member("pushedBy", pushedBy.rawValue)
        json.member("state", state.rawValue)
        json.member("createdAt", createdAt)
        json.member("endpointHost", endpointHost)
        json.member("topic", kind == .apns ? app : nil)
        json.member("project", kind == .fcm ? app : nil)
        if let lastDelivery {
            json.name("lastDelivery")
            json.beginObject()
            json.member("at", lastDelivery.attempts.last?.at ?? lastDelivery.delivery.createdAt)
            json.member("state", lastDelivery.delivery.state.rawValue)
            if let status = lastDelivery.attempts.last?.status { json.member("status", status) }
            json.member("error", lastDelivery.attempts.last?.error)
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }
}

/// A request to register a device, exactly as the client sent it. Nothing is checked yet: ``DeviceService`` does that.
public struct DeviceRegistration: Sendable {
    public var kind: TargetKind
    /// The browser's `PushSubscription` as JSON, as `JSON.stringify` writes it (W3C Push API).
    public var subscription: JSONValue?
    /// The URL of the client's page, which a click on the notification opens.
    public var page: String?
    /// The token that its push service gave to the app: a secret.
    public var token: String?
    /// What the app is called at its push service (``Device/app``); nil: the one app that is configured.
    public var app: String?
    /// The device's system and its version, as the app names them.
    public var os: String?
    public var osVersion: String?
    /// Whether only a browser's usual push service is taken: nobody knows who names it.
    public var needsKnownService = false

    public init(
        kind: TargetKind, subscription: JSONValue? = nil, page: String? = nil, token: String? = nil,
        app: String? = nil,
        os: String? = nil, osVersion: String? = nil
    ) {
        self.kind = kind
        self.subscription = subscription
        self.page = page
        self.token = token
        self.app = app
        self.os = os
        self.osVersion = osVersion
    }
}
