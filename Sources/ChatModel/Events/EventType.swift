/// What an event of a stream says happened, by its name on the wire.
public enum EventType: String, Sendable, CaseIterable {
    case chatUpdated = "chat.updated"
    case threadsLoaded = "threads.loaded"
    case threadCreated = "thread.created"
    case threadUpdated = "thread.updated"
    case threadRemoved = "thread.removed"
    case messageCreated = "message.created"
    case messageUpdated = "message.updated"
    case messageRemoved = "message.removed"
    case threadInfo = "thread.info"
    case typing
    case queueUpdated = "queue.updated"
    case notification
    case unreadUpdated = "unread.updated"
    case proactive
    case webhookUpdated = "webhook.updated"
    case pushSimulated = "push.simulated"
    case error
}
