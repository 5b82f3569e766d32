import HeapModule

/// Times at which something is due, each under a key. To set, to remove or to take one costs log n.
struct Alarms<Key: Hashable & Sendable, Time: Hashable & Comparable & Sendable>: Sendable {
    private struct Alarm: Comparable, Sendable {
        let time: Time
        let key: Key

        static func < (left: Alarm, right: Alarm) -> Bool { left.time < right.time }
    }

    private var times: [Key: Time] = [:]
    /// With alarms that were set anew or removed since.
    private var heap = Heap<Alarm>()

    /// Whether the key has a time, which was not taken yet.
    func contains(_ key: Key) -> Bool { times[key] != nil }

    /// Alarms in memory, with those that do not count any more.
    var storedCount: Int { heap.count }

    /// The earliest time.
    var next: Time? {
        mutating get {
            dropStale()
            return heap.min?.time
        }
    }

    /// Replaces the time that the key has.
    mutating func set(_ key: Key, at time: Time) {
        times[key] = time
        heap.insert(Alarm(time: time, key: key))
        guard heap.count > 64 + 2 * times.count else { return }
        heap = Heap(times.map { Alarm(time: $0.value, key: $0.key) })
    }

    mutating func remove(_ key: Key) { times[key] = nil }

    /// Removes the earliest alarm whose time has come, and returns its key; nil if there is none.
    mutating func take(at now: Time) -> Key? {
        dropStale()
        guard let first = heap.min, first.time <= now else { return nil }
        heap.removeMin()
        assert(times[first.key] == first.time, "An alarm that was set anew or removed does not ring.")
        times[first.key] = nil
        return first.key
    }

    private mutating func dropStale() {
        while let first = heap.min, times[first.key] != first.time { heap.removeMin() }
    }
}
