import Chat
import ChatModel
import ChatStore
import Formats

/// The devices of the desk: the browsers of agents.
extension DeviceAdministration {
    package func deskDevices() async throws(ChatError) -> [Device] {
        try await store.read { transaction in try transaction.deskDevices().map { try Device($0, in: transaction) } }
    }

    package func deskDevice(_ id: String) async throws(ChatError) -> Device {
        try await store.read { try Device(try $0.registeredDeskDevice(id), in: $0) }
    }

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
        try await pushes.refresh()
        return outcome
    }

    package func removeDeskDevice(_ id: String) async throws(ChatError) {
        _ = try await store.write { try $0.deleteTarget(try $0.registeredDeskDevice(id).id) }
        try await pushes.refresh()
    }

    package func testDeskDevice(_ id: String) async throws(ChatError) -> DevicePush {
        try await test(try await store.read { try $0.registeredDeskDevice(id) }, channel: "")
    }

    package func deliveries(
        ofDeskDevice id: String, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> DeviceDeliveryPage {
        try await deliveries(state: state, page) { try $0.registeredDeskDevice(id) }
    }
}

extension ReadTransaction {
    fileprivate func registeredDeskDevice(_ id: String) throws -> TargetRecord {
        guard let device = try deskDevice(id) else {
            throw ChatError(.unknownDevice, "The desk has no device \(id).")
        }
        return device
    }
}
