import Chat
import ChatModel
import ChatStore
import Formats

/// The devices of apps that talk to the gateway through another interface than its own. Their holder's id is stored
/// in the place of a session's.
///
/// Each change is a commit in the store; afterwards the delivery engine reads anew who has devices.
package struct AppDeviceRegistry: AppDevices {
    private let store: ChatStore
    private let deliveries: Deliveries
    private let apps: PushApps

    package init(store: ChatStore, deliveries: Deliveries, apps: PushApps) {
        self.store = store
        self.deliveries = deliveries
        self.apps = apps
    }

    /// Registers the holder's device for an account, in place of the one before. Without a channel, a known app
    /// device keeps its channel. Throws for a token that is not one of APNs.
    package func register(
        token text: String, channel: String?, of holder: String, account: Int64
    ) async throws(ChatError) {
        let kind = AppKind.apns
        guard let token = DeviceToken(text, of: kind) else { throw .invalidToken(of: kind) }
        let id = store.environment.makeID()
        try await store.write { transaction in
            let known = try transaction.device(of: holder, account: account).map(DeviceSettings.init(of:))
            var settings = AppSettings(app: nil, channel: channel, token: token)
            if channel == nil, case .app(let known) = known { settings.channel = known.channel }
            let made = DeviceSettings.app(settings)
            try transaction.setDevice(
                TargetDraft(
                    id: id, kind: kind.target, audience: .account(account), session: holder,
                    settings: made.canonicalJSON,
                    address: made.address))
        }
        try await deliveries.refreshDevices()
    }

    /// Removes the holder's device for an account. Nothing happens if there is none.
    package func remove(of holder: String, account: Int64) async throws(ChatError) {
        let wasThere = try await store.write { try $0.deleteDevice(of: holder, account: account) }
        if wasThere { try await deliveries.refreshDevices() }
    }

    /// Removes the devices of all holders whose ids begin with this text. Nothing happens if there are none.
    package func removeAll(ofHoldersBeginningWith prefix: String) async throws(ChatError) {
        let count = try await store.write { transaction in
            let devices = try transaction.devices(ofSessionsBeginningWith: prefix)
            for device in devices { _ = try transaction.deleteTarget(device.id) }
            return devices.count
        }
        if count > 0 { try await deliveries.refreshDevices() }
    }

    /// The accounts for which the holder has a device.
    package func accounts(of holder: String) async throws(ChatError) -> [Int64] {
        try await store.read { try $0.devices(of: holder) }.compactMap { device in
            if case .account(let account) = device.audience { account } else { nil }
        }
    }

    /// Whether pushes to apps are configured for a channel, and the texts that its pushes show.
    package func offer(in channel: String) async throws(ChatError) -> PushOffer {
        let settings = try await store.read { try $0.channel(channel, of: "local") }?.push
        return PushOffer(
            isActive: !apps.configurations(.apns, in: channel).isEmpty, title: settings?.title ?? PushAlert.fixedTitle,
            body: settings?.body ?? PushAlert.fixedBody, deepLink: settings?.deeplink ?? "")
    }
}
