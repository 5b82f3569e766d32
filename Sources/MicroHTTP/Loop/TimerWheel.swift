/// Streams in the order in which their timers are due. All timers are due within one fixed span from now.
///
/// It is a ring of slots. Adding takes O(1), and nothing is searched before the next slot is due. Entries are names and
/// not references: the entry of a closed stream stays until its slot is due, and the caller ignores it then.
struct TimerWheel {
    private let tick: Nanoseconds
    private var slots: [[StreamName]]
    /// The first tick that was not collected yet.
    private var next: Int64
    private var count = 0
    /// No entry is due before; `.max` when there is none.
    private(set) var due = Nanoseconds.max

    /// - Parameter span: the longest delay that will be asked for. Precision is a 64th of it, late rather than early.
    init(span: Nanoseconds, now: Nanoseconds) {
        tick = max(span / 64, 1_000_000)
        slots = Array(repeating: [], count: 68)
        next = now / tick
    }

    /// Adds an entry. A time in the past is due at the next tick; one beyond the span is due at its end.
    mutating func add(_ name: StreamName, at time: Nanoseconds) {
        let wanted = time / tick + 1
        let slot = min(max(wanted, next), next + Int64(slots.count) - 1)
        slots[Int(slot % Int64(slots.count))].append(name)
        count += 1
        due = min(due, slot * tick)
    }

    /// Removes and returns the entries that are due. They are in the order of their slots; the caller must ignore
    /// streams that are closed.
    mutating func collect(now: Nanoseconds) -> [StreamName] {
        guard now >= due else { return [] }
        var collected: [StreamName] = []
        let last = now / tick
        // After a long sleep, one round of the ring finds all entries.
        next = max(next, last - Int64(slots.count) + 1)
        while next <= last {
            let slot = Int(next % Int64(slots.count))
            if !slots[slot].isEmpty {
                collected.append(contentsOf: slots[slot])
                slots[slot] = []
            }
            next += 1
        }
        count -= collected.count
        due = .max
        if count > 0 {
            for offset in 0..<Int64(slots.count) where !slots[Int((next + offset) % Int64(slots.count))].isEmpty {
                due = (next + offset) * tick
                break
            }
        }
        return collected
    }
}

/// A stream's place in the loop's table, with a number that tells it from earlier streams in the same place.
struct StreamName: Hashable {
    let slot: Int32
    let generation: UInt32
}
