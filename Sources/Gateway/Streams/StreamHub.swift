import Chat
import ChatModel
import ChatStore
import MicroHTTP
import Synchronization

/// Knows which stream follows whom. It receives every event once and wakes only the streams that the event concerns.
///
/// `@unchecked Sendable`: it is used on the loop's thread only. Functions that any thread may call say so: they go over
/// to the loop, or use only what is fixed from the start. ``attach(to:)`` is called before the loop runs.
final class StreamHub: @unchecked Sendable {
    let log: any EventLog
    /// Numbers from 0 to 1.
    let random: @Sendable () -> Double
    private(set) weak var loop: (any GatewayLoop)?
    private var cancel: (@Sendable () -> Void)?
    /// The streams of each audience; empty entries are removed.
    private var followers: [Audience: [ObjectIdentifier: EventStreamSource]] = [:]
    /// All open streams of sessions and of the desk. Collections' own streams are not among them.
    private(set) var streams: [ObjectIdentifier: EventStreamSource] = [:]
    /// The offset of the last event that the streams were told of. It can be below the log's head for a moment.
    private(set) var delivered: Int64 = 0
    /// Those of the log that the streams know of.
    private let restarts: Atomic<Int>
    /// Encoded events that streams at the same place share.
    var frames = SharedFrames()
    /// The pages that wait for events.
    let waits = PageWaits()
    /// The streams that follow collections.
    var collections = CollectionFollowers()
    /// How often a stream wrote `reset` because its position was not valid, by reason; for the metrics. Collections'
    /// own streams are not counted.
    private(set) var resets: [ResetReason: Int] = [:]
    /// The state and mode of a session, by its id; nil when it is gone. For `ready`.
    var state: (@Sendable (String) -> (state: ChatState, mode: ChatMode)?)?

    /// Learns which holders' streams are open: their screens count as present.
    var notifications: Notifications?

    init(log: any EventLog, random: @escaping @Sendable () -> Double) {
        self.log = log
        self.random = random
        restarts = Atomic(log.restarts)
    }

    deinit { cancel?() }

    /// Subscribes to the log; events are handed to the loop's thread in their order. Call it before the loop runs.
    func attach(to loop: any GatewayLoop) {
        self.loop = loop
        cancel?()
        cancel = log.subscribe { [weak self, weak loop] events in
            guard let self else { return }
            let restarts = log.restarts
            if self.restarts.exchange(restarts, ordering: .relaxed) != restarts { loop?.execute { self.lookAgain() } }
            if !events.isEmpty { loop?.execute { self.deliver(events) } }
        }
    }

    /// Registers an open stream. It gets the events that are delivered from now on.
    func add(_ source: EventStreamSource) {
        streams[ObjectIdentifier(source)] = source
        for audience in source.scope.allAudiences {
            followers[audience, default: [:]][ObjectIdentifier(source)] = source
        }
    }

    /// Forgets a closed stream.
    func remove(_ source: EventStreamSource) {
        streams[ObjectIdentifier(source)] = nil
        unfollow(source, source.scope.allAudiences)
    }

    /// Stops following some audiences, because a combined stream has lost a session.
    func unfollow(_ source: EventStreamSource, _ audiences: some Sequence<Audience>) {
        for audience in audiences {
            followers[audience]?[ObjectIdentifier(source)] = nil
            if followers[audience]?.isEmpty == true { followers[audience] = nil }
        }
    }

    /// Wakes the streams that the events concern. A stream with several of an event's audiences hears of it several
    /// times, which does no harm.
    private func deliver(_ events: [LogEvent]) {
        waits.notice(events)
        for event in events {
            if event.type == .messageRemoved || event.type == .threadRemoved { frames.removeAll() }
            for member in event.members { notice(event, followers[member.audience]) }
            notice(event, followers[.everyone])
            if let offset = event.offset { delivered = max(delivered, offset) }
        }
    }

    /// The log went on without telling all of its events: each stream reads on from its position, and is told if that has
    /// expired.
    private func lookAgain() {
        frames.removeAll()
        for source in streams.values { source.lookAgain() }
    }

    private func notice(_ event: LogEvent, _ concerned: [ObjectIdentifier: EventStreamSource]?) {
        guard let concerned else { return }
        for source in concerned.values { source.notice(event) }
    }

    /// Tells the followers of collections of a change, in the order of the calls. Any thread may call it.
    func notifyFollowers(_ news: Collections.News) {
        loop?.execute { [weak self] in
            // A copy: a follower that hears of it may stop following.
            let followers = self?.collections
            followers?.notifyFollowers(news)
        }
    }

    /// Milliseconds after which a client should reconnect. Random between one and four seconds, so that a thousand
    /// clients do not come back at once.
    func retry() -> Int { 1000 + Int(random() * 3000) }

    /// Counts a `reset` for the metrics.
    func count(_ reason: ResetReason) { resets[reason, default: 0] += 1 }

    /// Tells the streams of a deleted session. Its own streams end; combined ones go on without it. Any thread may call
    /// it.
    func sessionEnded(_ id: String) {
        waits.end(session: id)
        loop?.execute { [self] in
            for source in (followers[.session(id)] ?? [:]).values { source.lose(session: id) }
        }
    }

    /// How many log offsets the slowest stream is behind; 0 without streams.
    var greatestLag: Int64 {
        let head = log.head
        return streams.values.reduce(0) { max($0, head - $1.position) }
    }
}

/// An open stream, as its source uses it; for the loop's thread only. ``EventStream`` is the real one; tests bring
/// their own.
package protocol StreamHandle: AnyObject, Sendable {
    /// Lets the loop call the source's `fill` at the end of this turn.
    func wake()
    /// Bytes that the kernel has taken, framing included.
    var bytesWritten: Int { get }
    var peer: Peer { get }
}

extension EventStream: StreamHandle {}
