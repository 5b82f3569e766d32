import ChatModel
import ChatStore
import Formats

/// Decides what is sent to targets, when, and what is stored of it. It is pure: it is told what happened and what time
/// it is, and says what is to be done.
///
/// For each target a bounded number of deliveries is taken out of the log into rows; what comes of attempts is recorded
/// in batches. Nothing is written before an attempt goes out, so after a crash it goes out again with the same id: at
/// least once.
///
/// Targets whose policy has a ``SecondLook`` are many. Their deliveries are taken for all of them at once, and only those
/// with deliveries that wait have a line.
package struct DeliveryMachine {
    /// The time of an input.
    package struct Moment: Sendable {
        /// On the wall clock, which may be set.
        var time: Timestamp
        /// Since the engine was made, on a clock that only goes forward. Waits end by it.
        var elapsed: Duration
        /// A number in 0..<1.
        var random: Double
        /// Of the log.
        var floor: Int64
    }

    /// What happened.
    enum Input: Sendable {
        /// The log has news for these audiences, and perhaps messages for devices.
        case news(Set<Audience>, messages: Bool)
        /// A target was made, changed or deleted. It is read anew, and the request is answered then.
        case changed(target: Int64, request: Int)
        /// A device was registered or removed. Who has devices is read anew, and the request is answered then.
        case devicesChanged(request: Int)
        /// What waits for devices since the last start.
        case waiting([TakenDeliveries])
        /// ``Effect/look(_:)`` has ended; nil where the store could not be read.
        case looked(Attempt, DeliveryLook?)
        /// Nobody waits for this holder any more.
        case left(DeliveryHolder)
        /// What has come of attempts until now is to be stored; the request is answered then, or when that failed.
        case settle(request: Int)
        /// What ``Effect/read(_:)`` has found.
        case read(Result<TargetSnapshot, ChatError>)
        /// What ``Effect/store(_:)`` has done.
        case stored(Result<StoredUnit, ChatError>)
        /// ``Effect/drop(_:reason:)`` has ended.
        case dropped(DeliveryRecord, isStored: Bool)
        /// ``Effect/attempt(_:)`` has ended.
        case ended(Attempt, Arrival)
        /// Time has passed; see ``DeliveryMachine/nextAlarm``.
        case alarm
        /// About a minute has passed.
        case maintain
        /// Nothing begins any more.
        case stop
    }

    /// What is to be done.
    enum Effect: Sendable {
        case attempt(Attempt)
        /// To look at a delivery once more before its attempt.
        case look(Attempt)
        /// To read a target with what waits for it; nil: to read who has devices. No other read or unit is under way.
        case read(Int64?)
        /// To store a unit. No other unit or read is under way.
        case store(DeliveryUnit)
        /// To end a delivery for a reason of one word; nil: the log does not have its event any more.
        case drop(DeliveryRecord, reason: String?)
        /// To delete old deliveries of these targets.
        case tidy([Int64])
        /// To tell the desk of a target whose state has changed.
        case tell(TargetRecord)
        /// To watch the log for these audiences and no others; for devices, messages alone count.
        case watch(Set<Audience>, devices: Set<Audience>)
        /// To answer requests.
        case answer([Int], ChatError?)
    }

    /// One try to send something to a target.
    struct Attempt: Sendable {
        var start: DeliveryLine.Start
        var target: Int64
        /// Of the line, when the attempt began.
        var round: Int
        /// To the target as it was when the attempt began.
        var route: DeliveryRoute
        /// Of this target.
        var version: Int64
        /// What is sent, where a second look has found it; nil: it is an event of the log.
        var content: DeliveryContent?
    }

    /// What came of an attempt.
    enum Arrival: Sendable {
        case report(AttemptReport, AttemptRecord)
        /// The log does not have the event any more.
        case gone
        /// The store could not be read.
        case unread
    }

    /// What waits for a time.
    enum Wait: Hashable, Sendable {
        /// A delivery, for its own sake.
        case delivery(target: Int64, number: Int64)
        /// A target that fails, until its next try.
        case probe(Int64)
        /// Results, for others.
        case results
        /// A store that has failed.
        case storage
    }

    /// What the store does for the machine: one thing at a time. What a unit stored could be missing in what is read
    /// beside it.
    enum Job {
        case read(Int64?, requests: [Int])
        case unit(DeliveryUnit, requests: [Int])
    }

    /// What waits for its turn at the store, before units that nobody waits for.
    enum Turn {
        case read(Int64?, requests: [Int])
        case settle(request: Int)
    }

    /// The places in flight that the targets of a kind share, and who waits for one.
    struct Places {
        let count: Int
        var used = 0
        /// The targets with something to look at, by the offset of the oldest of it. Some have nothing any more.
        var turns = Alarms<Int64, Int64>()
    }

    let policies: [TargetKind: any DeliveryPolicy]
    /// By the targets' numbers.
    var lines: [Int64: DeliveryLine] = [:]
    /// The targets that take events for themselves. Their lines are always there.
    var takers: Set<Int64> = []
    /// Of the kinds that have a second look.
    var places: [TargetKind: Places]
    var held = HeldDeliveries()
    /// Who has devices.
    var deviceAudiences: Set<Audience> = []
    /// The log may have messages for devices after ``pushesReached``.
    var hasUntakenMessages = false
    var pushesReached: Int64 = 0
    var alarms = Alarms<Wait, Duration>()
    var job: Job?
    var turns: [Turn] = []
    /// Targets for which the log may have more.
    var untaken: Set<Int64> = []
    /// Targets for which the log has more, and no row is free.
    var full: Set<Int64> = []
    /// Targets whose lines lack deliveries, because they could not be read. Nothing more is taken for them until they
    /// are: it would go out before what the line lacks.
    var outdated: Set<Int64> = []
    /// What came of attempts and is not stored yet. These deliveries never go out again while the process lives.
    var results: [DeliveryResult] = []
    var targetResults: [Int64: TargetResult] = [:]
    /// The last unit took deliveries, and failed.
    var hasTakingFailed = false
    var storageWait = StorageWait()
    /// Deliveries that were done since the last time that old ones were deleted.
    var doneCount = 0
    private(set) var isStopping = false
    /// Of the input that is handled.
    private(set) var now = Moment(time: Timestamp(milliseconds: 0), elapsed: .zero, random: 0, floor: 0)
    /// Of the input that is handled.
    var effects: [Effect] = []

    init(policies: [any DeliveryPolicy]) {
        self.policies = Dictionary(uniqueKeysWithValues: policies.map { ($0.kind, $0) })
        places = self.policies.compactMapValues { $0.secondLook.map { Places(count: $0.places) } }
    }

    /// Returns what is to be done, in this order.
    mutating func handle(_ input: Input, at moment: Moment) -> [Effect] {
        now = moment
        switch input {
        case .news(let audiences, let messages):
            untaken.formUnion(takers.filter { lines[$0].map { audiences.contains($0.target.audience) } ?? false })
            if messages { hasUntakenMessages = true }
            advance()
        case .changed(let target, let request): read(target, for: [request])
        case .devicesChanged(let request): read(nil, for: [request])
        case .waiting(let devices):
            for device in devices { takeOver(pushes: device) }
        case .looked(let attempt, let look): finish(attempt, look)
        case .left(let holder): wake(holder)
        case .settle(let request):
            turns.append(.settle(request: request))
            advance()
        case .read(let result): finishRead(result)
        case .stored(let result): finishUnit(result)
        case .dropped(let delivery, let isStored):
            // The row still waits, and is not in the line any more.
            if !isStored { outdated.insert(delivery.target) }
            advance()
        case .ended(let attempt, let arrival): finish(attempt, arrival)
        case .alarm: ring()
        case .maintain:
            readOutdated()
            untaken.formUnion(takers)
            advance()
        case .stop: isStopping = true
        }
        fillPlaces()
        defer { effects = [] }
        return effects
    }

    /// When ``Input/alarm`` is due, by ``Moment/elapsed``; nil if nothing waits for a time.
    var nextAlarm: Duration? { mutating get { alarms.next } }

    /// Offsets of what probably goes out next to these targets.
    func upcoming(for targets: Set<Int64>) -> [Int64] { targets.sorted().flatMap { lines[$0]?.upcoming ?? [] } }

    // MARK: Waits

    private mutating func ring() {
        while let wait = alarms.popDue(at: now.elapsed) {
            switch wait {
            case .delivery(let target, let number):
                held.release(number)
                pump(target)
                if untaken.contains(target) { advance() }
            case .probe(let target):
                pump(target)
                if untaken.contains(target) { advance() }
            case .results: advance()
            case .storage:
                advance()
                readOutdated()
            }
        }
    }

    /// - Parameter duration: zero ends the wait that there is.
    mutating func wait(_ duration: Duration, for wait: Wait) {
        guard duration > .zero else { return alarms.remove(wait) }
        alarms.set(wait, at: now.elapsed + duration)
    }

    /// While the target fails, nothing goes out before its next try is due.
    mutating func waitForProbe(_ number: Int64) {
        wait(lines[number]?.target.health.probeWait(at: now.time) ?? .zero, for: .probe(number))
    }

    /// Lets a delivery wait for its turn, and for its own time.
    mutating func enqueue(_ delivery: DeliveryRecord) {
        lines[delivery.target]?.add(delivery)
        wait(delivery.ownWait(at: now.time), for: .delivery(target: delivery.target, number: delivery.number))
    }

    /// Forgets what waits for a target.
    mutating func removeWaiting(of number: Int64) {
        for delivery in lines[number]?.removeAll() ?? [] {
            alarms.remove(.delivery(target: number, number: delivery))
            held.release(delivery)
        }
        alarms.remove(.probe(number))
    }

    /// Begins whatever attempts may begin for a target. Returns whether there were any.
    @discardableResult
    mutating func pump(_ number: Int64) -> Bool {
        guard !isStopping, !alarms.contains(.probe(number)) else { return false }
        if mayHaveLost(number) {
            untaken.insert(number)
            return false
        }
        if let kind = lines[number]?.target.kind, places[kind] != nil {
            queue(number, of: kind)
            return false
        }
        let before = effects.count
        while let attempt = start(number) { effects.append(.attempt(attempt)) }
        return effects.count > before
    }

    /// Whether the log may have lost what waits for a target that takes events for itself. The target is told of that
    /// before it gets anything else, so the next step in the log comes first.
    func mayHaveLost(_ number: Int64) -> Bool {
        guard takers.contains(number), let line = lines[number], line.target.health.state.isSending else {
            return false
        }
        return line.hasMissed || line.oldest.map { $0 <= now.floor } == true
    }

    private mutating func start(_ number: Int64) -> Attempt? {
        let alarms = alarms
        guard let start = lines[number]?.start(isHeld: { alarms.contains(.delivery(target: number, number: $0)) }),
            let line = lines[number]
        else { return nil }
        return Attempt(
            start: start, target: number, round: line.round, route: line.route, version: line.target.version)
    }

    // MARK: Shared places

    /// Lets a target with something to look at wait for a place. A line that has nothing any more goes.
    private mutating func queue(_ number: Int64, of kind: TargetKind) {
        if lines[number]?.count == 0 {
            lines[number] = nil
            return
        }
        let alarms = alarms
        let next = lines[number]?.nextOffset { alarms.contains(.delivery(target: number, number: $0)) }
        guard let next else { return }
        places[kind]?.turns.set(number, at: next)
    }

    /// Begins looks as long as there are places. While results cannot be stored, they do not become more and more.
    private mutating func fillPlaces() {
        guard !isStopping else { return }
        for kind in Array(places.keys) {
            while let shared = places[kind], shared.used < shared.count, results.count < Self.resultLimit,
                let number = places[kind]?.turns.popDue(at: .max)
            {
                guard let attempt = start(number) else { continue }
                places[kind]?.used += 1
                effects.append(.look(attempt))
            }
        }
    }

    mutating func leavePlace(of attempt: Attempt) {
        guard let used = places[attempt.route.kind]?.used else { return }
        assert(used > 0, "whoever leaves a place has had one")
        places[attempt.route.kind]?.used -= 1
    }

    mutating func wake(_ holder: DeliveryHolder) {
        for (number, target) in held.releaseAll(of: holder).sorted(by: { $0.number < $1.number }) {
            alarms.remove(.delivery(target: target, number: number))
            pump(target)
        }
    }

    /// Tells the desk of a target if its state is news.
    mutating func announceState(of target: TargetRecord) {
        guard takers.contains(target.number), let told = lines[target.number]?.toldState, told != target.health.state
        else { return }
        lines[target.number]?.toldState = target.health.state
        effects.append(.tell(target))
    }
}

/// A target as it was read, with its deliveries that wait.
struct TargetSnapshot: Sendable {
    /// Nil if it is gone.
    var target: TargetRecord?
    var pending: [DeliveryRecord] = []
    /// Who has devices, where that was to be read.
    var deviceAudiences: Set<Audience>?
}
