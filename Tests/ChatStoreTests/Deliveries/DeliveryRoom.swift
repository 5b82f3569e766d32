import ChatModel
import ChatStore
import TestSupport
import Testing

/// A room with a webhook of the desk, which wants all there is.
struct DeliveryRoom: Sendable {
    let room: Room
    var store: ChatStore { room.store }

    static func make(
        in store: ChatStore, id: String = "w1", audience: Audience = .desk, after position: Int64? = nil
    ) async throws -> DeliveryRoom {
        let room = try await Room.make(in: store)
        try await store.write { _ = try $0.insert(Self.draft(id, audience, after: position)) }
        return DeliveryRoom(room: room)
    }

    static func draft(_ id: String, _ audience: Audience = .desk, after position: Int64? = nil) -> TargetDraft {
        TargetDraft(
            id: id, kind: .webhook, audience: audience, settings: Array("{\"url\":\"http://h/\"}".utf8),
            position: position)
    }

    func target(_ id: String = "w1") async throws -> TargetRecord {
        try #require(try await store.read { try $0.target(id) })
    }

    @discardableResult
    func take(_ id: String = "w1", _ type: EventType? = nil) async throws -> TakenDeliveries {
        let number = try await target(id).number
        return try #require(
            try await store.write(inBackground: true) { transaction in
                try transaction.takeDeliveries(for: number) { event in type.map { $0 == event.type } ?? true }
            })
    }

    func pending(_ id: String = "w1") async throws -> [DeliveryRecord] {
        let number = try await target(id).number
        return try await store.read { try $0.pendingDeliveries(of: number) }
    }

    func detail(_ delivery: DeliveryRecord) async throws -> DeliveryDetail {
        try #require(try await store.read { try $0.delivery(delivery.number, of: delivery.target) })
    }

    @discardableResult
    func end(
        _ delivery: DeliveryRecord, _ end: DeliveryResult.End, head: String? = nil, health: TargetHealth? = nil
    ) async throws -> [TargetRecord] {
        let now = store.environment.now()
        let result = DeliveryResult(
            delivery: delivery.number, message: delivery.message,
            attempt: AttemptRecord(at: now, status: 200, milliseconds: 3, head: head.map { Array($0.utf8) }), end: end)
        return try await store.write(inBackground: true) { transaction in
            let known = try transaction.target(number: delivery.target).map { [$0.health] } ?? []
            let health = health ?? TargetHealth(state: .active)
            return try transaction.record(
                [result], targets: [TargetResult(target: delivery.target, health: health, replaces: known)])
        }
    }
}
