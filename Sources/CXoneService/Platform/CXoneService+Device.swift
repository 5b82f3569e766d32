import Chat
import ChatModel
import ChatStore
import CXoneWire

/// The device of an app, as the mobile SDKs tell the platform of it: by its token in the visitor, and in the
/// fingerprint of each message. The platform pushes to it while the customer is not connected.
extension CXoneService {
    /// True: the platform sends push notifications itself, once it knows a device's token.
    public var pushesToApps: Bool { true }

    /// The most attempts when the device changes during a call. After that the next call, or the next message,
    /// tells it.
    private static let tries = 3

    /// Tells the platform the account's device, or that there is none, unless it knows. Ends without an error
    /// when the platform refuses. Throws `serverError`, `eventTimeout`, `storageFailed`.
    public func tellDevice(of account: AccountRecord) async throws(ChatError) {
        noteDevice(of: account, isTold: false)
        for _ in 0..<Self.tries {
            let known = try await vault.state(of: account)
            let device = try await device(of: account)
            guard device != known.device else { return noteDevice(of: account, isTold: true) }
            // A concurrent call may have told an older device: the state is compared again.
            guard try await putVisitor(account, known, device: device) else { return }
        }
    }

    /// Tells who visits, and from which device (`PUT .../visitors/{v}`). Returns whether the platform has taken it.
    @discardableResult
    func putVisitor(
        _ account: AccountRecord, _ known: AccountState, device: AccountState.Device?
    ) async throws(ChatError) -> Bool {
        let visitor = WireVisitor(
            customer: WireCustomer(id: known.customerID), fingerprint: DeviceFingerprint(device, told: known.device))
        if device != nil { try await noteTelling(account, known) }
        let isTaken = try await http.put(visitor, known.visitorID, try await address(of: account.key.channel))
        if isTaken { try await vault.update(account) { $0.device = device } }
        return isTaken
    }

    /// The fingerprint of a message: the app's device, or Parley's own host if there is none.
    func fingerprint(
        of account: AccountRecord, device: AccountState.Device?
    ) async throws(ChatError) -> DeviceFingerprint {
        let known = try await vault.state(of: account)
        if device != nil { try await noteTelling(account, known) }
        return DeviceFingerprint(device, told: known.device)
    }

    /// Notes, before a device is told the first time, that the platform may know of one even if its answer is
    /// lost. When the device is removed later, the platform is told so. The note is a device with an empty token,
    /// which equals no real one.
    private func noteTelling(_ account: AccountRecord, _ known: AccountState) async throws(ChatError) {
        guard known.device == nil else { return }
        _ = try await vault.update(account) { state in
            if state.device == nil { state.device = AccountState.Device(token: "") }
        }
    }

    /// The app's device to which the platform is to push; nil: to none.
    func device(of account: AccountRecord) async throws(ChatError) -> AccountState.Device? {
        let number = account.number
        return try await store.read { try $0.deviceForPlatform(of: number) }.map(AccountState.Device.init)
    }
}

extension AccountState.Device {
    /// The platform knows the push service of a token by the system's name alone.
    init(_ device: PlatformDevice) {
        self.init(
            token: device.token, os: device.os ?? (device.kind == .fcm ? "Android" : nil), osVersion: device.osVersion)
    }
}

extension DeviceFingerprint {
    /// What Parley tells of the device that it runs on.
    static let parley = DeviceFingerprint(language: "en", applicationType: "native", os: "Linux", deviceType: "desktop")

    /// - Parameters:
    ///   - device: the app's; nil: there is none.
    ///   - told: what the platform knows of; where there is none any more it is told so.
    init(_ device: AccountState.Device?, told: AccountState.Device?) {
        guard let device else {
            self = .parley
            if told != nil { deviceToken = .removed }
            return
        }
        // The platform seems to choose the push service by `os`. Without one it is `iOS`.
        self.init(
            language: "en", applicationType: "native", os: device.os ?? "iOS", osVersion: device.osVersion,
            deviceType: "mobile", deviceToken: .token(device.token))
    }
}
