#if Outbound
    import Chat
    import ChatStore
    import HTTPClientPort
    import Logging
    import Outbound

    /// Composes what pushes to devices: web push, APNs, FCM, and the sandbox's simulated pushes.
    struct PushComposition: Sendable {
        /// Makes pushes from the log's events. It must be started, maintained and stopped.
        let deliveries: PushDeliveries
        /// The devices of sessions. If a session's platform pushes by itself, its device is passed on to the platform.
        let devices: any DeviceService
        /// The devices of the desk, which are browsers.
        let deskDevices: any DeskDeviceService
        /// The devices of apps that talk to the sandbox.
        let appDevices: any AppDevices

        /// - Parameters:
        ///   - key: of the data folder.
        ///   - rules: where pushes may go.
        ///   - measurements: count what is sent.
        init(
            _ settings: Settings, sessions: Sessions, clock: ContinuousClock, key: [UInt8],
            rules: CurrentAddressRules, measurements: DeliveryMeasurements,
            logger: Logger
        ) throws {
            let store = sessions.store
            let contact = try Self.contact(settings)
            let vapid = try VAPIDKey(folderKey: key)
            let apple = APNsPushApp.all(
                try AppFiles.apns(settings.string(.apns)), environment: store.environment)
            let google = FCMPushApp.all(try AppFiles.fcm(settings.string(.fcm)), environment: store.environment) {
                AsyncHTTPPort(judge: rules.judge(.operator), trustRoots: $0)
            }
            let apps = PushApps(apple + google)
            let browsers = WebPushSender(
                port: AsyncHTTPPort(judge: rules.judge(.session)), tokens: VAPIDTokens(key: vapid, contact: contact),
                environment: store.environment)
            let sender = PushSender(
                browsers: browsers,
                apps: AppPushSender(apps: apps, environment: store.environment, notice: { logger.warning("\($0)") }),
                simulated: SimulatedPushSender(store: store))
            deliveries = PushDeliveries(
                store: store, clock: clock, notifications: sessions.notifications, sender: sender,
                measurements: measurements,
                notice: { logger.info("\($0)") })
            let own = DeviceAdministration(
                store: store, pushes: deliveries, sender: sender,
                registrations: DeviceRegistrations(rules: rules, contact: contact, apps: apps), key: vapid)
            devices = PlatformDevices(store: store, platforms: sessions, own: own)
            deskDevices = own
            appDevices = AppDeviceRegistry(store: store, pushes: deliveries, apps: apps)
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
#endif
