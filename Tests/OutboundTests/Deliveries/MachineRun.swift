import ChatModel
import Formats
import Testing

@testable import ChatStore
@testable import Outbound

/// A machine with one target, number 1, whose inputs and effects are short texts.
///
/// Inputs: `read 11 12` finds these deliveries waiting, `read` none, `read gone` no target; `taken 11` stores the unit
/// that is under way and takes these; `taken` nothing; `failed` fails it. `11 ok`, `11 poison`, `11 abort`, `11 down`,
/// `11 gone`, `11 busy` (come back in 100 s): an attempt's end (`gap ok`: of the notice); `11 lost`, `11 unread`: its event
/// was not found, or not read.
/// `floor 12` lets the log lose all up to this offset. `change`, `settle`, `news`, `maintain` and `stop` are as in ``DeliveryMachine/Input``; `5s` lets time go on.
///
/// The delivery 11 is the first one of lane 1, 12 its second, 21 the first one of lane 2; the offset is the number.
///
/// Effects: `send 11`, `send gap`, `read`, `store 11:delivered take` (what is stored of attempts; whether deliveries are
/// taken), `drop 11`, `tell failing`, `answer`, `answer failed`.
struct MachineRun {
    private(set) var machine: DeliveryMachine
    private var elapsed = Duration.zero
    private var attempts: [String: DeliveryMachine.Attempt] = [:]
    private var health = TargetHealth(state: .active)
    private var version: Int64 = 1
    private var gap: LogGap?
    private var floor: Int64 = 0
    /// Up to which floor a step in the log has noted what is lost.
    private var notedFloor: Int64 = 0
    private var unit: DeliveryUnit?

    init(concurrency: Int = 8, gap: LogGap? = nil) {
        machine = DeliveryMachine(policies: [ScriptedSender(concurrency: concurrency).policy])
        self.gap = gap
    }

    private var now: Timestamp { Timestamp(milliseconds: 1_700_000_000_000).advanced(by: elapsed) }

    private var target: TargetRecord {
        TargetRecord(
            number: 1, id: "w1", kind: .webhook, audience: .desk, session: nil, settings: [], generation: 1,
            previousUntil: nil, health: health, position: 0, gap: gap, createdAt: now, version: version)
    }

    /// What the store has of the target's health, from now on.
    mutating func setHealth(_ state: TargetState) {
        health = TargetHealth(state: state)
        version += 1
    }

    /// Handles an input, and returns the effects. Delays are those of the schedules, without a random part.
    mutating func after(_ text: String) -> String {
        let words = text.split(separator: " ").map(String.init)
        if let last = words.first, last.hasSuffix("s"), let seconds = Double(last.dropLast()) {
            elapsed += .milliseconds(Int64((seconds * 1000).rounded()))
            return handle(.alarm)
        }
        let numbers = words.compactMap { Int64($0) }
        switch words[0] {
        case "floor":
            floor = numbers[0]
            return ""
        case "change": return handle(.changed(target: 1, request: 1))
        case "settle": return handle(.settle(request: 2))
        case "news": return handle(.news([.desk], messages: false))
        case "maintain": return handle(.maintain)
        case "stop": return handle(.stop)
        case "read" where words.last == "failed": return handle(.read(.failure(ChatError(.storageFailed, "broken"))))
        case "read" where words.last == "gone": return handle(.read(.success(TargetSnapshot())))
        case "read":
            return handle(.read(.success(TargetSnapshot(target: target, pending: numbers.map(delivery)))))
        case "failed": return handle(.stored(.failure(ChatError(.storageFailed, "broken"))))
        case "taken": return handle(.stored(.success(stored(numbers))))
        default:
            guard let attempt = attempts.removeValue(forKey: words[0]) else { return "no such attempt" }
            return handle(.ended(attempt, arrival(words[1])))
        }
    }

    private mutating func stored(_ numbers: [Int64]) -> StoredUnit {
        var stored = StoredUnit()
        for result in unit?.targets.values.map(\.self) ?? [] {
            if result.counts(after: target) { health = result.health }
            if result.toldGapTo != nil { gap = nil }
            stored.records.append(target)
        }
        guard unit?.wanted.isEmpty == false else { return stored }
        stored.reached = [1]
        if notedFloor < floor {
            gap = LogGap(from: notedFloor, to: floor)
            notedFloor = floor
        }
        var taken = TakenDeliveries(target: target, deliveries: numbers.map(delivery))
        taken.floor = floor
        stored.taken = [taken]
        return stored
    }

    private func delivery(_ number: Int64) -> DeliveryRecord {
        DeliveryRecord(
            number: number, target: 1, offset: number, lane: number / 10, message: nil, type: .messageCreated,
            state: .pending, reason: nil, attemptCount: 0, refusalCount: 0, createdAt: now, lastAttemptAt: nil,
            nextAt: nil, doneAt: nil)
    }

    private func arrival(_ word: String) -> DeliveryMachine.Arrival {
        let outcome: AttemptOutcome
        var retryAfter: Duration?
        switch word {
        case "lost": return .gone
        case "unread": return .unread
        case "ok": outcome = .delivered
        case "poison": outcome = .eventFailed
        case "abort": outcome = .eventRefused
        case "gone": outcome = .targetGone(delivered: false)
        case "busy": (outcome, retryAfter) = (.targetFailed, .seconds(100))
        default: outcome = .targetFailed
        }
        return .report(AttemptReport(outcome, retryAfter: retryAfter), AttemptRecord(at: now, milliseconds: 1))
    }

    private mutating func handle(_ input: DeliveryMachine.Input) -> String {
        let moment = DeliveryMachine.Moment(time: now, elapsed: elapsed, random: 0.5, floor: floor)
        return machine.handle(input, at: moment).compactMap { text(of: $0) }.joined(separator: ", ")
    }

    private mutating func text(of effect: DeliveryMachine.Effect) -> String? {
        switch effect {
        case .attempt(let attempt):
            let name = attempt.start.delivery.map { "\($0.number)" } ?? "gap"
            attempts[name] = attempt
            return "send \(name)"
        case .look: return "look"
        case .read: return "read"
        case .store(let unit):
            self.unit = unit
            let results = unit.results.map { "\($0.delivery):\(Self.text(of: $0.end))" }
            return (["store"] + results + (unit.wanted.isEmpty ? [] : ["take"])).joined(separator: " ")
        case .drop(let delivery, _): return "drop \(delivery.number)"
        case .tidy: return "tidy"
        case .tell(let target): return "tell \(target.health.state.rawValue)"
        case .watch: return nil
        case .answer(_, let error): return error == nil ? "answer" : "answer failed"
        }
    }

    static func text(of end: DeliveryResult.End) -> String {
        switch end {
        case .delivered: "delivered"
        case .refused: "refused"
        case .waiting: "waiting"
        case .dead: "dead"
        }
    }

    /// For how long nothing waits; nil if nothing does.
    var nextAlarm: Duration? { mutating get { machine.nextAlarm } }

    /// Goes through a table of inputs, each with its effects.
    mutating func expect(_ rows: [(input: String, effects: String)], at location: SourceLocation = #_sourceLocation) {
        for (index, row) in rows.enumerated() {
            let effects = after(row.input)
            #expect(effects == row.effects, "row \(index): \(row.input)", sourceLocation: location)
        }
    }
}
