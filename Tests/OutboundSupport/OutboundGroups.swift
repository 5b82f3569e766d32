import Chat
import ChatModel
import ChatStore
import Gateway
import HTTPClientPort
import HTTPRouting
import Outbound

/// Webhooks and devices with their routes, as the gateway composes them. Nothing is sent by itself: the engine is not
/// started.
public struct OutboundGroups: Sendable {
    package let groups: [any RouteGroup<GatewayCore>]
    private let deliveries: Deliveries

    /// - Parameter port: takes all that goes out.
    public init(
        store: ChatStore, clock: any Clock<Duration>, notifications: Notifications, port: any HTTPPort = AcceptingPort()
    ) throws {
        let folderKey = [UInt8](0..<32)
        let measurements = DeliveryMeasurements()
        let webhookSender = WebhookSender(
            port: port, folderKey: folderKey, environment: store.environment, epoch: store.feed.epoch)
        let key = try VAPIDKey(folderKey: folderKey)
        let apps = PushApps()
        let pushSender = PushSender(
            browsers: WebPushSender(
                port: port, tokens: VAPIDTokens(key: key, contact: nil), environment: store.environment),
            apps: AppPushSender(apps: apps, environment: store.environment, notice: { _ in }),
            simulated: SimulatedPushSender(store: store))
        deliveries = Deliveries(
            store: store, clock: clock,
            policies: [WebhookPolicy(webhookSender)] + PushPolicy.all(pushSender, notifications),
            notifications: notifications, measurements: measurements)
        let webhooks = WebhookAdministration(
            store: store, deliveries: deliveries, folderKey: folderKey, rules: CurrentAddressRules(),
            measurements: measurements)
        let devices = DeviceAdministration(
            store: store, deliveries: deliveries,
            registrations: DeviceRegistrations(rules: CurrentAddressRules(), contact: nil, apps: apps), key: key)
        groups = [
            WebhookRoutes(webhooks: .success(webhooks)),
            DeviceRoutes(devices: .success(devices), deskDevices: .success(devices)),
        ]
    }

    public func stop() async { await deliveries.stop() }
}

/// Takes whatever is sent, and sends it nowhere.
public struct AcceptingPort: HTTPPort {
    public init() {}

    public func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer { HTTPAnswer(status: 201) }
}
