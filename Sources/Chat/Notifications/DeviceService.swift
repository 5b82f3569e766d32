import ChatModel
import ChatStore
import Formats

/// The devices of sessions, at most one for each session, and the pushes to them. Every call may come from any task.
public protocol DeviceService: Sendable {
    /// The gateway's public VAPID key (RFC 8292), which a page passes to `PushManager.subscribe`.
    var applicationServerKey: String { get }
    /// The apps that are configured for pushes; empty where none is.
    var apps: [PushApp] { get }

    /// The session's device. Throws `unknownDevice` where it has none.
    func device(of session: String, account: Int64) async throws(ChatError) -> Device
    /// Registers the session's device. It replaces the one that the session has. If another session of the channel has
    /// the same device, it is removed there: somebody else has logged in on it.
    ///
    /// Throws `invalidSubscription` with a fault for each member, `targetNotAllowed`, `pushNotConfigured`.
    ///
    /// - Parameter onlyNew: throws `preconditionFailed` if the session has a device.
    /// - Returns: the device, and whether the session had none before.
    func register(
        _ registration: DeviceRegistration, of session: String, account: Int64, onlyNew: Bool
    ) async throws(ChatError) -> (device: Device, isNew: Bool)
    /// Removes the session's device. Does nothing where there is none.
    func removeDevice(of session: String, account: Int64) async throws(ChatError)
    /// Sends one push now, past the usual delay, and returns when its attempt has ended. Throws `unknownDevice`.
    func test(_ session: String, account: Int64) async throws(ChatError) -> Delivery
    /// The newest message first. Throws `unknownDevice`.
    func deliveries(
        of session: String, account: Int64, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> ShownDeliveryPage
}

extension DeviceService {
    /// The same, whether the session has a device or not.
    @discardableResult
    public func register(
        _ registration: DeviceRegistration, of session: String, account: Int64
    ) async throws(ChatError) -> Device {
        try await register(registration, of: session, account: account, onlyNew: false).device
    }
}

/// The devices of the desk, and the pushes to them.
public protocol DeskDeviceService: Sendable {
    /// Oldest first.
    func deskDevices() async throws(ChatError) -> [Device]
    /// Throws `unknownDevice`, also for a session's device.
    func deskDevice(_ id: String) async throws(ChatError) -> Device
    /// Registers a browser of an agent. A subscription that is registered already keeps its id, and its other settings
    /// change. The device ends with the credential; nil is the gateway's token.
    ///
    /// Throws what ``DeviceService/register(_:of:account:onlyNew:)`` does, and `tooManyDevices`.
    func registerAtDesk(
        _ registration: DeviceRegistration, by credential: DeskCredential?, receipt: Receipt?
    ) async throws(ChatError) -> Outcome
    /// Removes an agent's device with its pushes. Throws `unknownDevice`.
    func removeDeskDevice(_ id: String) async throws(ChatError)
    /// Sends one push now, and returns when its attempt has ended. Throws `unknownDevice`.
    func testDeskDevice(_ id: String) async throws(ChatError) -> Delivery
    /// The newest message first. Throws `unknownDevice`.
    func deliveries(
        ofDeskDevice id: String, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> ShownDeliveryPage
}

/// An app whose devices take pushes.
public struct PushApp: Sendable {
    /// How its devices are reached.
    public var kind: TargetKind
    /// What it is called at its push service: see ``Device/app``.
    public var name: String
    /// Which of Apple's services its tokens belong to, `production` or `sandbox`; nil for other kinds.
    public var environment: String?

    public init(kind: TargetKind, name: String, environment: String? = nil) {
        self.kind = kind
        self.name = name
        self.environment = environment
    }

    /// The app as the API shows it.
    public var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: 128)
        json.beginObject()
        json.member("kind", kind.rawValue)
        json.member("topic", kind == .apns ? name : nil)
        json.member("project", kind == .fcm ? name : nil)
        json.member("environment", environment)
        json.endObject()
        return json.bytes
    }
}

/// The push devices of apps that do not use this gateway's API, but the API of a platform that the gateway stands in
/// for (the CXone sandbox). The gateway sends the pushes that the platform would send. Every call may come from any
/// task.
public protocol AppDevices: Sendable {
    /// Registers a device. It replaces the one that the holder has with this account. The app is the one that is
    /// configured for the account's channel. Where none is configured, nothing is sent: the event `push.simulated`
    /// tells what would have been pushed.
    ///
    /// A push token belongs to one device. If another holder or account of the channel has the same token, it is
    /// removed there. Throws `invalidSubscription` for a token that is not one of APNs.
    ///
    /// - Parameters:
    ///   - holder: whose device it is, by an id of the stand-in's own; no session has this id.
    ///   - channel: the channel's id as the app knows it; nil keeps the one that is stored with the device, if there is
    ///     one.
    func register(token: String, channel: String?, of holder: String, account: Int64) async throws(ChatError)
    /// Removes the holder's device with this account. Does nothing where there is none.
    func remove(of holder: String, account: Int64) async throws(ChatError)
    /// Removes the devices of all holders whose ids begin with this text, whatever the account.
    func removeAll(ofHoldersBeginningWith prefix: String) async throws(ChatError)
    /// The numbers of the accounts with which the holder has a device.
    func accounts(of holder: String) async throws(ChatError) -> [Int64]
    /// The channel's push settings, as the platform's API would tell them to an app.
    func offer(in channel: String) async throws(ChatError) -> PushOffer
}

/// The push settings of a channel, as its customers' apps read them.
public struct PushOffer: Sendable, Hashable {
    /// Whether an app is configured for the channel, so that pushes can be sent at all.
    public var isActive: Bool
    public var title: String
    public var body: String
    /// A template with `{channelId}` and `{threadId}`; empty: there is none.
    public var deepLink: String

    public init(isActive: Bool = false, title: String = "", body: String = "", deepLink: String = "") {
        self.isActive = isActive
        self.title = title
        self.body = body
        self.deepLink = deepLink
    }
}
