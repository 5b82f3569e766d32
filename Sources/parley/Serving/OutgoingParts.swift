import Chat
import ChatModel
import ChatStore
import Gateway
import HTTPRouting

/// How a stand-in for a platform calls a program: `CallbackSender.Course`.
typealias CallbackCourse =
    @Sendable (
        _ call: CallbackEvent, _ url: String,
        _ send: @Sendable (_ headers: [(name: String, value: String)], _ body: [UInt8]) async -> CallbackReply
    ) async -> CallbackReply?
typealias CallbackReply = (status: Int?, text: [UInt8], error: String?)

#if Outbound
    import HTTPClientPort
    import Logging
    import Outbound

    /// All that leaves the gateway: webhooks and pushes. A build without the trait `Outbound` has the other one below.
    struct OutgoingParts: Sendable {
        /// Sends to webhooks and devices.
        private let deliveries: Deliveries
        private let webhooks: any WebhookService
        /// The devices of sessions. If a session's platform pushes by itself, its device is passed on to the platform.
        private let devices: any DeviceService
        /// The devices of the desk, which are browsers.
        private let deskDevices: any DeskDeviceService
        /// The devices of apps that talk to the CXone sandbox.
        let appDevices: any AppDevices
        private let logger: Logger
        private let rules: CurrentAddressRules

        /// - Parameters:
        ///   - key: of the data folder, from which secrets are derived.
        ///   - addresses: where they may go.
        ///   - callbacks: how the stand-in for a platform calls programs; nil without one.
        init(
            _ settings: Settings, sessions: Sessions, clock: ContinuousClock, key: [UInt8],
            addresses: OutgoingAddresses, callbacks: CallbackCourse?, log: LogOutput
        ) throws {
            let (store, rules, measurements) = (sessions.store, addresses.rules, DeliveryMeasurements())
            let (webhookLogger, pushLogger) = (log.logger("webhooks"), log.logger("pushes"))
            let push = try PushComposition(settings, store: store, key: key, rules: rules, logger: pushLogger)
            let port = AsyncHTTPPort(judge: rules.judge(.operator))
            let webhookSender = WebhookSender(
                port: port, folderKey: key, environment: store.environment, epoch: store.feed.epoch)
            let callback = callbacks.map { CallbackPolicy(CallbackSender(port: port, course: $0)) }
            deliveries = Deliveries(
                store: store, clock: clock,
                policies: [WebhookPolicy(webhookSender)] + [callback].compactMap(\.self)
                    + PushPolicy.all(push.sender, sessions.notifications),
                notifications: sessions.notifications, measurements: measurements,
                notice: { ([.webhook, .callback].contains($0) ? webhookLogger : pushLogger).info("\($1)") })
            webhooks = WebhookAdministration(
                store: store, deliveries: deliveries, folderKey: key, rules: rules, measurements: measurements)
            let own = push.devices(deliveries, in: store)
            devices = PlatformDevices(store: store, platforms: sessions, own: own)
            deskDevices = own
            appDevices = AppDeviceRegistry(store: store, deliveries: deliveries, apps: push.apps)
            logger = log.logger("gateway")
            self.rules = rules
        }

        /// Throws why no program may be called at a URL. They are chosen with a token that the gateway's own shows.
        func check(_ url: String) throws { try rules.current.check(TargetAddress(url), by: .operator) }

        /// Reads a target anew that was made, changed or removed.
        func refresh(_ target: Int64) async throws(ChatError) { try await deliveries.refresh(target) }

        /// Their routes.
        var groups: [any RouteGroup<GatewayCore>] {
            [
                WebhookRoutes(webhooks: .success(webhooks)),
                DeviceRoutes(devices: .success(devices), deskDevices: .success(deskDevices)),
            ]
        }

        /// Goes on with what is pending. If that cannot be read, it is logged, and the next start takes it up.
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

    /// Composes what pushes to devices: web push, APNs, FCM, and the sandbox's simulated pushes.
    private struct PushComposition: Sendable {
        /// Sends to devices of all kinds.
        let sender: PushSender
        /// The apps to which the gateway pushes.
        let apps: PushApps
        private let registrations: DeviceRegistrations
        private let key: VAPIDKey

        /// - Parameters:
        ///   - key: of the data folder.
        ///   - rules: where pushes may go.
        init(
            _ settings: Settings, store: ChatStore, key: [UInt8], rules: CurrentAddressRules, logger: Logger
        ) throws {
            let contact = try Self.contact(settings)
            self.key = try VAPIDKey(folderKey: key)
            let apple = APNsPushApp.all(
                try AppFiles.apns(settings.string(.apns)), environment: store.environment)
            let google = FCMPushApp.all(try AppFiles.fcm(settings.string(.fcm)), environment: store.environment) {
                AsyncHTTPPort(judge: rules.judge(.operator), trustRoots: $0)
            }
            apps = PushApps(apple + google)
            sender = PushSender(
                browsers: WebPushSender(
                    port: AsyncHTTPPort(judge: rules.judge(.session)),
                    tokens: VAPIDTokens(key: self.key, contact: contact), environment: store.environment),
                apps: AppPushSender(apps: apps, environment: store.environment, notice: { logger.warning("\($0)") }),
                simulated: SimulatedPushSender(store: store))
            registrations = DeviceRegistrations(rules: rules, contact: contact, apps: apps)
        }

        /// The devices to which the gateway pushes, of sessions and of the desk.
        func devices(_ deliveries: Deliveries, in store: ChatStore) -> DeviceAdministration {
            DeviceAdministration(store: store, deliveries: deliveries, registrations: registrations, key: key)
        }

        /// The operator's contact that push services get (RFC 8292, section 2.1); nil if none is set. Throws
        /// ``SettingsError``.
        private static func contact(_ settings: Settings) throws(SettingsError) -> VAPIDContact? {
            let text = settings.string(.pushContact)
            if text.isEmpty { return nil }
            guard let contact = VAPIDContact(text) else {
                throw SettingsError("--push-contact needs mailto: with an address, or an https URL.")
            }
            return contact
        }
    }
#else
    /// What a build without the trait `Outbound` has instead: routes that say so.
    struct OutgoingParts: Sendable {
        /// Throws ``SettingsError`` for a setting that only the missing part reads.
        init(
            _ settings: Settings, sessions: Sessions, clock: ContinuousClock, key: [UInt8],
            addresses: OutgoingAddresses, callbacks: CallbackCourse?, log: LogOutput
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

        func start() async {}
        func maintain() async {}
        func stop() async {}
    }
#endif
