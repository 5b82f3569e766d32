import Chat
import ChatModel
import ChatStore
import Gateway
import HTTPClientPort
import HTTPRouting
import Outbound

/// Webhooks and devices with their routes, as the gateway composes them. Nothing is sent by itself: the engines are not
/// started.
public struct OutboundGroups: Sendable {
    package let groups: [any RouteGroup<GatewayCore>]
    private let deliveries: Deliveries
    private let pushes: PushDeliveries

    /// - Parameter port: takes all that goes out.
    public init(
        store: ChatStore, clock: any Clock<Duration>, notifications: Notifications, port: any HTTPPort = AcceptingPort()
    ) throws {
        let folderKey = [UInt8](0..<32)
        let measurements = DeliveryMeasurements(TargetKind.allCases)
        let webhookSender = WebhookSender(
            port: port, folderKey: folderKey, environment: store.environment, epoch: store.feed.epoch)
        deliveries = Deliveries(
            store: store, clock: clock, policies: [.webhooks(webhookSender)], measurements: measurements)
        let webhooks = WebhookAdministration(
            store: store, deliveries: deliveries, folderKey: folderKey, rules: CurrentAddressRules(),
            measurements: measurements)
        let key = try VAPIDKey(folderKey: folderKey)
        let apps = PushApps()
        let pushSender = PushSender(
            browsers: WebPushSender(
                port: port, tokens: VAPIDTokens(key: key, contact: nil), environment: store.environment),
            apps: AppPushSender(apps: apps, environment: store.environment, notice: { _ in }),
            simulated: SimulatedPushSender(store: store))
        pushes = PushDeliveries(
            store: store, clock: clock, notifications: notifications, sender: pushSender, measurements: measurements)
        let devices = DeviceAdministration(
            store: store, pushes: pushes, sender: pushSender,
            registrations: DeviceRegistrations(rules: CurrentAddressRules(), contact: nil, apps: apps), key: key)
        groups = [
            WebhookRoutes(webhooks: .success(webhooks)),
            DeviceRoutes(devices: .success(devices), deskDevices: .success(devices)),
        ]
    }

    public func stop() async {
        await deliveries.stop()
        await pushes.stop()
    }
}

/// Takes whatever is sent, and sends it nowhere.
public struct AcceptingPort: HTTPPort {
    public init() {}

    public func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer { HTTPAnswer(status: 201) }
}
