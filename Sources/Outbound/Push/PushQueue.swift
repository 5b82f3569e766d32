import Chat
import ChatModel
import ChatStore
import Formats
import HeapModule

/// The pushes that wait, without a clock and a store of its own: each until its time, and those of one device one after
/// the other, by their offsets.
///
/// To add a push, to take one, or to end one costs log n of the number of pushes that wait.
struct PushQueue {
    private struct Entry {
        let delivery: DeliveryRecord
        let heldBy: PushHolder?
    }

    private struct Turn: Comparable {
        let offset: Int64
        let number: Int64

        static func < (left: Turn, right: Turn) -> Bool { (left.offset, left.number) < (right.offset, right.number) }
    }

    private struct Device {
        /// Pushes that are due.
        var turns = Heap<Turn>()
        var isBusy = false
    }

    /// By the delivery's number.
    private var entries: [Int64: Entry] = [:]
    /// When pushes are looked at, by their numbers. One without an alarm is due, and waits for its turn at its device.
    private var alarms = Alarms<Int64, Timestamp>()
    /// Devices with a push that is due or on its way, by their targets' numbers.
    private var devices: [Int64: Device] = [:]
    /// The first turn of each device that is not busy, and turns that have become stale.
    private var firstTurns = Heap<Turn>()
    /// The pushes that are looked at again sooner when their holder is done.
    private var held: [PushHolder: Set<Int64>] = [:]
    /// Devices to which a push is on its way.
    private(set) var busyCount = 0

    var count: Int { entries.count }

    /// Adds a push that does not wait yet.
    mutating func add(_ delivery: DeliveryRecord, dueAt: Timestamp, heldBy holder: PushHolder? = nil) {
        assert(entries[delivery.number] == nil, "a push waits once")
        entries[delivery.number] = Entry(delivery: delivery, heldBy: holder)
        alarms.set(delivery.number, at: dueAt)
        if let holder { held[holder, default: []].insert(delivery.number) }
    }

    /// The pushes that wait for this holder are due now.
    mutating func wake(_ holder: PushHolder, at now: Timestamp) {
        for number in held[holder] ?? [] where alarms.contains(number) { alarms.set(number, at: now) }
    }

    /// Takes the push that is to be looked at next: of those that are due and whose device is not busy, the one with the
    /// lowest offset. Its device is busy until ``finish(_:)``. Nil where nothing is due.
    mutating func take(at now: Timestamp) -> DeliveryRecord? {
        while let number = alarms.take(at: now) { makeDue(number) }
        while let turn = firstTurns.popMin() {
            guard let target = entries[turn.number]?.delivery.target, devices[target]?.isBusy == false,
                devices[target]?.turns.min == turn
            else { continue }
            devices[target]?.turns.removeMin()
            devices[target]?.isBusy = true
            busyCount += 1
            return remove(turn.number)
        }
        return nil
    }

    /// The push that was taken for this device has ended, or was added again.
    mutating func finish(_ target: Int64) {
        guard let device = devices[target], device.isBusy else { return assertionFailure("nothing was on its way") }
        busyCount -= 1
        guard let turn = device.turns.min else {
            devices[target] = nil
            return
        }
        devices[target]?.isBusy = false
        firstTurns.insert(turn)
    }

    /// When ``take(at:)`` has something new at the earliest, unless a device is finished before.
    mutating func nextDue() -> Timestamp? { alarms.next }

    private mutating func makeDue(_ number: Int64) {
        guard let delivery = entries[number]?.delivery else { return }
        let turn = Turn(offset: delivery.offset, number: number)
        devices[delivery.target, default: Device()].turns.insert(turn)
        if devices[delivery.target]?.isBusy == false, devices[delivery.target]?.turns.min == turn {
            firstTurns.insert(turn)
        }
    }

    private mutating func remove(_ number: Int64) -> DeliveryRecord? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        if let holder = entry.heldBy {
            held[holder]?.remove(number)
            if held[holder]?.isEmpty == true { held[holder] = nil }
        }
        return entry.delivery
    }
}
