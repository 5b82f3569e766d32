/// Messages that webhooks say were changed, until they are looked at. They may be so old that no poll would see the
/// change: one whose look has failed is kept, and is looked at again.
struct NamedMessages: Sendable {
    /// When each was named first, by its thread.
    private var names: [String: [Int64: Duration]] = [:]
    private var count = 0

    /// The most messages of one thread, and the most threads. The platform chooses how many it names.
    private static let messages = 500
    private static let threads = 500
    /// The most messages of all threads.
    private static let most = 50_000
    /// The most messages that one look asks for.
    private static let portion = 20
    /// How long one is looked for.
    static let patience = Duration.seconds(600)

    var threadIDs: [String] { Array(names.keys) }

    mutating func add(_ message: Int64, in thread: String, at now: Duration) {
        keep([message: now], in: thread, at: now)
    }

    /// Those of a thread that are looked at now: some of them, those that were named first.
    mutating func take(_ thread: String) -> [Int64: Duration] {
        guard var rest = names[thread] else { return [:] }
        let first = rest.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(Self.portion)
        for (message, _) in first { rest[message] = nil }
        names[thread] = rest.isEmpty ? nil : rest
        count -= first.count
        return Dictionary(uniqueKeysWithValues: first.map { ($0.key, $0.value) })
    }

    /// Keeps messages whose look has failed. Returns whether any of the thread are to be looked at again.
    @discardableResult
    mutating func keep(_ messages: [Int64: Duration], in thread: String, at now: Duration) -> Bool {
        guard names[thread] != nil || names.count < Self.threads else { return false }
        var kept = names[thread] ?? [:]
        for (message, time) in messages where time + Self.patience > now {
            if let known = kept[message] {
                kept[message] = min(time, known)
            } else if kept.count < Self.messages, count < Self.most {
                kept[message] = time
                count += 1
            }
        }
        guard !kept.isEmpty else { return false }
        names[thread] = kept
        return true
    }
}
