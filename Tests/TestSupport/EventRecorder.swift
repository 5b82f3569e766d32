import ChatModel
import ChatStore
import Formats
import Synchronization

/// Keeps what a feed tells, in order.
public final class EventRecorder: Sendable {
    private let kept = Watched<[LogEvent]>([])
    private let subscription = Mutex<Subscription?>(nil)

    public init(_ feed: EventFeed) {
        let made = feed.subscribe { [weak self] news in self?.kept.change { $0 += news } }
        subscription.withLock { $0 = made }
    }

    deinit { subscription.withLock { $0 }?.cancel() }

    public var events: [LogEvent] { kept.withLock { $0 } }

    /// What was told since the last call.
    public func take() -> [LogEvent] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }

    /// The events of one audience, as `type` or, for the session's own, `type` and its state.
    public func types(for audience: Audience) -> [String] {
        events.filter { $0.audiences.contains(audience) }.map(\.type.rawValue)
    }
}

extension LogEvent {
    /// The event's data as an audience reads it.
    public func json(for audience: Audience) throws -> JSONValue { try JSONParser.parse(data(for: audience)) }
}

extension JSONValue {
    /// The value at a path of member names.
    public subscript(path names: String...) -> JSONValue? {
        var value: JSONValue? = self
        for name in names { value = value?[name] }
        return value
    }
}
