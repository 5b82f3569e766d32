import Chat
import ChatModel
import ChatStore

extension WriteTransaction {
    /// Changes a thread as the platform says. A change that leaves the thread equal is not saved and logs no
    /// event. `updatedAt` always grows.
    func change(_ record: inout ThreadRecord, _ edit: (inout ChatThread) -> Void) throws {
        let before = record.thread
        edit(&record.thread)
        guard record.thread != before else { return }
        record.thread.updatedAt = max(now, before.updatedAt.advanced(byMilliseconds: 1))
        try save(&record, logging: .threadUpdated, withDesk: false)
    }

    /// Closes a thread and its contact. A time at which the contact was closed before is kept.
    func close(_ record: inout ThreadRecord) throws {
        let time = now
        try change(&record) { thread in
            thread.state = .closed
            thread.queuePosition = nil
            thread.inactivityPopup = nil
            if thread.contactID != nil { thread.contactClosedAt = thread.contactClosedAt ?? time }
        }
    }

    /// Shows a message as the thread's last one, if it is newer than what is shown.
    func preview(_ remote: RemoteMessage?, in record: inout ThreadRecord) throws {
        guard let message = remote?.message,
            message.createdAt >= record.thread.lastMessage?.createdAt ?? message.createdAt
        else { return }
        try change(&record) { $0.lastMessage = MessagePreview(message) }
    }

    /// Asks the silent customer of a live chat (the SDK's `onProactiveActionReceived`), once.
    func show(_ popup: InactivityPopup, in record: inout ThreadRecord) throws {
        guard record.thread.inactivityPopup != popup else { return }
        try change(&record) { $0.inactivityPopup = popup }
        try log(popup, in: record)
    }
}

extension WriteTransaction {
    /// Adds the welcome message to a new thread, with the template's variables filled in. Only the customer sees
    /// it before the first message: the desk is not told. An empty text adds nothing.
    func welcome(
        _ template: String, from channel: Channel, to owner: AccountRecord, in record: inout ThreadRecord
    ) throws {
        let text = WelcomeMessage(template).text(
            for: owner.customer, customerFields: owner.customFields, contactFields: record.thread.customFields)
        guard !text.isEmpty else { return }
        let message = Message(
            id: environment.makeID(), threadID: record.thread.id, createdAt: now, direction: .toClient,
            author: Author(id: "system", name: channel.name, kind: .system), text: text, status: .delivered)
        try acting(as: message.author) {
            guard let shown = try insert(message, into: &record, withDesk: false) else { return }
            setLastMessage(shown, of: &record)
            try save(&record, logging: .threadUpdated, withDesk: false)
        }
    }
}
