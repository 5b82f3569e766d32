/// A dictionary with a limit: when it is full, the entries that were not used for the longest time make room.
///
/// To look an entry up is a use of it, and so is to set it. Every operation takes a constant time.
///
/// ```swift
/// var kept = RecentlyUsed<String, Int>(limit: 2)
/// kept["a"] = 1
/// kept["b"] = 2
/// _ = kept["a"]
/// kept["c"] = 3
/// print(kept.keysByUse)  // ["a", "c"]: b was not used for the longest time
/// ```
public struct RecentlyUsed<Key: Hashable, Value> {
    fileprivate struct Entry {
        var key: Key
        var value: Value
        var weight: Int
    }

    /// Places of the neighbours in the order of use. They stand beside the entries, so that a use copies no value.
    private struct Links {
        var older: Int?
        var newer: Int?
    }

    /// The most that all entries together may weigh.
    public let limit: Int
    /// What they weigh.
    public private(set) var weight = 0
    private var places: [Key: Int] = [:]
    private var entries: [Entry?] = []
    private var links: [Links] = []
    private var free: [Int] = []
    private var oldest: Int?
    private var newest: Int?

    /// - Parameter limit: of the entries' number, or of their weight where they are set with one.
    public init(limit: Int) { self.limit = limit }

    public var count: Int { places.count }
    public var isEmpty: Bool { places.isEmpty }

    /// The key that was not used for the longest time.
    public var leastRecent: Key? { oldest.flatMap { entries[$0]?.key } }

    /// In no order.
    public var keys: Dictionary<Key, Int>.Keys { places.keys }

    /// The keys from the one that was not used for the longest time to the one that was used last.
    public var keysByUse: [Key] {
        var keys: [Key] = []
        var place = oldest
        while let next = place, let entry = entries[next] {
            keys.append(entry.key)
            place = links[next].newer
        }
        return keys
    }

    /// Looks an entry up, sets it, or removes it with nil.
    public subscript(key: Key) -> Value? {
        mutating get {
            guard let place = places[key] else { return nil }
            use(place)
            return entries[place]?.value
        }
        set {
            if let newValue { set(newValue, for: key) } else { remove(key) }
        }
    }

    /// Reads a part of a value, which is copied alone. It counts as a use.
    public mutating func read<Part>(_ key: Key, _ body: (borrowing Value) -> Part) -> Part? {
        guard let place = places[key] else { return nil }
        use(place)
        switch entries[place] {
        case .some(let entry): return body(entry.value)
        case nil: return nil
        }
    }

    /// The value, without that this counts as a use.
    public func peek(_ key: Key) -> Value? { places[key].flatMap { entries[$0]?.value } }

    /// Sets an entry, and drops others until all fit; an entry that alone is too heavy stays alone. Returns the keys and
    /// values that were dropped, the one that was not used for the longest time first.
    @discardableResult
    public mutating func set(_ value: Value, for key: Key, weight: Int = 1) -> [(key: Key, value: Value)] {
        // The known weight alone is read, so that no value is copied.
        if let place = places[key], let known = entries[place]?.weight {
            self.weight += weight - known
            entries[place]?.value = value
            entries[place]?.weight = weight
            use(place)
        } else {
            let entry = Entry(key: key, value: value, weight: weight)
            let place = free.popLast() ?? entries.count
            if place < entries.count {
                entries[place] = entry
            } else {
                entries.append(entry)
                links.append(Links())
            }
            places[key] = place
            self.weight += weight
            append(place)
        }
        var dropped: [(key: Key, value: Value)] = []
        while self.weight > limit, let place = oldest, place != newest, let entry = entries[place] {
            dropped.append((entry.key, entry.value))
            remove(entry.key)
        }
        return dropped
    }

    /// Changes a value where it is, which counts as a use. Returns what the closure returns; nil without an entry.
    @discardableResult
    public mutating func change<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard let place = places[key] else { return nil }
        use(place)
        // Taken out meanwhile, so that the value is changed and not copied.
        guard var entry = entries[place].take() else { return nil }
        defer { entries[place] = entry }
        return body(&entry.value)
    }

    @discardableResult
    public mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let entry = entries[place] else { return nil }
        unlink(place)
        entries[place] = nil
        free.append(place)
        weight -= entry.weight
        return entry.value
    }

    public mutating func removeAll() { self = RecentlyUsed(limit: limit) }

    // MARK: The order of use

    private mutating func use(_ place: Int) {
        guard newest != place else { return }
        unlink(place)
        append(place)
    }

    private mutating func append(_ place: Int) {
        links[place] = Links(older: newest, newer: nil)
        if let newest { links[newest].newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let neighbours = links[place]
        if let older = neighbours.older { links[older].newer = neighbours.newer } else { oldest = neighbours.newer }
        if let newer = neighbours.newer { links[newer].older = neighbours.older } else { newest = neighbours.older }
    }
}

extension RecentlyUsed: Sendable where Key: Sendable, Value: Sendable {}
extension RecentlyUsed.Entry: Sendable where Key: Sendable, Value: Sendable {}
