/// The events that go through the store's event feed, by their names on the wire.
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
    case noteCreated = "note.created"
    case noteRemoved = "note.removed"
    case typing
    case queueUpdated = "queue.updated"
    case notification
    case unreadUpdated = "unread.updated"
    case proactive
    case webhookUpdated = "webhook.updated"
    case pushSimulated = "push.simulated"
    case answerUpdated = "answer.updated"
    case error

    /// The type of the event's data.
    public var payload: any FeedEvent.Type {
        switch self {
        case .chatUpdated: ChatUpdatedEvent.self
        case .threadsLoaded: ThreadsLoadedEvent.self
        case .threadCreated: ThreadCreatedEvent.self
        case .threadUpdated: ThreadUpdatedEvent.self
        case .threadRemoved: ThreadRemovedEvent.self
        case .messageCreated: MessageCreatedEvent.self
        case .messageUpdated: MessageUpdatedEvent.self
        case .messageRemoved: MessageRemovedEvent.self
        case .threadInfo: ThreadInfoEvent.self
        case .noteCreated: NoteCreatedEvent.self
        case .noteRemoved: NoteRemovedEvent.self
        case .typing: TypingEvent.self
        case .queueUpdated: QueueUpdatedEvent.self
        case .notification: NotificationEvent.self
        case .unreadUpdated: UnreadUpdatedEvent.self
        case .proactive: ProactiveEvent.self
        case .webhookUpdated: WebhookUpdatedEvent.self
        case .pushSimulated: PushSimulatedEvent.self
        case .answerUpdated: AnswerUpdatedEvent.self
        case .error: ErrorEvent.self
        }
    }
}
