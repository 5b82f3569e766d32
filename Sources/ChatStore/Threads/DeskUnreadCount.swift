import ChatModel

/// The rule of the desk's unread count: it is the number of messages to the agent in the conversation behind
/// ``deskRead``. Only these functions change it.
///
/// ```swift
/// func follow(_ message: MessageRecord, in record: inout ThreadRecord) {
///     record.countForDesk(message.message)  // it was sent
///     record.uncountForDesk(message)  // it was removed
///     record.readByDesk(through: message.position)  // the desk has seen it, and all before
/// }
/// ```
extension ThreadRecord {
    /// Counts a message that was added to the conversation.
    public mutating func countForDesk(_ message: Message) {
        if message.direction == .toAgent { thread.deskUnreadCount += 1 }
    }

    /// Takes off a message that is removed, if the desk had not read it.
    public mutating func uncountForDesk(_ message: MessageRecord) {
        guard message.message.direction == .toAgent, message.position > deskRead else { return }
        thread.deskUnreadCount = max(0, thread.deskUnreadCount - 1)
    }

    /// The desk has read all messages up to a position, which is the newest one's. It never goes back.
    public mutating func readByDesk(through newest: MessagePosition) {
        deskRead = max(deskRead, newest)
        thread.deskUnreadCount = 0
    }
}
