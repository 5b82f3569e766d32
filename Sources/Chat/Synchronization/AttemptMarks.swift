/// Marks of what runs for messages: attempts to send, removals, questions. A mark lasts until everybody who has it has
/// left, in whatever order they came.
struct AttemptMarks<Message: Hashable & Sendable>: Sendable {
    private var holders: [Message: Int] = [:]

    /// How many messages are marked.
    var count: Int { holders.count }
    var isEmpty: Bool { holders.isEmpty }

    func contains(_ message: Message) -> Bool { holders[message] != nil }

    /// Marks the message, beside whoever has marked it already. ``leave(_:)`` must follow.
    mutating func join(_ message: Message) { holders[message, default: 0] += 1 }

    /// Marks the message if nobody has. If this returns true, ``leave(_:)`` must follow.
    mutating func take(_ message: Message) -> Bool {
        guard holders[message] == nil else { return false }
        holders[message] = 1
        return true
    }

    /// One of those who have marked the message is done.
    mutating func leave(_ message: Message) {
        guard let count = holders[message] else { return }
        holders[message] = count > 1 ? count - 1 : nil
    }
}
