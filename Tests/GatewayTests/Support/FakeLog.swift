import ChatModel
import Formats
import Synchronization

@testable import ChatStore
@testable import Gateway

/// For logs of single tests, which nobody asks for a time or for the last events.
extension EventLog {
    func position(of time: Timestamp) async throws -> Int64 { floor }
    func position(ofLast count: Int, for audiences: [Audience], filter: EventFilter) async throws -> Int64 { floor }
    var restarts: Int { 0 }
}

/// A log in memory that a test writes, whose ring and floor a test moves.
final class FakeLog: EventLog {
    private struct State {
        var events: [LogEvent] = []
        var head: Int64 = 0
        var floor: Int64 = 0
        var ringLow: Int64 = 0
        var receivers: [Int: @Sendable ([LogEvent]) -> Void] = [:]
        var next = 0
        var restarts = 0
        /// How often somebody has read the ring for an audience.
        var reads: [Audience: Int] = [:]
        /// Offsets between these two were given out and lost.
        var lost: (low: Int64, high: Int64)?
    }
    private let state = Mutex(State())
    private let order = Mutex(())
    private let hooks = Mutex((afterRead: nil, afterReplay: nil) as (afterRead: Hook?, afterReplay: Hook?))
    private typealias Hook = @Sendable () -> Void
    let epoch: String
    /// What the desk's copies of events have besides.
    private let deskMembers: [UInt8]

    init(epoch: String = "e1", deskMembers: String = "") {
        self.epoch = epoch
        self.deskMembers = Array(deskMembers.utf8)
    }

    var head: Int64 { state.withLock { $0.head } }
    var floor: Int64 { state.withLock { $0.floor } }
    var restarts: Int { state.withLock { $0.restarts } }

    func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> @Sendable () -> Void {
        let key = state.withLock { state in
            state.next += 1
            state.receivers[state.next] = receiver
            return state.next
        }
        return { self.state.withLock { $0.receivers[key] = nil } }
    }

    func publish(_ type: EventType, data: [UInt8], to audiences: [Audience]) {
        let event = LogEvent(cursor: nil, type: type, data: data, members: audiences.map { AudienceMember($0) })
        order.withLock { _ in
            for receiver in state.withLock({ Array($0.receivers.values) }) { receiver([event]) }
        }
    }

    func read(_ audiences: [Audience], after offset: Int64, limit bytes: Int) -> RingRead {
        let read = state.withLock { state -> RingRead in
            for audience in audiences { state.reads[audience, default: 0] += 1 }
            if offset < state.ringLow { return .behind }
            return Self.scan(state.events, audiences, after: offset, limit: bytes, head: state.head)
        }
        hooks.withLock { hooks in
            defer { hooks.afterRead = nil }
            return hooks.afterRead
        }?()
        return read
    }

    /// How often the ring was read for an audience.
    func readCount(for audience: Audience) -> Int { state.withLock { $0.reads[audience] ?? 0 } }

    /// Calls the closure once: when the ring has been read, and the reader does not have the answer yet.
    func afterRead(_ hook: @escaping @Sendable () -> Void) { hooks.withLock { $0.afterRead = hook } }
    /// Calls the closure once: when the database has been read, and the reader does not have the answer yet.
    func afterReplay(_ hook: @escaping @Sendable () -> Void) { hooks.withLock { $0.afterReplay = hook } }

    static func scan(
        _ events: [LogEvent], _ audiences: [Audience], after offset: Int64, limit bytes: Int, head: Int64
    ) -> RingRead {
        var found: [LogEvent] = []
        var size = 0
        let wanted = Set(audiences)
        for event in events
        where (event.offset ?? 0) > offset
            && (wanted.contains(.everyone) || event.audiences.contains(where: wanted.contains))
        {
            if !found.isEmpty, size + event.byteCount > bytes {
                return .events(found, through: found.last?.offset ?? offset)
            }
            found.append(event)
            size += event.byteCount
        }
        return .events(found, through: head)
    }

    /// The time of an event is its offset in seconds.
    func position(of time: Timestamp) async throws -> Int64 {
        min(max(time.milliseconds / 1000 - 1, floor), head)
    }

    func position(ofLast count: Int, for audiences: [Audience], filter: EventFilter) async throws -> Int64 {
        state.withLock { state in
            let wanted = Set(audiences)
            let events = state.events.filter { event in
                filter.contains(event.type) && event.audiences.contains(where: wanted.contains)
            }
            return events.suffix(count).first.flatMap(\.offset).map { $0 - 1 } ?? state.floor
        }
    }

    @discardableResult
    func commit(_ entries: [(EventType, [UInt8], [Audience], [Int64: Int])]) -> Int64 {
        order.withLock { _ in
            let (events, receivers, head) = state.withLock { state in
                var events: [LogEvent] = []
                for (type, data, audiences, counts) in entries {
                    state.head += 1
                    events.append(
                        LogEvent(
                            cursor: Cursor(epoch: epoch, offset: state.head), type: type, data: data,
                            members: audiences.map { audience in
                                if case .account(let row) = audience {
                                    AudienceMember(audience, unreadCount: counts[row])
                                } else {
                                    AudienceMember(audience)
                                }
                            }, deskMembers: deskMembers))
                }
                state.events += events
                return (events, Array(state.receivers.values), state.head)
            }
            for receiver in receivers { receiver(events) }
            return head
        }
    }
    func dropRing(below offset: Int64) { state.withLock { $0.ringLow = offset } }
    func expire(below offset: Int64) {
        state.withLock { state in
            state.floor = offset
            state.events.removeAll { ($0.offset ?? 0) <= offset }
            state.ringLow = max(state.ringLow, offset)
        }
    }
    /// The log loses what came after an offset, and goes on much further on, as after the promotion of a standby that
    /// lacked the last commits.
    func lose(after low: Int64, head: Int64) {
        order.withLock { _ in
            let receivers = state.withLock { state in
                state.events.removeAll { ($0.offset ?? 0) > low }
                (state.head, state.ringLow, state.lost) = (head, head, (low, head))
                state.restarts += 1
                return Array(state.receivers.values)
            }
            for receiver in receivers { receiver([]) }
        }
    }

    func replay(
        _ audiences: [Audience], after offset: Int64, limit bytes: Int
    ) async throws -> (events: [LogEvent], through: Int64) {
        await Task.yield()
        let isLost = state.withLock { state in state.lost.map { $0.low < offset && offset < $0.high } ?? false }
        if isLost { throw CursorExpired() }
        let step = state.withLock { state -> (events: [LogEvent], through: Int64) in
            guard
                case .events(let events, let through) = Self.scan(
                    state.events, audiences, after: offset, limit: bytes, head: state.head)
            else {
                return ([], offset)
            }
            return (events, through)
        }
        hooks.withLock { hooks in
            defer { hooks.afterReplay = nil }
            return hooks.afterReplay
        }?()
        return step
    }
}
