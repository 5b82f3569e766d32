import Chat
import ChatModel
import ChatStore
import Formats

/// Devices as sessions and the desk register them. Each change is a commit in the store; afterwards the push engine
/// reads the devices anew. Any task may call it.
package struct DeviceAdministration: DeviceService, DeskDeviceService {
    let store: ChatStore
    let pushes: PushDeliveries
    let registrations: DeviceRegistrations
    private let sender: PushSender
    /// The gateway's public VAPID key (RFC 8292) as base64url, which browsers need to subscribe.
    package let applicationServerKey: String

    package init(
        store: ChatStore, pushes: PushDeliveries, sender: PushSender, registrations: DeviceRegistrations, key: VAPIDKey
    ) {
        self.store = store
        self.pushes = pushes
        self.sender = sender
        self.registrations = registrations
        applicationServerKey = key.applicationServerKey
    }

    /// The apps that are configured.
    package var apps: [PushApp] { registrations.apps }

    /// The session's device. Throws `unknownDevice`.
    package func device(of session: String, account: Int64) async throws(ChatError) -> Device {
        try await store.read { try Device(try $0.registeredDevice(of: session, account: account), in: $0) }
    }

    /// Registers the session's device, in place of the one before. See ``WriteTransaction/setDevice(_:)``. Throws the
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
        try await pushes.refresh()
        return made
    }

    /// Removes the session's device with its pushes. Nothing happens if there is none.
    package func removeDevice(of session: String, account: Int64) async throws(ChatError) {
        let wasThere = try await store.write { transaction in
            guard let device = try transaction.device(of: session, account: account) else { return false }
            try transaction.deleteTarget(device.id)
            return true
        }
        if wasThere { try await pushes.refresh() }
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
        let now = store.environment.now()
        let message = PushMessage(
            channelID: channel, threadID: "", messageID: "", event: id, author: "Parley",
            words: "Notifications reach this device.",
            settings: PushSettings(content: .full))
        let report = await sender.send(Push(id: id, message: message), to: device, settings)
        pushes.note(report, of: device)
        await pushes.learn(report)
        let plan = PushPlan(report.outcome, wait: nil, refusals: device.health.failures)
        // A device that was refused before keeps that as its reason.
        if let reason = plan.closing, device.health.state == .active {
            try await store.write {
                let closed = settings.closed(reason, app: report.app)
                try $0.closeDevice(
                    device.number, version: device.version, reason: reason.rawValue, settings: closed.canonicalJSON,
                    address: closed.address)
            }
            try await pushes.refresh()
        }
        let isDelivered = plan.end == .delivered
        return Delivery(
            id: id, event: id, type: "push.test", state: isDelivered ? .delivered : .dead,
            reason: isDelivered ? nil : report.attempt.error ?? "refused", attempts: [report.attempt], createdAt: now,
            doneAt: store.environment.now())
    }

    /// A page of the device's pushes with their attempts. Throws `unknownDevice`.
    package func deliveries(
        of session: String, account: Int64, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> DeviceDeliveryPage {
        try await deliveries(state: state, page) { try $0.registeredDevice(of: session, account: account) }
    }

    /// - Parameter find: the device.
    func deliveries(
        state: DeliveryState?, _ page: PageRequest,
        of find: @escaping @Sendable (ReadTransaction) throws -> TargetRecord
    ) async throws(ChatError) -> DeviceDeliveryPage {
        let epoch = store.feed.epoch
        return try await store.read { transaction in
            let device = try find(transaction)
            let page = try transaction.deliveryPage(of: device.number, state: state, page)
            return DeviceDeliveryPage(items: try transaction.shown(page.items, epoch: epoch), next: page.next)
        }
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
