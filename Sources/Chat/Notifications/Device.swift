import ChatModel
import ChatStore
import Formats

/// Where a session's customer is told of messages while no page or app is open.
public struct Device: Sendable {
    public enum State: String, Sendable, CaseIterable {
        case active
        /// Its push service does not take pushes of this gateway. Registering it again makes it active.
        case refused
        /// Its push service does not know it any more. Registering it again makes it active.
        case gone
    }

    /// Who sends the pushes.
    public enum Sender: String, Sendable, CaseIterable {
        case gateway
        /// The session's platform, to which the device was passed on. What comes of its pushes nobody tells.
        case platform
    }

    public var id: String
    public var kind: TargetKind
    public var pushedBy = Sender.gateway
    public var state: State
    /// When it was registered last.
    public var createdAt: Timestamp
    /// Of its push service; the rest of the address is a secret.
    public var endpointHost: String?
    /// The bundle id of the app.
    public var topic: String?
    /// The newest push of which anything is known.
    public var lastDelivery: DeliveryDetail?

    public init(
        id: String, kind: TargetKind, state: State, createdAt: Timestamp, endpointHost: String? = nil, topic: String? = nil,
        lastDelivery: DeliveryDetail?
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.createdAt = createdAt
        self.endpointHost = endpointHost
        self.topic = topic
        self.lastDelivery = lastDelivery
    }

    public var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: 256)
        json.beginObject()
        json.member("id", id)
        json.member("kind", kind.rawValue)
        json.member("pushedBy", pushedBy.rawValue)
        json.member("state", state.rawValue)
        json.member("createdAt", createdAt)
        json.member("endpointHost", endpointHost)
        json.member("topic", topic)
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

/// A device that is to be registered, as its client names it: unchecked.
public struct DeviceRegistration: Sendable {
    public var kind: TargetKind
    /// What `JSON.stringify` makes of a browser's `PushSubscription`.
    public var subscription: JSONValue?
    /// Where the client's page is.
    public var page: String?
    /// What APNs gave the app, in hexadecimal: a secret.
    public var token: String?
    /// The app's bundle id; nil: the one app that is configured.
    public var topic: String?
    /// The device's system and its version, as the app names them.
    public var os: String?
    public var osVersion: String?

    public init(
        kind: TargetKind, subscription: JSONValue? = nil, page: String? = nil, token: String? = nil, topic: String? = nil,
        os: String? = nil, osVersion: String? = nil
    ) {
        self.kind = kind
        self.subscription = subscription
        self.page = page
        self.token = token
        self.topic = topic
        self.os = os
        self.osVersion = osVersion
    }
}
