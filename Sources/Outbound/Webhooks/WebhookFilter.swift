import ChatModel

/// Which events a webhook wants. Each part that is absent lets everything pass.
package struct WebhookFilter: Sendable, Hashable {
    private let types: Set<EventType>?
    private let directions: Set<MessageDirection>?
    private let channels: Set<ExactText>?

    package init(types: [EventType]? = nil, directions: [MessageDirection]? = nil, channels: [String]? = nil) {
        self.types = types.map { Set($0) }
        self.directions = directions.map { Set($0) }
        self.channels = channels.map { Set($0.map(ExactText.init)) }
    }

    /// The types that the log keeps. Others are live only and never sent.
    package static let durableTypes: [EventType] = [
        .threadCreated, .threadUpdated, .threadRemoved, .messageCreated, .messageUpdated, .messageRemoved, .threadInfo,
        .proactive,
    ]

    /// Whether the webhook wants an event.
    ///
    /// - Parameters:
    ///   - direction: of the message that it tells of; nil where it tells of none. Such an event passes any directions,
    ///     for they choose between messages: a thread's events are chosen by their types.
    ///   - channel: where it happened; nil where that is not known, which passes no channels.
    package func matches(type: EventType, direction: MessageDirection?, channel: String?) -> Bool {
        guard Self.durableTypes.contains(type), types?.contains(type) ?? true else { return false }
        if let directions, let direction, !directions.contains(direction) { return false }
        guard let channels else { return true }
        return channel.map { channels.contains(ExactText($0)) } ?? false
    }
}
