import Chat
import ChatModel
import CXoneWire
import Formats
import Synchronization

/// When each custom field got its value, so that the later one of two values wins. May be used from any task.
///
/// Kept in memory, until the account's last session ends. The time of a value from before is unknown: then the
/// platform's value wins.
final class FieldTimes: Sendable {
    /// Whose fields: those of a thread's contact; with an empty thread, the customer's.
    struct Owner: Hashable, Sendable {
        var account: Int64
        var thread = ""
    }

    /// A field of an owner.
    struct Field: Hashable, Sendable {
        var thread: String
        var ident: String
    }

    /// When fields of one account got their values, in milliseconds since 1970.
    typealias Times = [Field: Int64]

    /// By account.
    private let times = Mutex<[Int64: Tentative<Field, Int64>]>([:])

    /// That a client set these fields at that time.
    static func times(of idents: some Sequence<String>, of owner: Owner, at time: Timestamp) -> Times {
        Times(idents.map { (Field(thread: owner.thread, ident: $0), time.milliseconds) }) { first, _ in first }
    }

    /// Sets times, inside the unit that stores the values: ``commit(_:account:)`` or ``drop(_:account:)`` must follow.
    func offer(_ times: Times, account: Int64, as id: OfferID) {
        guard !times.isEmpty else { return }
        self.times.withLock { $0[account, default: Tentative()].offer(times, as: id) }
    }

    /// The values were committed.
    func commit(_ id: OfferID, account: Int64) { times.withLock { _ = $0[account]?.commit(id) } }

    /// The values were not committed.
    func drop(_ id: OfferID, account: Int64) {
        times.withLock { times in
            times[account]?.drop(id)
            if times[account]?.isEmpty == true { times[account] = nil }
        }
    }

    /// Returns the known fields with the platform's merged in, and adds their times to `news`. The newer value wins; of
    /// two equal times the known value stays. Values beyond the limits of the API are left out, and an empty value does
    /// not remove a known one.
    func merge(
        _ fields: [CustomField], into known: [String: String], of owner: Owner, noting news: inout Times
    ) -> [String: String] {
        times.withLock { times in
            var result = known
            for field in fields {
                let time = field.updatedAt?.milliseconds ?? .min
                let name = Field(thread: owner.thread, ident: field.ident)
                let mine = news[name] ?? times[owner.account]?[name]
                guard result[field.ident] == nil || time > mine ?? .min || mine == nil else { continue }
                guard CustomFieldLimits.allow(field.value, as: field.ident, in: result) else { continue }
                // An empty value of a field that is not there leaves no trace, or its times would grow without bound.
                guard !field.value.isEmpty || result[field.ident] != nil else { continue }
                if !field.value.isEmpty { result[field.ident] = field.value }
                news[name] = time
            }
            return result
        }
    }

    /// The fields as they are sent, sorted by name, each with the time when it was set.
    ///
    /// - Parameter time: for fields whose time is unknown.
    func wire(_ fields: [String: String], of owner: Owner, otherwise time: Timestamp) -> [CustomField] {
        times.withLock { times in
            fields.sorted { $0.key < $1.key }.map { ident, value in
                let known = times[owner.account]?[Field(thread: owner.thread, ident: ident)]
                    .flatMap { $0 == .min ? nil : $0 }
                return CustomField(
                    ident: ident, value: value, updatedAt: Timestamp(milliseconds: known ?? time.milliseconds))
            }
        }
    }

    /// The account has no threads of these ids any more.
    func forget(_ threads: Set<String>, account: Int64) {
        times.withLock { $0[account]?.forget { threads.contains($0.thread) } }
    }

    /// The account has no sessions any more.
    func forget(account: Int64) { times.withLock { $0[account] = nil } }

    /// How many accounts have times.
    var count: Int { times.withLock { $0.count } }
}

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

    /// Sets values until ``commit(_:)`` or ``drop(_:)``. What was offered under this id before is replaced.
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
