import ChatModel
import ChatStore
import Formats

/// The automatic answer to customers who write while their channel is closed.
///
/// It is a message of the system, so it ends no waiting and answers nothing for reports. A contact gets it once: its id is made
/// from the contact's.
struct ClosedAnswer {
    /// By which clients know the message.
    static let customType = "parley.outside"

    let text: String

    /// Nil while the channel is open, and where it has no answer.
    init?(on channel: Channel, for languages: [String], at time: Timestamp, _ openings: Openings) {
        guard let outside = channel.outside, let text = outside.answer(for: languages, of: channel.languages),
            !openings.isOpen(channel, at: time)
        else { return nil }
        self.text = text
    }

    /// Adds the answer to the thread's contact, unless that has it already, and saves the thread. It counts as unread for
    /// nobody.
    func add(to record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        guard let contact = record.thread.contactID else { return }
        let id = "outside-\(contact)"
        guard try transaction.storedMessage(id, in: record) == nil else { return }
        let last = record.thread.lastMessage?.createdAt ?? record.thread.createdAt
        var message = Message(
            id: id, threadID: record.thread.id, createdAt: max(transaction.now, last), direction: .toClient,
            author: Author(id: "system", kind: .system), type: .admin, text: text, status: .delivered)
        message.customType = Self.customType
        try transaction.acting(as: message.author) {
            guard let sent = try transaction.insert(message, into: &record, withDesk: true) else { return }
            transaction.setLastMessage(sent, of: &record)
            record.thread.updatedAt = max(record.thread.updatedAt, message.createdAt)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }
}
