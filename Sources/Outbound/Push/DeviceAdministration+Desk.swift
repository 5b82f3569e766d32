import Chat
import ChatModel
import ChatStore
import Formats

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
        _ registration: DeviceRegistration, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        guard registration.kind == .webPush else {
            throw ChatError(.pushNotConfigured, "The desk's devices are browsers.", pointer: "/kind")
        }
        let settings = try registrations.settings(for: registration, channel: "")
        let draft = TargetDraft(
            id: store.environment.makeID(), kind: .webPush, audience: .desk, settings: settings.canonicalJSON,
            address: settings.address)
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
