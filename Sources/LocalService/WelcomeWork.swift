import Chat
import ChatModel
import ChatStore

extension WriteTransaction {
    /// Begins a new thread with its channel's welcome message, if it has one: from nobody, and unread by nobody.
    ///
    /// - Parameter greeting: what the customer has seen already.
    func welcome(_ record: inout ThreadRecord, on channel: Channel, greeting: ThreadDraft.Greeting?) throws {
        let text = greeting?.text ?? channel.welcomeMessage.map { template in
            WelcomeMessage(template).text(
                for: record.owner.customer, customerFields: record.owner.customFields, contactFields: record.thread.customFields)
        }
        guard let text, !text.isEmpty else { return }
        let message = Message(
            id: greeting?.id ?? environment.makeID(), threadID: record.thread.id, createdAt: now, direction: .toClient,
            author: Author(id: "system", name: channel.name, kind: .system), text: text, status: .delivered)
        guard let sent = try insert(message, into: &record, withDesk: true) else { return }
        setLastMessage(sent, of: &record)
        try save(&record, logging: .threadUpdated, withDesk: true)
    }
}
