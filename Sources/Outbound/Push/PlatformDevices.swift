import Chat
import ChatModel
import ChatStore
import Formats

/// Devices, with those to which a session's platform pushes: an app's device of such a session is passed on to the
/// platform. All other devices are the gateway's own.
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
        if let device = try await passedOn(session, account) { return Device(passedOn: device) }
        return try await own.device(of: session, account: account)
    }

    package func register(
        _ registration: DeviceRegistration, of session: String, account: Int64
    ) async throws(ChatError) -> Device {
        guard registration.kind == .apns, try await platforms.pushesToApps(of: account) else {
            let before = try await passedOn(session, account)
            let device = try await own.register(registration, of: session, account: account)
            if before != nil { await platforms.tellDevice(of: account) }
            return device
        }
        let device = try device(registration)
        let draft = TargetDraft(
            id: store.environment.makeID(), kind: .platform, audience: .account(account), session: session,
            settings: device.canonicalJSON, address: device.token)
        let (made, former) = try await store.write { try $0.setDevice(draft) }
        // Who had the device before first, so that their platform does not take it from its new owner.
        for account in former.sorted() { await platforms.tellDevice(of: account) }
        await platforms.tellDevice(of: account)
        return Device(passedOn: made)
    }

    package func removeDevice(of session: String, account: Int64) async throws(ChatError) {
        guard try await passedOn(session, account) != nil else {
            return try await own.removeDevice(of: session, account: account)
        }
        try await store.write { transaction in
            if let device = try transaction.device(of: session, account: account) { try transaction.deleteTarget(device.id) }
        }
        await platforms.tellDevice(of: account)
    }

    package func test(_ session: String, account: Int64) async throws(ChatError) -> DevicePush {
        guard try await passedOn(session, account) == nil else {
            throw ChatError(.pushNotConfigured, "The session's platform pushes to this device, and nobody else can.")
        }
        return try await own.test(session, account: account)
    }

    package func deliveries(
        of session: String, account: Int64, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> DeviceDeliveryPage {
        // Of pushes that others send nothing is known.
        if try await passedOn(session, account) != nil { return DeviceDeliveryPage(items: [], next: nil) }
        return try await own.deliveries(of: session, account: account, state: state, page)
    }

    private func passedOn(_ session: String, _ account: Int64) async throws(ChatError) -> TargetRecord? {
        try await store.read { try $0.device(of: session, account: account).flatMap { $0.kind == .platform ? $0 : nil } }
    }

    private func device(_ registration: DeviceRegistration) throws(ChatError) -> PlatformDevice {
        guard let token = registration.token.flatMap(APNsDeviceToken.init) else { throw .invalidToken }
        return PlatformDevice(token: token.digits, os: registration.os, osVersion: registration.osVersion)
    }
}

extension Device {
    fileprivate init(passedOn target: TargetRecord) {
        self.init(
            id: target.id, kind: .apns, state: .active, createdAt: target.createdAt, lastDelivery: nil)
        pushedBy = .platform
    }
}
