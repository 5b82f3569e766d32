import ChatModel
import CXoneWire
import Formats

extension WireThread {
    init(_ thread: ChatThread, channel: SandboxChannel, _ ids: StableIDs, unreadCount: Int? = nil) {
        self.init(
            id: thread.id, serverID: ids.uuid("thread\n\(thread.id)"), channelID: channel.id, name: thread.name ?? "",
            canAddMoreMessages: thread.canAddMoreMessages, createdAt: thread.createdAt, updatedAt: thread.updatedAt,
            unseenByCustomer: unreadCount, unseenByAgent: thread.deskUnreadCount)
    }
}

extension WireContact {
    /// The thread's contact, open or closed; nil for a thread that never had one.
    init?(_ thread: ChatThread) {
        guard let id = thread.contactID else { return nil }
        self.init(
            id: id, threadID: thread.id, status: thread.contactStatus, statusUpdatedAt: thread.updatedAt,
            createdAt: thread.createdAt, customFields: [CustomField](thread.customFields, updatedAt: thread.updatedAt))
    }
}

extension ChatThread {
    var contactStatus: ContactStatus {
        if contactClosedAt != nil || state == .closed { return .closed }
        return agent == nil ? .new : .open
    }

    /// The platform has a thread from its first message on, or from its contact in a live chat.
    var isOnPlatform: Bool { state != .pending && (lastMessage != nil || contactID != nil) }
}

extension [CustomField] {
    init(_ fields: [String: String], updatedAt: Timestamp) {
        self = fields.sorted { $0.key < $1.key }.map { CustomField(ident: $0.key, value: $0.value, updatedAt: updatedAt) }
    }

    var values: [String: String] { Dictionary(map { ($0.ident, $0.value) }) { _, last in last } }
}
