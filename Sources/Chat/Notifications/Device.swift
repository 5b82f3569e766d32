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

/// A device whose pushes come from the platform of its session, and not from Parley. The store keeps it as JSON.
public struct PlatformDevice: CanonicalJSON, Hashable {
    /// The push service of the app's system: `apns` or `fcm`.
    public var kind: TargetKind
    /// The app's address at its system's push service: a secret.
    public var token: String
    /// The system's name as the device tells it; nil where nothing is known but ``kind``.
    public var os: String?
    public var osVersion: String?

    public init(kind: TargetKind = .apns, token: String, os: String?, osVersion: String?) {
        self.kind = kind
        self.token = token
        self.os = os
        self.osVersion = osVersion
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("kind", kind == .apns ? nil : kind.rawValue)
        json.member("platformToken", token)
        json.member("os", os)
        json.member("osVersion", osVersion)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        // Devices of before there was another kind have no such member.
        kind = json["kind"]?.string.flatMap(TargetKind.init) ?? .apns
        token = try json.requiredString("platformToken")
        os = json["os"]?.string
        osVersion = json["osVersion"]?.string
    }
}

/// What the gateway's push service must know of the platforms behind accounts. ``Sessions`` implements it: sessions
/// know their services.
public protocol DevicePlatforms: Sendable {
    /// Whether the account's platform pushes to apps itself.
    func pushesToApps(of account: Int64) async throws(ChatError) -> Bool
    /// Tells the account's platform which device it is to push to, if that is another one than it was told last.
    ///
    /// A platform that cannot be reached is told later: when the session connects, and with each message.
    func tellDevice(of account: Int64) async
}

extension Sessions: DevicePlatforms {
    public func pushesToApps(of account: Int64) async throws(ChatError) -> Bool {
        try await platform(of: account)?.service.pushesToApps ?? false
    }

    public func tellDevice(of account: Int64) async {
        guard let (service, record) = try? await platform(of: account), service.pushesToApps else { return }
        try? await service.tellDevice(of: record)
    }

    private func platform(
        of account: Int64
    ) async throws(ChatError) -> (service: any ChatService, record: AccountRecord)? {
        let record = try await store.read { try $0.account(account) }
        return services.first { !record.isErased && $0.id == record.key.service }.map { ($0, record) }
    }
}

extension ReadTransaction {
    /// The device to which the platform of an account is to push; nil where it is to push to none.
    public func deviceForPlatform(of account: Int64) throws -> PlatformDevice? {
        try platformDevice(of: account).map { try PlatformDevice(canonicalJSON: $0.settings) }
    }
}
