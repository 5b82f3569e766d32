import Synchronization

/// The faults that have not happened yet, in the order in which they were added. In memory only; may be used from
/// any task.
final class FaultBook: Sendable {
    /// A fault that waits.
    private struct Entry {
        var fault: Fault
        /// How many fitting requests or pushes there were.
        var seen = 0
        var dice: FaultDice?
        var rate = RequestRate()
        var step: FaultScript.StepName?
    }

    /// A fault that happens now.
    struct Hit: Sendable {
        var fault: Fault
        /// The step of a script that has added it.
        var step: FaultScript.StepName?
        /// Whether it does not wait any more.
        var isLast: Bool
    }

    private let entries = Mutex([Entry]())

    /// The most faults that wait.
    static let limit = 1000

    /// In the order in which they were added; for the API.
    var all: [Fault] { entries.withLock { $0.map(\.fault) } }

    /// Adds a fault after the others. False when ``limit`` faults wait already; those of scripts are bounded by their
    /// number.
    func add(_ fault: Fault, of step: FaultScript.StepName? = nil) -> Bool {
        entries.withLock { entries in
            guard step != nil || entries.count < Self.limit else { return false }
            let dice = fault.probability == nil ? nil : FaultDice(seed: fault.seed ?? 0)
            entries.append(Entry(fault: fault, dice: dice, step: step))
            return true
        }
    }

    /// Removes the faults that wait.
    func removeAll() { entries.withLock { $0 = [] } }

    /// Removes the faults of a script.
    func remove(of script: String) { entries.withLock { $0.removeAll { $0.step?.script == script } } }

    /// Removes a fault whose time is over. Returns the step that has added it; nil if it is gone already.
    func remove(_ id: String) -> (wasThere: Bool, step: FaultScript.StepName?) {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.fault.id == id }) else { return (false, nil) }
            return (true, entries.remove(at: index).step)
        }
    }

    /// The first fault of these kinds that fits and whose turn it is. Its count goes down by one; at 0 it is removed.
    /// Every fault whose conditions fit counts this request or push, also when another fault is the one that happens.
    ///
    /// - Parameters:
    ///   - onlyNamed: passes over faults without an event, as far as they need one.
    ///   - second: the time, for `limitRate`, which stays until it is removed.
    func takeFault(
        _ kinds: Set<Fault.Kind>, _ occasion: FaultOccasion, onlyNamed: Bool = false, second: Int64 = 0
    ) -> Hit? {
        entries.withLock { entries in
            var found: Int?
            for index in entries.indices {
                let fault = entries[index].fault
                guard kinds.contains(fault.kind), fault.fits(occasion), !onlyNamed || fault.isOfAnyRequest else {
                    continue
                }
                entries[index].seen += 1
                guard found == nil, entries[index].seen >= fault.nth ?? 1 else { continue }
                if let probability = fault.probability, let drawn = entries[index].dice?.next(),
                    drawn >= probability
                {
                    continue
                }
                if fault.kind == .limitRate, entries[index].rate.takes(occasion, of: fault.count ?? 1, in: second) {
                    continue
                }
                found = index
            }
            guard let found else { return nil }
            let entry = entries[found]
            if entry.fault.kind == .limitRate { return Hit(fault: entry.fault, step: entry.step, isLast: false) }
            let rest = entry.fault.count.map { $0 - 1 }
            entries[found].fault.count = rest
            if rest == 0 { entries.remove(at: found) }
            return Hit(fault: entry.fault, step: entry.step, isLast: rest == 0)
        }
    }
}

/// The requests of a second.
private struct RequestRate: Sendable {
    private var second = Int64.min
    private var counts: [Bool: Int] = [:]

    /// Counts a request, unless as many of its sort came in this second already.
    mutating func takes(_ occasion: FaultOccasion, of most: Int, in second: Int64) -> Bool {
        if second != self.second { (self.second, counts) = (second, [:]) }
        guard counts[occasion.isReading, default: 0] < most else { return false }
        counts[occasion.isReading, default: 0] += 1
        return true
    }
}

/// Numbers that look random, the same for the same seed (SplitMix64).
private struct FaultDice: Sendable {
    private var state: UInt64

    init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

    /// The next random number, at least 0 and below 1.
    mutating func next() -> Double {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}
