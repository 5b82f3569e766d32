import ChatModel
import CXoneWire
import Formats

extension WireThread {
    /// - Parameter unreadCount: the customer's unread messages; nil: not known.
    init(_ thread: ChatThread, channel: SandboxChannel, _ ids: ClientIDs, unreadCount: Int? = nil) {
        self.init(
            id: ids.thread(thread.id), serverID: ids.stable.thread(thread.id), channelID: channel.id,
            name: thread.name ?? "",
            canAddMoreMessages: thread.canAddMoreMessages, createdAt: thread.createdAt, updatedAt: thread.updatedAt,
            unseenByCustomer: unreadCount, unseenByAgent: thread.deskUnreadCount)
    }
}

extension WireContact {
    /// The thread's contact, open or closed; nil for a thread that never had one.
    init?(_ thread: ChatThread, _ ids: ClientIDs) {
        guard let id = thread.contactID else { return nil }
        self.init(
            id: id, threadID: ids.thread(thread.id), status: thread.contactStatus, statusUpdatedAt: thread.updatedAt,
            createdAt: thread.createdAt, customFields: [CustomField](thread.customFields, updatedAt: thread.updatedAt))
    }
}

extension ChatThread {
    /// `closed`, else `open` with an agent and `new` without one. The sandbox uses no other status.
    var contactStatus: ContactStatus {
        if contactClosedAt != nil || state == .closed { return .closed }
        return agent == nil ? .new : .open
    }

    /// Whether the platform would know the thread: it has a message, or a contact in a live chat. Clients hear of
    /// no other thread.
    var isOnPlatform: Bool { state != .pending && (lastMessage != nil || contactID != nil) }
}

extension [CustomField] {
    /// Sorted by name. Our fields have no times of their own, so all get the same one.
    init(_ fields: [String: String], updatedAt: Timestamp) {
        self = fields.sorted { $0.key < $1.key }.map {
            CustomField(ident: $0.key, value: $0.value, updatedAt: updatedAt)
        }
    }

    /// By name; of a name that comes twice the last value counts.
    var values: [String: String] { Dictionary(map { ($0.ident, $0.value) }) { _, last in last } }
}
