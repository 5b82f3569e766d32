import ChatModel
import ChatStore

/// What waits for one target, and which of it goes out next.
///
/// In a lane one delivery is in flight, the one with the lowest offset. Lanes go beside each other while the target
/// works. While it fails, one delivery is tried at a time, the oldest, when its wait is over. The target
/// is told first that the log has lost events, if it has.
struct DeliveryLine {
    /// What goes out.
    enum Start: Sendable {
        case gap(LogGap)
        case delivery(DeliveryRecord)
    }

    private struct Lane {
        /// By offset.
        var queue: [DeliveryRecord] = []
        var inFlight: DeliveryRecord?
        var isWaiting = false
    }

    /// As the store has it, but for its health, which may be newer here.
    var target: TargetRecord
    /// How many lanes have an attempt in flight at once; with 1 all go in the order of the log.
    var concurrency: Int
    /// The wait for the next try of a target that fails is not over.
    var isProbeWaiting = false
    /// Counts how often what waits was read anew.
    var generation = 0
    /// Counts what has been learnt of the target: several attempts that were in flight together and failed are one
    /// failure.
    private(set) var round = 0
    private(set) var inFlightCount = 0
    private var lanes: [Int64: Lane] = [:]

    init(target: TargetRecord, concurrency: Int) {
        self.target = target
        self.concurrency = concurrency
    }

    /// Deliveries that wait or are in flight.
    var count: Int { lanes.values.reduce(0) { $0 + $1.queue.count + ($1.inFlight == nil ? 0 : 1) } }

    mutating func add(_ delivery: DeliveryRecord) {
        let key = delivery.lane
        var lane = lanes[key] ?? Lane()
        guard lane.inFlight?.number != delivery.number else { return }
        let index = lane.queue.lastIndex { $0.offset <= delivery.offset }
        if let index, lane.queue[index].offset == delivery.offset {
            lane.queue[index] = delivery
        } else {
            lane.queue.insert(delivery, at: index.map { $0 + 1 } ?? 0)
        }
        lanes[key] = lane
    }

    mutating func remove(_ numbers: Set<Int64>) {
        for (key, var lane) in lanes {
            lane.queue.removeAll { numbers.contains($0.number) }
            set(lane, key)
        }
    }

    /// Forgets what waits, not what is in flight.
    mutating func removeAll() {
        for (key, var lane) in lanes {
            lane.queue = []
            lane.isWaiting = false
            set(lane, key)
        }
    }

    /// Takes what is to go out now, and counts it as in flight; nil if nothing may.
    mutating func start() -> Start? {
        guard target.health.state.isSending, !isProbeWaiting else { return nil }
        let isAlone = target.gap != nil || target.health.state == .failing
        guard inFlightCount < (isAlone ? 1 : concurrency) else { return nil }
        if let gap = target.gap {
            inFlightCount += 1
            return .gap(gap)
        }
        guard let (key, found) = next() else { return nil }
        var lane = found
        let delivery = lane.queue.removeFirst()
        lane.inFlight = delivery
        lanes[key] = lane
        inFlightCount += 1
        return .delivery(delivery)
    }

    /// The lane whose first delivery goes out next.
    private func next() -> (Int64, Lane)? {
        let isOrdered = concurrency == 1
        let ready = lanes.filter { _, lane in
            !lane.queue.isEmpty && (isOrdered || lane.inFlight == nil && !lane.isWaiting)
        }
        guard let first = ready.min(by: { $0.value.queue[0].offset < $1.value.queue[0].offset }) else { return nil }
        return first.value.isWaiting || first.value.inFlight != nil ? nil : (first.key, first.value)
    }

    /// The attempt of a delivery has ended.
    ///
    /// - Parameter again: the delivery as it waits for another try; nil if it does not.
    mutating func finish(_ delivery: DeliveryRecord, again: DeliveryRecord?) {
        inFlightCount -= 1
        let key = delivery.lane
        guard var lane = lanes[key], lane.inFlight?.number == delivery.number else { return }
        lane.inFlight = nil
        set(lane, key)
        if let again { add(again) }
    }

    /// The attempt to tell of a gap has ended.
    mutating func finishGap() { inFlightCount -= 1 }

    mutating func setWaiting(_ isWaiting: Bool, lane key: Int64) {
        guard var lane = lanes[key] else { return }
        lane.isWaiting = isWaiting
        set(lane, key)
    }

    /// Something was learnt of the target.
    mutating func endRound() { round += 1 }

    private mutating func set(_ lane: Lane, _ key: Int64) {
        lanes[key] = lane.queue.isEmpty && lane.inFlight == nil ? nil : lane
    }
}
