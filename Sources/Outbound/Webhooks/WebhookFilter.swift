import ChatModel
import Formats

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

    /// The types that the log keeps, but for notes, which are the desk's alone. Others are live only. Neither is sent.
    package static let durableTypes: [EventType] = [
        .threadCreated, .threadUpdated, .threadRemoved, .messageCreated, .messageUpdated, .messageRemoved, .threadInfo,
        .proactive,
    ]

    /// Whether the webhook wants an event.
    ///
    /// - Parameters:
    ///   - direction: the direction of the event's message; nil when the event has no message. Such an event passes
    ///     every filter of directions. It is looked for only where directions are filtered.
    ///   - channel: the channel of the event; nil when it is not known. Then the event passes no filter of channels.
    package func matches(type: EventType, direction: @autoclosure () -> MessageDirection?, channel: String?) -> Bool {
        guard Self.durableTypes.contains(type), types?.contains(type) ?? true else { return false }
        if let directions, let direction = direction(), !directions.contains(direction) { return false }
        guard let channels else { return true }
        return channel.map { channels.contains(ExactText($0)) } ?? false
    }
}
