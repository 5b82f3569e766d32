import ChatModel
import ChatStore
import HTTPRouting

/// The events that a stream wants, by their types (`?types=`, with commas), and may have, by their channels. `ready`,
/// `reset` and `ping` always come.
package struct EventFilter: Sendable, Equatable {
    private var bits: UInt32
    /// Only events of conversations of these channels come; nil for all.
    package let channels: Set<String>?

    /// Every type: what a stream without `?types=` gets.
    package static let all = EventFilter(bits: .max)

    private init(bits: UInt32) { (self.bits, channels) = (bits, nil) }

    /// Throws `invalidParameter` for a name that no event type has.
    ///
    /// - Parameters:
    ///   - lists: names with commas between them; the lists add up. Without any, all types are wanted.
    ///   - channels: only events of conversations of these channels; nil for all.
    package init(_ lists: [String], within channels: Set<String>? = nil) throws(Problem) {
        self.channels = channels
        guard !lists.isEmpty else {
            bits = .max
            return
        }
        bits = 0
        for name in lists.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            if name == "ready" || name == "reset" || name == "ping" { continue }
            guard let type = EventType(rawValue: String(name)), type != .callback else {
                throw Problem.parameter("types", "there are no events of the type \(name.prefix(64))")
            }
            bits |= Self.bit(type)
        }
    }

    func contains(_ event: LogEvent) -> Bool {
        guard contains(event.type) else { return false }
        guard let channels else { return true }
        if let owner = event.owner { return channels.contains(owner.channel) }
        for case .channel(_, let id) in event.audiences { return channels.contains(id) }
        // What belongs to no conversation: the desk's answers and tags, who is there, and what only the session's own stream
        // hears.
        if event.type == .answerUpdated {
            let answer = (try? AnswerUpdatedEvent(canonicalJSON: event.data))?.answer
            return answer?.isVisible(within: channels) ?? true
        }
        return event.type == .tagUpdated || event.type == .presenceUpdated || !event.audiences.contains(.desk)
    }

    package func contains(_ type: EventType) -> Bool {
        type != .callback && (bits == .max || bits & Self.bit(type) != 0)
    }

    private static func bit(_ type: EventType) -> UInt32 {
        switch type {
        case .chatUpdated: 1 << 0
        case .threadsLoaded: 1 << 1
        case .threadCreated: 1 << 2
        case .threadUpdated: 1 << 3
        case .threadRemoved: 1 << 4
        case .messageCreated: 1 << 5
        case .messageUpdated: 1 << 6
        case .messageRemoved: 1 << 7
        case .threadInfo: 1 << 8
        case .typing: 1 << 9
        case .queueUpdated: 1 << 10
        case .notification: 1 << 11
        case .proactive: 1 << 12
        case .error: 1 << 13
        case .unreadUpdated: 1 << 14
        case .webhookUpdated: 1 << 15
        case .pushSimulated: 1 << 16
        case .noteCreated: 1 << 17
        case .noteRemoved: 1 << 18
        case .answerUpdated: 1 << 19
        case .customerUpdated: 1 << 27
        case .presenceUpdated: 1 << 20
        case .tagUpdated: 1 << 21
        case .channelUpdated: 1 << 22
        case .callback: 0
        }
    }
}
