import Chat
import ChatModel
import ChatStore
import CXoneWire

/// The device of an app, as the mobile SDKs tell the platform of it: by its token in the visitor, and in the fingerprint
/// of each message. The platform pushes to it while the customer is not connected.
extension CXoneService {
    public var pushesToApps: Bool { true }

    /// How often it is told again because the device has changed meanwhile. After that a later call tells it.
    private static let tries = 3

    public func tellDevice(of account: AccountRecord) async throws(ChatError) {
        for _ in 0..<Self.tries {
            let known = try await vault.state(of: account)
            let device = try await device(of: account)
            guard device != known.device else { return }
            // Another call may be on its way with what was there before: hence one more look.
            guard try await putVisitor(account, known, device: device) else { return }
        }
    }

    /// Whether the platform knows the device, or that there is none.
    func isDeviceTold(of account: AccountRecord) async throws(ChatError) -> Bool {
        try await device(of: account) == vault.state(of: account).device
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

    /// What a message tells of the device that it comes from.
    func fingerprint(of account: AccountRecord) async throws(ChatError) -> DeviceFingerprint {
        let (device, known) = (try await device(of: account), try await vault.state(of: account))
        if device != nil { try await noteTelling(account, known) }
        return DeviceFingerprint(device, told: known.device)
    }

    /// From now on the platform may know of a device, whether it answers or not: when there is none any more, it has to be
    /// told. An empty token equals no device.
    private func noteTelling(_ account: AccountRecord, _ known: AccountState) async throws(ChatError) {
        guard known.device == nil else { return }
        _ = try await vault.update(account) { state in
            if state.device == nil { state.device = AccountState.Device(token: "") }
        }
    }

    /// The app's device to which the platform is to push; nil: to none.
    func device(of account: AccountRecord) async throws(ChatError) -> AccountState.Device? {
        let number = account.number
        return try await store.read { try $0.deviceForPlatform(of: number) }.map {
            AccountState.Device(token: $0.token, os: $0.os, osVersion: $0.osVersion)
        }
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
