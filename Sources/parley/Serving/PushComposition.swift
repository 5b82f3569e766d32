#if Outbound
    import Chat
    import ChatStore
    import HTTPClientPort
    import Logging
    import Outbound

    /// Composes what pushes to devices: web push, APNs, FCM, and the sandbox's simulated pushes.
    struct PushComposition: Sendable {
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
#endif
