import Chat
import ChatModel
import ChatStore
import Formats

/// The devices of apps that talk to the gateway by another face: rows of the store, of which the engine is told
/// afterwards. Their holders stand in the place of sessions.
package struct AppDeviceRegistry: AppDevices {
    private let store: ChatStore
    private let pushes: PushDeliveries
    private let apps: APNsApps

    package init(store: ChatStore, pushes: PushDeliveries, apps: APNsApps) {
        self.store = store
        self.pushes = pushes
        self.apps = apps
    }

    package func register(
        token text: String, channel: String?, of holder: String, account: Int64
    ) async throws(ChatError) {
        guard let token = APNsDeviceToken(text) else { throw .invalidToken }
        let id = store.environment.makeID()
        try await store.write { transaction in
            let known = try transaction.device(of: holder, account: account).map { try DeviceSettings(canonicalJSON: $0.settings) }
            var settings = AppSettings(topic: nil, channel: channel, token: token)
            if channel == nil, case .app(let known) = known { settings.channel = known.channel }
            let made = DeviceSettings.app(settings)
            try transaction.setDevice(
                TargetDraft(
                    id: id, kind: .apns, audience: .account(account), session: holder, settings: made.canonicalJSON,
                    address: made.address))
        }
        try await pushes.refresh()
    }

    package func remove(of holder: String, account: Int64) async throws(ChatError) {
        let wasThere = try await store.write { transaction in
            guard let device = try transaction.device(of: holder, account: account) else { return false }
            return try transaction.deleteTarget(device.id) != nil
        }
        if wasThere { try await pushes.refresh() }
    }

    package func accounts(of holder: String) async throws(ChatError) -> [Int64] {
        try await store.read { try $0.devices(of: holder) }.compactMap { device in
            if case .account(let account) = device.audience { account } else { nil }
        }
    }

    package func offer(in channel: String) async throws(ChatError) -> PushOffer {
        let settings = try await store.read { try $0.channel(channel, of: "local") }?.push
        return PushOffer(
            isActive: !apps.apps(in: channel).isEmpty, title: settings?.title ?? PushAlert.fixedTitle,
            body: settings?.body ?? PushAlert.fixedBody, deepLink: settings?.deeplink ?? "")
    }
}
