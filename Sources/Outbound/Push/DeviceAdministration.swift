import Chat
import ChatModel
import ChatStore
import Formats

/// Devices as sessions and the desk register them. Each change is a commit in the store; afterwards the delivery
/// engine reads anew who has devices. Any task may call it.
package struct DeviceAdministration: DeviceService, DeskDeviceService {
    let store: ChatStore
    let deliveries: Deliveries
    let registrations: DeviceRegistrations
    /// The gateway's public VAPID key (RFC 8292) as base64url, which browsers need to subscribe.
    package let applicationServerKey: String

    package init(
        store: ChatStore, deliveries: Deliveries, registrations: DeviceRegistrations, key: VAPIDKey
    ) {
        self.store = store
        self.deliveries = deliveries
        self.registrations = registrations
        applicationServerKey = key.applicationServerKey
    }

    /// The apps that are configured.
    package var apps: [PushApp] { registrations.apps }

    /// The session's device. Throws `unknownDevice`.
    package func device(of session: String, account: Int64) async throws(ChatError) -> Device {
        try await store.read { try Device(try $0.registeredDevice(of: session, account: account), in: $0) }
    }

    /// Registers the session's device, in place of the one before. See ``WriteTransaction/setDevice(_:onlyNew:)``. Throws the
    /// errors of ``DeviceRegistrations``.
    package func register(
        _ registration: DeviceRegistration, of session: String, account: Int64, onlyNew: Bool
    ) async throws(ChatError) -> (device: Device, isNew: Bool) {
        let channel = try await store.read { try $0.account(account).key.channel }
        let settings = try registrations.settings(for: registration, channel: channel)
        let draft = TargetDraft(
            id: store.environment.makeID(), kind: registration.kind, audience: .account(account), session: session,
            settings: settings.canonicalJSON, address: settings.address)
        let made = try await store.write { transaction in
            let set = try transaction.setDevice(draft, onlyNew: onlyNew)
            return (device: try Device(set.device, in: transaction), isNew: set.isNew)
        }
        try await deliveries.refreshDevices()
        return made
    }

    /// Removes the session's device with its pushes. Nothing happens if there is none.
    package func removeDevice(of session: String, account: Int64) async throws(ChatError) {
        let wasThere = try await store.write { try $0.deleteDevice(of: session, account: account) }
        if wasThere { try await deliveries.refreshDevices() }
    }

    /// Sends a test push at once, and waits for the push service's answer. Throws `unknownDevice`.
    package func test(_ session: String, account: Int64) async throws(ChatError) -> Delivery {
        let (device, channel) = try await store.read {
            (try $0.registeredDevice(of: session, account: account), try $0.account(account).key.channel)
        }
        return try await test(device, channel: channel)
    }

    /// Sends one test push, which is not stored and not repeated. When the push service says that the device is gone
    /// or refused, the device is closed.
    ///
    /// - Parameter channel: the channel that the push names; empty at the desk.
    func test(_ device: TargetRecord, channel: String) async throws(ChatError) -> Delivery {
        guard let settings = try? DeviceSettings(of: device) else {
            throw ChatError(.storageFailed, "A device's settings cannot be read.")
        }
        let id = "test-\(store.environment.makeID())"
        let message = PushMessage(
            channelID: channel, threadID: "", messageID: "", event: id, author: "Parley",
            words: "Notifications reach this device.",
            settings: PushSettings(content: .full))
        guard let (report, attempt) = await deliveries.test(device, .push(Push(id: id, message: message))) else {
            throw ChatError(.pushNotConfigured, "The gateway does not push to devices of this kind.")
        }
        let plan = PushPlan(report.outcome, wait: nil, refusals: device.health.failures)
        // A device that was refused before keeps that as its reason.
        if let reason = plan.closing, device.health.state == .active {
            let closed = settings.closed(reason, app: report.app)
            try await store.write {
                try $0.closeDevice(device.number, version: device.version, reason: reason.rawValue, closed)
            }
            try await deliveries.refreshDevices()
        }
        let isDelivered = plan.end == .delivered
        return Delivery(
            id: id, event: id, type: "push.test", state: isDelivered ? .delivered : .dead,
            reason: isDelivered ? nil : attempt.error ?? "refused", attempts: [attempt], createdAt: attempt.at,
            doneAt: store.environment.now())
    }

    /// A page of the device's pushes with their attempts. Throws `unknownDevice`.
    package func deliveries(
        of session: String, account: Int64, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> ShownDeliveryPage {
        try await store.shownDeliveries(state: state, page) { try $0.registeredDevice(of: session, account: account) }
    }
}

extension ReadTransaction {
    /// The session's device, also one to which a platform pushes. Throws `unknownDevice`.
    fileprivate func registeredDevice(of session: String, account: Int64) throws -> TargetRecord {
        guard let device = try device(of: session, account: account) else {
            throw ChatError(.unknownDevice, "The session \(session) has no device.")
        }
        return device
    }
}

extension Device {
    /// A device without its address and keys: only the host of a browser's endpoint, or an app's name, is shown.
    init(_ target: TargetRecord, in transaction: ReadTransaction) throws {
        let state: State =
            switch (target.health.state, target.health.reason) {
            case (.active, _): .active
            case (_, "gone"): .gone
            default: .refused
            }
        let last = try transaction.deliveryPage(of: target.number, state: nil, PageRequest(limit: 1, cursor: nil)).items
            .first
        var device = Device(
            id: target.id, kind: target.kind, state: state, createdAt: target.createdAt, lastDelivery: last)
        switch try DeviceSettings(of: target) {
        case .browser(let settings): device.endpointHost = settings.host
        case .app(let settings): device.app = settings.app
        }
        self = device
    }
}

/// The devices of the desk, which are the browsers of agents. All agents share them. Functions with an id throw
/// `unknownDevice`.
extension DeviceAdministration {
    /// All devices of the desk; at most ``TargetDraft/maximumDeskDevices``.
    package func deskDevices() async throws(ChatError) -> [Device] {
        try await store.read { transaction in try transaction.deskDevices().map { try Device($0, in: transaction) } }
    }

    package func deskDevice(_ id: String) async throws(ChatError) -> Device {
        try await store.read { try Device(try $0.registeredDeskDevice(id), in: $0) }
    }

    /// Registers a browser; one with the same address is replaced. The outcome is `created` or `ok`.
    ///
    /// Throws `pushNotConfigured` for an app, `tooManyDevices`, and the errors of ``DeviceRegistrations``.
    package func registerAtDesk(
        _ registration: DeviceRegistration, by credential: DeskCredential?, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        guard registration.kind == .webPush else {
            throw ChatError(.pushNotConfigured, "The desk's devices are browsers.", pointer: "/kind")
        }
        let settings = try registrations.settings(for: registration, channel: "")
        let draft = TargetDraft(
            id: store.environment.makeID(), kind: .webPush, audience: .desk, settings: settings.canonicalJSON,
            address: settings.address, credential: credential)
        let outcome = try await store.write { transaction in
            let made = try transaction.setDeskDevice(draft)
            let outcome = Outcome(
                made.isNew ? .created : .ok, id: made.device.id, body: try Device(made.device, in: transaction).json)
            try transaction.record(receipt, outcome)
            return outcome
        }
        try await deliveries.refreshDevices()
        return outcome
    }

    /// Removes a device of the desk with its pushes.
    package func removeDeskDevice(_ id: String) async throws(ChatError) {
        _ = try await store.write { try $0.deleteTarget(try $0.registeredDeskDevice(id).id) }
        try await deliveries.refreshDevices()
    }

    /// Sends a test push to a device of the desk, and waits for the answer.
    package func testDeskDevice(_ id: String) async throws(ChatError) -> Delivery {
        try await test(try await store.read { try $0.registeredDeskDevice(id) }, channel: "")
    }

    /// A page of the device's pushes with their attempts.
    package func deliveries(
        ofDeskDevice id: String, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> ShownDeliveryPage {
        try await store.shownDeliveries(state: state, page) { try $0.registeredDeskDevice(id) }
    }
}

extension ReadTransaction {
    /// The desk's device of this id. Throws `unknownDevice`.
    fileprivate func registeredDeskDevice(_ id: String) throws -> TargetRecord {
        guard let device = try deskDevice(id) else {
            throw ChatError(.unknownDevice, "The desk has no device \(id).")
        }
        return device
    }
}

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
