/// Messages that webhooks say were changed, until they are looked at. They may be so old that no poll would see the
/// change: one whose look has failed is kept, and is looked at again.
struct NamedMessages: Sendable {
    /// When each was named first, by its thread.
    private var names: [String: [Int64: Duration]] = [:]

    /// The most messages of one thread, and the most threads. The platform chooses how many it names.
    private static let messages = 20
    private static let threads = 500
    /// How long one is looked for.
    static let patience = Duration.seconds(600)

    var threadIDs: [String] { Array(names.keys) }

    mutating func add(_ message: Int64, in thread: String, at now: Duration) {
        keep([message: now], in: thread, at: now)
    }

    /// Those of a thread, which are looked at now.
    mutating func take(_ thread: String) -> [Int64: Duration] { names.removeValue(forKey: thread) ?? [:] }

    /// Keeps messages whose look has failed. Returns whether any of the thread are to be looked at again.
    @discardableResult
    mutating func keep(_ messages: [Int64: Duration], in thread: String, at now: Duration) -> Bool {
        var kept = names[thread] ?? [:]
        for (message, time) in messages where time + Self.patience > now {
            guard kept.count < Self.messages || kept[message] != nil else { break }
            kept[message] = min(time, kept[message] ?? time)
        }
        guard !kept.isEmpty, names[thread] != nil || names.count < Self.threads else { return false }
        names[thread] = kept
        return true
    }
}
