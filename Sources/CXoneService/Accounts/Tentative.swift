import Synchronization

/// Values in memory that units of work of the store set beside their rows.
///
/// A unit offers its values on the writer's thread. They count at once, because the units behind it see its rows at once,
/// too. Whoever has submitted the unit keeps them when it is committed, and drops them when it is not: then the values
/// from before count again, as the rows do. A unit that runs twice offers the same twice.
struct Tentative<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Offer {
        var id: OfferID
        var values: [Key: Value]
        /// Ascending in the order of the units, so that of two values the later unit's stays.
        var turn: Int
    }

    private var kept: [Key: (value: Value, turn: Int)] = [:]
    /// In the order of their units.
    private var offers: [Offer] = []
    private var turn = 0

    subscript(key: Key) -> Value? {
        for offer in offers.reversed() { if let value = offer.values[key] { return value } }
        return kept[key]?.value
    }

    /// Sets values until ``keep(_:)`` or ``drop(_:)``. What was offered under this id before is replaced.
    mutating func offer(_ values: [Key: Value], as id: OfferID) {
        drop(id)
        guard !values.isEmpty else { return }
        turn += 1
        offers.append(Offer(id: id, values: values, turn: turn))
    }

    /// The unit was committed. Returns what was offered; nil if nothing was.
    @discardableResult
    mutating func commit(_ id: OfferID) -> [Key: Value]? {
        guard let index = offers.firstIndex(where: { $0.id == id }) else { return nil }
        let offer = offers.remove(at: index)
        for (key, value) in offer.values where kept[key]?.turn ?? 0 < offer.turn { kept[key] = (value, offer.turn) }
        return offer.values
    }

    /// The unit was not committed.
    mutating func drop(_ id: OfferID) { offers.removeAll { $0.id == id } }

    /// Forgets the values of these keys, offered or kept.
    mutating func forget(where isGone: (Key) -> Bool) {
        for key in kept.keys where isGone(key) { kept[key] = nil }
        for index in offers.indices { offers[index].values = offers[index].values.filter { !isGone($0.key) } }
        offers.removeAll { $0.values.isEmpty }
    }

    var isEmpty: Bool { kept.isEmpty && offers.isEmpty }
}

/// Names one submission of a unit of work.
struct OfferID: Hashable, Sendable {
    private let number: Int

    private static let last = Atomic<Int>(0)

    /// An id that no other submission has.
    init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}
