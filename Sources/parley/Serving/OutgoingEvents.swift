import Chat
import ChatModel
import ChatStore
import HTTPClientPort
import Logging
import MicroHTTP
import Outbound

/// The composition of what sends events out of the gateway.
struct OutgoingEvents: Sendable {
    let webhooks: any WebhookService
    private let deliveries: Deliveries
    private let rules: CurrentAddressRules
    private let logger: Logger

    /// - Parameters:
    ///   - folderKey: the key of the data folder, from which secrets are derived.
    ///   - measurements: count what is sent.
    init(
        store: ChatStore, folderKey: [UInt8], clock: any Clock<Duration>, measurements: DeliveryMeasurements, logger: Logger
    ) {
        let rules = CurrentAddressRules()
        let sender = MeasuredSender(
            WebhookSender(
                port: AsyncHTTPPort(judge: rules.judge(.operator)), folderKey: folderKey, environment: store.environment,
                epoch: store.feed.epoch),
            measurements: measurements, clock: clock, notice: { logger.info("\($0)") })
        deliveries = Deliveries(store: store, clock: clock, senders: [.webhook: sender])
        webhooks = WebhookAdministration(
            store: store, deliveries: deliveries, folderKey: folderKey, rules: rules, measurements: measurements)
        self.rules = rules
        self.logger = logger
    }

    /// Nothing is sent to where the gateway itself listens.
    func refuse(_ listeners: [BoundAddress]) { rules.set(OwnListeners(listeners)) }

    /// Goes on with what waits. What cannot be read now is taken up after the next start.
    func start() async {
        do {
            try await deliveries.start()
        } catch {
            logger.error("deliveries could not be taken up", metadata: ["error": "\(error.detail)"])
        }
    }

    /// Call it once a minute or so.
    func maintain() async { await deliveries.maintain() }

    /// Returns within 5 seconds.
    func stop() async { await deliveries.stop() }
}
