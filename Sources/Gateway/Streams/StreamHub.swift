import Chat
import ChatModel
import ChatStore
import MicroHTTP

/// Who follows what. It hears of every event once and wakes the streams that it concerns, no others.
///
/// `@unchecked Sendable`: everything but ``attach(to:)`` and ``sessionEnded(_:)``, which hop, is called on the loop's
/// thread alone, and that guards it.
final class StreamHub: @unchecked Sendable {
    let log: any EventLog
    let random: @Sendable () -> Double
    private(set) weak var loop: (any GatewayLoop)?
    private var cancel: (@Sendable () -> Void)?
    private var followers: [Audience: [ObjectIdentifier: EventStreamSource]] = [:]
    private(set) var streams: [ObjectIdentifier: EventStreamSource] = [:]
    /// The last offset of which the streams have been told.
    private(set) var delivered: Int64 = 0
    /// Framed for one stream, for others at the same place.
    var frames = SharedFrames()
    /// Who follows collections.
    var collections = CollectionFollowers()
    /// How often a position was not valid, by reason; for the metrics.
    private(set) var resets: [ResetReason: Int] = [:]
    /// Where sessions stand; for `ready`.
    var state: (@Sendable (String) -> (state: ChatState, mode: ChatMode)?)?

    /// Who hears which holders' streams are open.
    var notifications: Notifications?

    init(log: any EventLog, random: @escaping @Sendable () -> Double) {
        self.log = log
        self.random = random
    }

    deinit { cancel?() }

    /// Begins to hear. Called once, before the loop runs.
    func attach(to loop: any GatewayLoop) {
        self.loop = loop
        cancel?()
        cancel = log.subscribe { [weak self, weak loop] events in
            guard let self, !events.isEmpty else { return }
            loop?.execute { self.deliver(events) }
        }
    }

    func add(_ source: EventStreamSource) {
        streams[ObjectIdentifier(source)] = source
        for audience in source.scope.audiences { followers[audience, default: [:]][ObjectIdentifier(source)] = source }
    }

    func remove(_ source: EventStreamSource) {
        streams[ObjectIdentifier(source)] = nil
        unfollow(source, source.scope.audiences)
    }

    /// A combined stream has lost a session.
    func unfollow(_ source: EventStreamSource, _ audiences: some Sequence<Audience>) {
        for audience in audiences {
            followers[audience]?[ObjectIdentifier(source)] = nil
            if followers[audience]?.isEmpty == true { followers[audience] = nil }
        }
    }

    private func deliver(_ events: [LogEvent]) {
        for event in events {
            for audience in event.audiences {
                guard let concerned = followers[audience] else { continue }
                for source in concerned.values { source.notice(event) }
            }
            if let offset = event.offset { delivered = max(delivered, offset) }
        }
    }

    /// Collections have changed, come or gone. From any thread; in order.
    func tell(_ news: Collections.News) {
        loop?.execute { [weak self] in
            // A copy: a follower that hears of it may stop following.
            let followers = self?.collections
            followers?.tell(news)
        }
    }

    /// After how many milliseconds a client comes back: between one and four seconds, so that a thousand readers do not
    /// come back in one instant.
    func retry() -> Int { 1000 + Int(random() * 3000) }

    func count(_ reason: ResetReason) { resets[reason, default: 0] += 1 }

    /// A session was deleted: its streams say so and end; combined ones go on without it. From any thread.
    func sessionEnded(_ id: String) {
        loop?.execute { [self] in
            for source in (followers[.session(id)] ?? [:]).values { source.lose(session: id) }
        }
    }

    /// The events that the farthest stream is behind.
    var greatestLag: Int64 {
        let head = log.head
        return streams.values.reduce(0) { max($0, head - $1.position) }
    }
}
