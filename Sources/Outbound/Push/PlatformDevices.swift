import Chat
import ChatModel
import ChatStore
import Formats

/// The devices of sessions, whoever pushes to them.
///
/// An app's device belongs to the session's platform, if that platform pushes to apps: the gateway stores it and
/// tells the platform. All other devices get pushes from the gateway itself.
package struct PlatformDevices: DeviceService {
    private let store: ChatStore
    private let platforms: any DevicePlatforms
    private let own: any DeviceService

    /// - Parameter own: for the devices to which the gateway pushes.
    package init(store: ChatStore, platforms: any DevicePlatforms, own: any DeviceService) {
        self.store = store
        self.platforms = platforms
        self.own = own
    }

    package var applicationServerKey: String { own.applicationServerKey }
    package var apps: [PushApp] { own.apps }

    package func device(of session: String, account: Int64) async throws(ChatError) -> Device {
        if let device = try await passedOn(session, account) { return try Device(passedOn: device) }
        return try await own.device(of: session, account: account)
    }

    /// Registers the session's device with the platform or the gateway. When it moves from one to the other, or to
    /// another account, the platforms concerned are told.
    package func register(
        _ registration: DeviceRegistration, of session: String, account: Int64, onlyNew: Bool
    ) async throws(ChatError) -> (device: Device, isNew: Bool) {
        guard let kind = AppKind(registration.kind), try await platforms.pushesToApps(of: account) else {
            let before = try await passedOn(session, account)
            let made = try await own.register(registration, of: session, account: account, onlyNew: onlyNew)
            if before != nil { await platforms.tellDevice(of: account) }
            return made
        }
        let device = try device(registration, kind)
        let draft = TargetDraft(
            id: store.environment.makeID(), kind: .platform, audience: .account(account), session: session,
            settings: device.canonicalJSON, address: device.token)
        let (made, isNew, former) = try await store.write { try $0.setDevice(draft, onlyNew: onlyNew) }
        // The former owners come first, so that their platform does not take the device from the new one.
        for account in former.sorted() { await platforms.tellDevice(of: account) }
        await platforms.tellDevice(of: account)
        return (try Device(passedOn: made), isNew)
    }

    /// Removes the session's device, and tells the platform if the platform pushed to it.
    package func removeDevice(of session: String, account: Int64) async throws(ChatError) {
        guard try await passedOn(session, account) != nil else {
            return try await own.removeDevice(of: session, account: account)
        }
        _ = try await store.write { try $0.deleteDevice(of: session, account: account) }
        await platforms.tellDevice(of: account)
    }

    /// Sends a test push. Throws `pushNotConfigured` when the platform pushes to the device, because the gateway
    /// cannot.
    package func test(_ session: String, account: Int64) async throws(ChatError) -> Delivery {
        guard try await passedOn(session, account) == nil else {
            throw ChatError(.pushNotConfigured, "The session's platform pushes to this device, and the gateway cannot.")
        }
        return try await own.test(session, account: account)
    }

    /// A page of the device's pushes; empty when the platform pushes to it.
    package func deliveries(
        of session: String, account: Int64, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> ShownDeliveryPage {
        // The gateway does not know what a platform has pushed.
        if try await passedOn(session, account) != nil { return ShownDeliveryPage(items: [], next: nil) }
        return try await own.deliveries(of: session, account: account, state: state, page)
    }

    /// The session's device if a platform pushes to it; otherwise nil.
    private func passedOn(_ session: String, _ account: Int64) async throws(ChatError) -> TargetRecord? {
        try await store.read {
            try $0.device(of: session, account: account).flatMap { $0.kind == .platform ? $0 : nil }
        }
    }

    private func device(_ registration: DeviceRegistration, _ kind: AppKind) throws(ChatError) -> PlatformDevice {
        guard let token = DeviceToken(registration.token ?? "", of: kind) else { throw .invalidToken(of: kind) }
        return PlatformDevice(
            kind: kind.target, token: token.text, os: registration.os, osVersion: registration.osVersion)
    }
}

extension Device {
    fileprivate init(passedOn target: TargetRecord) throws(ChatError) {
        guard let device = try? PlatformDevice(canonicalJSON: target.settings) else {
            throw ChatError(.storageFailed, "A device's settings cannot be read.")
        }
        self.init(
            id: target.id, kind: device.kind, state: .active, createdAt: target.createdAt, lastDelivery: nil)
        pushedBy = .platform
    }
}
