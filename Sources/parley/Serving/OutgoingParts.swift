import Chat
import ChatStore
import Gateway
import HTTPRouting

#if Outbound
    import Outbound

    /// All that leaves the gateway: webhooks and pushes. A build without the trait `Outbound` has the other one below.
    struct OutgoingParts: Sendable {
        private let webhooks: OutgoingEvents
        private let push: PushComposition
        private let logger: LogOutput

        /// - Parameters:
        ///   - key: of the data folder, from which secrets are derived.
        ///   - addresses: where they may go.
        init(
            _ settings: Settings, sessions: Sessions, clock: ContinuousClock, key: [UInt8],
            addresses: OutgoingAddresses, log: LogOutput
        ) throws {
            let measurements = DeliveryMeasurements(TargetKind.allCases)
            push = try PushComposition(
                settings, sessions: sessions, clock: clock, key: key, rules: addresses.rules,
                measurements: measurements,
                logger: log.logger("pushes"))
            webhooks = OutgoingEvents(
                store: sessions.store, folderKey: key, clock: clock, rules: addresses.rules,
                measurements: measurements, logger: log.logger("webhooks"))
            logger = log
        }

        /// The devices of apps that talk to the CXone sandbox.
        var appDevices: any AppDevices { push.appDevices }

        /// Their routes.
        var groups: [any RouteGroup<GatewayCore>] {
            [
                WebhookRoutes(webhooks: .success(webhooks.webhooks)),
                DeviceRoutes(devices: .success(push.devices), deskDevices: .success(push.deskDevices)),
            ]
        }

        /// Goes on with the webhooks' deliveries that are pending.
        func startWebhooks() async { await webhooks.start() }

        /// Begins to make pushes. What fails is logged.
        func startPushes() async {
            do {
                try await push.deliveries.start()
            } catch {
                logger.logger("gateway").warning("pushes cannot be sent", metadata: ["error": "\(error.detail)"])
            }
        }

        /// Deletes old deliveries. To be called about once a minute.
        func maintain() async {
            await webhooks.maintain()
            await push.deliveries.maintain()
        }

        /// Stops sending. Returns within 5 seconds; what was not delivered stays pending.
        func stop() async {
            async let delivered: Void = webhooks.stop()
            await push.deliveries.stop()
            await delivered
        }
    }
#else
    /// What a build without the trait `Outbound` has instead: routes that say so.
    struct OutgoingParts: Sendable {
        /// Throws ``SettingsError`` for a setting that only the missing part reads.
        init(
            _ settings: Settings, sessions: Sessions, clock: ContinuousClock, key: [UInt8],
            addresses: OutgoingAddresses, log: LogOutput
        ) throws {
            try settings.refuse([.apns, .fcm, .pushContact, .pushAllowHost], part: "webhooks and pushes")
        }

        /// The routes of webhooks and devices; each answers `missingPart`.
        var groups: [any RouteGroup<GatewayCore>] {
            let problem = Problem(
                kind: ProblemKind(GatewayProblem.missingPart),
                detail: "This gateway was built without webhooks and pushes (the package trait Outbound).")
            return [
                WebhookRoutes(webhooks: .failure(problem)),
                DeviceRoutes(devices: .failure(problem), deskDevices: .failure(problem)),
            ]
        }

        func startWebhooks() async {}
        func startPushes() async {}
        func maintain() async {}
        func stop() async {}
    }
#endif
