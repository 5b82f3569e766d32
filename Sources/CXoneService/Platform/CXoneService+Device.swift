import Chat
import ChatModel
import ChatStore
import CXoneWire

/// The device of an app, as the mobile SDKs tell the platform of it: by its token in the visitor, and in the fingerprint
/// of each message. The platform pushes to it while the customer is not connected.
extension CXoneService {
    public var pushesToApps: Bool { true }

    /// How often the device may change while the platform is told of it, before others go on telling.
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
        let isTaken = try await http.put(visitor, known.visitorID, try await address(of: account.key.channel))
        if isTaken { try await vault.update(account) { $0.device = device } }
        return isTaken
    }

    /// What a message tells of the device that it comes from.
    func fingerprint(of account: AccountRecord) async throws(ChatError) -> DeviceFingerprint {
        DeviceFingerprint(try await device(of: account), told: try await vault.state(of: account).device)
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
        // The platform tells the push services apart by the system alone, it seems: who names none is one of Apple's.
        self.init(
            language: "en", applicationType: "native", os: device.os ?? "iOS", osVersion: device.osVersion,
            deviceType: "mobile", deviceToken: .token(device.token))
    }
}
