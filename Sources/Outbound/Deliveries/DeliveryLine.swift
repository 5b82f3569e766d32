import ChatModel
import ChatStore

/// What waits for one target, and which of it goes out next.
///
/// In a lane one delivery is in flight, the one with the lowest offset. Lanes go beside each other while the target
/// works. While it fails, one delivery is tried at a time, the oldest, when its wait is over. The target
/// is told first that the log has lost events, if it has.
///
/// Where order does not matter (``DeliveryPolicy/secondLook``) each delivery has a lane of its own, and holds no other.
struct DeliveryLine {
    /// What goes out.
    enum Start: Sendable {
        case gap(LogGap)
        case delivery(DeliveryRecord)

        var delivery: DeliveryRecord? { if case .delivery(let delivery) = self { delivery } else { nil } }
    }

    private struct Lane {
        /// By offset.
        var queue: [DeliveryRecord] = []
        var inFlight: DeliveryRecord?

        var count: Int { queue.count + (inFlight == nil ? 0 : 1) }
    }

    /// As the store has it, but for its health, which may be newer here.
    var target: TargetRecord
    /// What goes to the target goes here. It belongs to the target's version.
    private(set) var route: DeliveryRoute
    let policy: any DeliveryPolicy
    private let isOrdered: Bool
    /// Grows with each change of the target's health that attempts or its owner bring about. An attempt belongs to the
    /// round in which it began, so that several that were in flight together and failed are one failure.
    private(set) var round = 0
    /// The state that the desk knows.
    var toldState: TargetState
    private(set) var inFlightCount = 0
    private var lanes: [Int64: Lane] = [:]
    /// The first delivery of each lane in which one waits, by offset.
    private var heads: [Head] = []
    /// Deliveries that wait or are in flight.
    private(set) var count = 0
    /// An attempt has not found its event.
    private(set) var hasMissed = false

    private struct Head {
        var offset: Int64
        var lane: Int64
    }

    init(target: TargetRecord, policy: any DeliveryPolicy) {
        self.target = target
        self.policy = policy
        toldState = target.health.state
        route = policy.route(to: target)
        isOrdered = policy.secondLook == nil
    }

    private func lane(of delivery: DeliveryRecord) -> Int64 { isOrdered ? delivery.lane : delivery.offset }

    /// Takes the target over as it is now.
    mutating func update(_ target: TargetRecord) {
        if target.version != self.target.version { route = policy.route(to: target) }
        self.target = target
    }

    /// Lets a delivery wait for its turn. One that waits or is in flight already is from now on as it is here.
    mutating func add(_ delivery: DeliveryRecord) {
        change(lane(of: delivery)) { lane in
            if lane.inFlight?.number == delivery.number {
                lane.inFlight = delivery
                return
            }
            let index = lane.queue.lastIndex { $0.offset <= delivery.offset }
            if let index, lane.queue[index].offset == delivery.offset {
                lane.queue[index] = delivery
            } else {
                lane.queue.insert(delivery, at: index.map { $0 + 1 } ?? 0)
            }
        }
    }

    /// Notes that an attempt has not found its event.
    mutating func miss() { hasMissed = true }

    /// Forgets what waits up to an offset, which a step in the log has found to be its floor. Returns the numbers of it.
    mutating func expire(through floor: Int64) -> [Int64] {
        hasMissed = false
        guard let oldest, oldest <= floor else { return [] }
        let expired = lanes.values.flatMap { $0.queue.filter { $0.offset <= floor }.map(\.number) }
        for key in Array(lanes.keys) { change(key) { $0.queue.removeAll { $0.offset <= floor } } }
        return expired
    }

    /// The offset of the oldest delivery that waits.
    var oldest: Int64? { heads.first?.offset }

    /// Forgets what waits, not what is in flight. Returns the numbers of what waited.
    mutating func removeAll() -> [Int64] {
        let waiting = lanes.values.flatMap { $0.queue.map(\.number) }
        for key in Array(lanes.keys) { change(key) { $0.queue = [] } }
        return waiting
    }

    /// Takes what is to go out now, and counts it as in flight; nil if nothing may.
    ///
    /// - Parameter isHeld: whether a delivery waits for a time of its own.
    mutating func start(isHeld: (Int64) -> Bool) -> Start? {
        guard target.health.state.isSending else { return nil }
        let isAlone = target.gap != nil || target.health.state == .failing
        guard inFlightCount < (isAlone ? 1 : route.concurrency) else { return nil }
        if let gap = target.gap {
            inFlightCount += 1
            return .gap(gap)
        }
        guard let key = next(isHeld: isHeld) else { return nil }
        let delivery = change(key) { lane in
            let delivery = lane.queue.removeFirst()
            lane.inFlight = delivery
            return delivery
        }
        inFlightCount += 1
        return .delivery(delivery)
    }

    /// The lane whose first delivery goes out next. With a concurrency of 1 and an order, only the very first may.
    private func next(isHeld: (Int64) -> Bool) -> Int64? {
        for head in heads.prefix(route.concurrency == 1 && isOrdered ? 1 : .max) {
            guard let lane = lanes[head.lane], lane.inFlight == nil, let first = lane.queue.first else { continue }
            if !isHeld(first.number) { return head.lane }
        }
        return nil
    }

    /// The offset of what ``start(isHeld:)`` would take for a target without an order; nil if nothing may go out.
    func nextOffset(isHeld: (Int64) -> Bool) -> Int64? {
        guard target.health.state.isSending, inFlightCount < route.concurrency else { return nil }
        return next(isHeld: isHeld)
    }

    /// Offsets of what probably goes out next: the first deliveries of the first lanes.
    var upcoming: [Int64] {
        guard target.health.state == .active else { return [] }
        return heads.prefix(16).flatMap { head in (lanes[head.lane]?.queue.prefix(4) ?? []).map(\.offset) }
    }

    /// The delivery in flight as it is now: it may have been made anew since its attempt began.
    func inFlight(_ delivery: DeliveryRecord) -> DeliveryRecord {
        guard let current = lanes[lane(of: delivery)]?.inFlight, current.number == delivery.number else {
            return delivery
        }
        return current
    }

    /// The attempt of a delivery has ended.
    ///
    /// - Parameter again: the delivery as it waits for another try; nil if it does not.
    mutating func finish(_ delivery: DeliveryRecord, again: DeliveryRecord?) {
        inFlightCount -= 1
        let key = lane(of: delivery)
        guard lanes[key]?.inFlight?.number == delivery.number else { return }
        change(key) { $0.inFlight = nil }
        // A replay has made it anew meanwhile.
        guard let again, lanes[key]?.queue.contains(where: { $0.offset == again.offset }) != true else {
            return
        }
        add(again)
    }

    /// The attempt to tell of a gap has ended.
    mutating func finishGap() { inFlightCount -= 1 }

    /// Ends the round: attempts in flight say nothing of the target's health from now on when they fail.
    mutating func endRound() { round += 1 }

    /// Changes a lane, which is gone when it has nothing any more.
    private mutating func change<T>(_ key: Int64, _ body: (inout Lane) -> T) -> T {
        // Taken out, so that its queue is changed in place.
        var lane = lanes.removeValue(forKey: key) ?? Lane()
        let before = (first: lane.queue.first?.offset, count: lane.count)
        let result = body(&lane)
        count += lane.count - before.count
        let first = lane.queue.first?.offset
        if first != before.first {
            if let offset = before.first { heads.remove(at: headIndex(offset)) }
            if let offset = first { heads.insert(Head(offset: offset, lane: key), at: headIndex(offset)) }
        }
        if lane.count > 0 { lanes[key] = lane }
        return result
    }

    /// The place among the heads of this offset, which only one delivery of a target has.
    private func headIndex(_ offset: Int64) -> Int {
        var (low, high) = (0, heads.count)
        while low < high {
            let middle = (low + high) / 2
            if heads[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
