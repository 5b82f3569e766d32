import Bounds
import ChatModel

/// The accounts that the writer keeps, each with what is counted for it. What was not used for the longest time makes
/// room.
struct HotAccounts {
    private struct Entry {
        var record: AccountRecord?
        var usage: AccountUsage?
        /// The bytes of its unsent messages.
        var unsentBytes: Int64?

        var byteCount: Int { 256 + (record?.byteCount ?? 0) }
    }

    private var entries: RecentlyUsed<Int64, Entry>

    /// - Parameter capacity: in bytes.
    init(capacity: Int) { entries = RecentlyUsed(limit: capacity) }

    var byteCount: Int { entries.weight }

    mutating func record(of number: Int64) -> AccountRecord? { entries.read(number) { $0.record } ?? nil }

    mutating func usage(of number: Int64) -> AccountUsage? { entries.read(number) { $0.usage } ?? nil }

    mutating func unsentBytes(of number: Int64) -> Int64? { entries.read(number) { $0.unsentBytes } ?? nil }

    /// Keeps the record of an account. A record that is too large is not kept, so that it pushes out no others.
    mutating func set(_ record: AccountRecord) {
        guard record.byteCount <= entries.limit / 16 else { return }
        var entry = entries.peek(record.number) ?? Entry()
        entry.record = record
        entries.set(entry, for: record.number, weight: entry.byteCount)
    }

    mutating func set(_ usage: AccountUsage, of number: Int64) { change(number) { $0.usage = usage } }

    mutating func set(unsentBytes: Int64?, of number: Int64) { change(number) { $0.unsentBytes = unsentBytes } }

    private mutating func change(_ number: Int64, _ body: (inout Entry) -> Void) {
        guard entries.change(number, body) == nil else { return }
        var entry = Entry()
        body(&entry)
        entries.set(entry, for: number, weight: entry.byteCount)
    }

    mutating func remove(_ number: Int64) { entries.remove(number) }

    mutating func removeAll() { entries.removeAll() }
}
