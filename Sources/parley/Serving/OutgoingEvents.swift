#if Outbound
    import Chat
    import ChatModel
    import ChatStore
    import HTTPClientPort
    import Logging
    import Outbound

    /// Composes what sends events to webhooks.
    struct OutgoingEvents: Sendable {
        /// The webhooks' settings and deliveries, for the API.
        let webhooks: any WebhookService
        /// The queue and the workers that send.
        private let deliveries: Deliveries
        private let logger: Logger

        /// - Parameters:
        ///   - folderKey: the key of the data folder, from which secrets are derived.
        ///   - rules: where webhooks may go.
        ///   - measurements: count what is sent.
        init(
            store: ChatStore, folderKey: [UInt8], clock: any Clock<Duration>, rules: CurrentAddressRules,
            measurements: DeliveryMeasurements, logger: Logger
        ) {
            let sender = WebhookSender(
                port: AsyncHTTPPort(judge: rules.judge(.operator)), folderKey: folderKey,
                environment: store.environment, epoch: store.feed.epoch)
            deliveries = Deliveries(
                store: store, clock: clock, policies: [.webhooks(sender)], measurements: measurements,
                notice: { logger.info("\($0)") })
            webhooks = WebhookAdministration(
                store: store, deliveries: deliveries, folderKey: folderKey, rules: rules, measurements: measurements)
            self.logger = logger
        }

        /// Goes on with the deliveries that are pending. If they cannot be read, that is logged, and the next start takes
        /// them up.
        func start() async {
            do {
                try await deliveries.start()
            } catch {
                logger.error("the deliveries could not be started", metadata: ["error": "\(error.detail)"])
            }
        }

        /// Deletes old deliveries, and moves the positions of idle targets so that they do not expire. To be called about
        /// once a minute.
        func maintain() async { await deliveries.maintain() }

        /// Stops sending. Returns within 5 seconds; what was not delivered stays pending.
        func stop() async { await deliveries.stop() }
    }
#endif
