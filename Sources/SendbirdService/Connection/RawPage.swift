import SendbirdWire

/// The messages of an answer, oldest first.
struct RawPage: Sendable {
    private(set) var messages: [SendbirdMessage]

    init(_ messages: [SendbirdMessage]) {
        self.messages = messages.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    var oldest: Int64? { messages.first?.createdAt.value }
    var newest: Int64? { messages.last?.createdAt.value }

    mutating func keepNewest(_ count: Int) { messages = messages.suffix(count) }

    mutating func add(_ more: [SendbirdMessage]) { self = RawPage(messages + more) }

    /// The edge where more than so many are older; nil for fewer. Then the oldest are dropped with all that share their
    /// time: others of that time may be missing.
    mutating func cutOlder(than time: Int64, beyond limit: Int) -> Int64? {
        guard messages.count(where: { $0.createdAt.value < time }) > limit, let edge = oldest else { return nil }
        messages.removeAll { $0.createdAt.value == edge }
        return edge
    }

    mutating func cutNewer(than time: Int64, beyond limit: Int) -> Int64? {
        guard messages.count(where: { $0.createdAt.value > time }) > limit, let edge = newest else { return nil }
        messages.removeAll { $0.createdAt.value == edge }
        return edge
    }
}
