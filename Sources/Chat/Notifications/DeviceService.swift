import ChatModel
import ChatStore

/// The devices of sessions, one each, and the pushes to them.
public protocol DeviceService: Sendable {
    /// What a page passes to `PushManager.subscribe`.
    var applicationServerKey: String { get }
    /// The apps whose devices take pushes.
    var apps: [PushApp] { get }

    /// Throws `unknownDevice`.
    func device(of session: String, account: Int64) async throws(ChatError) -> Device
    /// Registers the session's device, in place of one that it has. The same device in another session of the channel
    /// is removed there: somebody else has logged in on it.
    ///
    /// Throws `invalidSubscription` with a fault for each member, `targetNotAllowed`, `pushNotConfigured`.
    func register(_ registration: DeviceRegistration, of session: String, account: Int64) async throws(ChatError) -> Device
    /// Nothing happens to a session without a device.
    func removeDevice(of session: String, account: Int64) async throws(ChatError)
    /// Sends one push now, and returns what came of it. Throws `unknownDevice`.
    func test(_ session: String, account: Int64) async throws(ChatError) -> DevicePush
    /// The newest message first. Throws `unknownDevice`.
    func deliveries(
        of session: String, account: Int64, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> DeviceDeliveryPage
}

/// The devices of the desk, and the pushes to them.
public protocol DeskDeviceService: Sendable {
    /// Oldest first.
    func deskDevices() async throws(ChatError) -> [Device]
    /// Throws `unknownDevice`.
    func deskDevice(_ id: String) async throws(ChatError) -> Device
    /// Registers a browser of an agent; the same subscription again changes the device that there is.
    ///
    /// Throws what ``DeviceService/register(_:of:account:)`` does, and `tooManyDevices`.
    func registerAtDesk(_ registration: DeviceRegistration, receipt: Receipt?) async throws(ChatError) -> Outcome
    /// Throws `unknownDevice`.
    func removeDeskDevice(_ id: String) async throws(ChatError)
    /// Sends one push now, and returns what came of it. Throws `unknownDevice`.
    func testDeskDevice(_ id: String) async throws(ChatError) -> DevicePush
    /// The newest message first. Throws `unknownDevice`.
    func deliveries(ofDeskDevice id: String, state: DeliveryState?, _ page: PageRequest) async throws(ChatError) -> DeviceDeliveryPage
}

/// An app whose devices take pushes by APNs.
public struct PushApp: Sendable {
    /// Its bundle id.
    public var topic: String
    /// Which of Apple's services its tokens belong to: `production` or `sandbox`.
    public var environment: String

    public init(topic: String, environment: String) {
        self.topic = topic
        self.environment = environment
    }
}

public struct DeviceDeliveryPage: Sendable {
    public var items: [DevicePush]
    /// Where the list goes on; nil at its end.
    public var next: String?

    public init(items: [DevicePush], next: String?) {
        self.items = items
        self.next = next
    }
}
