import ChatModel
import Formats
import Testing

@testable import ChatStore
@testable import Outbound

/// A machine with devices, whose inputs and effects are short texts, as those of ``MachineRun``.
///
/// The push 11 is the first one of the device 1, 21 that of the device 2; the offset is the number.
///
/// Inputs: `waiting 11 21`: these wait since the last start, and are due. `news`: there are messages. `taken 11 21`: the
/// unit that is under way is stored and takes these, which are due in 3 s; `taken` none; `failed` fails it. `look 11 send`,
/// `look 11 follow` (look again in 15 s, or when the session `s1` of the device is left), `look 11 hold` (in 15 minutes, or
/// when the app is open), `look 11 read`, `look 11 ended`, `look 11 unread`: what the second look finds; with a number
/// behind, the device is in that version now. `11 ok`, `11 busy`, `11 late` (come back in 100 s), `11 dead`, `11 gone`,
/// `11 forbidden`, `11 held`: an attempt's end. `left s1`; `change`, `read` (who has devices), `settle`, `stop`; `5s` lets
/// time go on.
///
/// Effects: `look 11`, `send 11`, `store 11:delivered 1:closed take`, `drop 11 read`, `read` (who has devices), `read 1`,
/// `answer`.
struct PushRun {
    private(set) var machine: DeliveryMachine
    private var elapsed = Duration.zero
    private var attempts: [String: DeliveryMachine.Attempt] = [:]
    private var health: [Int64: TargetHealth] = [:]
    private var versions: [Int64: Int64] = [:]
    private var unit: DeliveryUnit?
    private(set) var position: Int64 = 0

    init(places: Int = 16) { machine = DeliveryMachine(policies: [LookingPolicy(places: places)]) }

    private var now: Timestamp { Timestamp(milliseconds: 1_700_000_000_000).advanced(by: elapsed) }

    private func device(_ number: Int64) -> TargetRecord {
        TargetRecord(
            number: number, id: "d\(number)", kind: .webPush, audience: .desk, session: "s\(number)", settings: [],
            generation: 1, previousUntil: nil, health: health[number] ?? TargetHealth(state: .active), position: 0,
            gap: nil, createdAt: now, version: versions[number] ?? 1)
    }

    private func push(_ number: Int64, dueIn delay: Duration) -> TakenDeliveries {
        let delivery = DeliveryRecord(
            number: number, target: number / 10, offset: number, lane: 7, message: nil, type: .messageCreated,
            state: .pending, reason: nil, attemptCount: 0, refusalCount: 0, createdAt: now, lastAttemptAt: nil,
            nextAt: now.advanced(by: delay), doneAt: nil)
        return TakenDeliveries(target: device(number / 10), deliveries: [delivery])
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
        case "waiting": return handle(.waiting(numbers.map { push($0, dueIn: .zero) }))
        case "news": return handle(.news([], messages: true))
        case "taken": return handle(.stored(.success(stored(numbers))))
        case "failed": return handle(.stored(.failure(ChatError(.storageFailed, "broken"))))
        case "left": return handle(.left(.session(words[1])))
        case "change": return handle(.devicesChanged(request: 1))
        case "read" where numbers.isEmpty: return handle(.read(.success(TargetSnapshot(deviceAudiences: [.desk]))))
        case "read":
            let pending = numbers.dropFirst().flatMap { push($0, dueIn: .zero).deliveries }
            return handle(.read(.success(TargetSnapshot(target: device(numbers[0]), pending: pending))))
        case "settle": return handle(.settle(request: 2))
        case "stop": return handle(.stop)
        case "look":
            guard let attempt = attempts.removeValue(forKey: "look \(words[1])") else { return "no such look" }
            let number = attempt.target
            if words.count > 3 { versions[number] = Int64(words[3]) }
            return handle(.looked(attempt, look(words[2], number)))
        default:
            guard let attempt = attempts.removeValue(forKey: words[0]) else { return "no such attempt" }
            let arrival = DeliveryMachine.Arrival.report(report(words[1]), AttemptRecord(at: now, milliseconds: 1))
            return handle(.ended(attempt, arrival))
        }
    }

    private func look(_ word: String, _ number: Int64) -> DeliveryLook? {
        switch word {
        case "send": .send(.test(id: "push"), device(number))
        case "follow": .again(PushLook.pause, heldBy: .session("s\(number)"))
        case "hold": .again(AppHolds.pause, heldBy: .app("app"))
        case "ended": .ended
        case "unread": nil
        default: .drop(reason: word)
        }
    }

    private func report(_ word: String) -> AttemptReport {
        switch word {
        case "ok": AttemptReport(.delivered, app: "app")
        case "dead": AttemptReport(.eventRefused)
        case "gone": AttemptReport(.gone)
        case "forbidden": AttemptReport(.deadAuthorization)
        case "held": AttemptReport(.held, app: "app")
        case "late": AttemptReport(.targetFailed, retryAfter: .seconds(100))
        default: AttemptReport(.targetFailed)
        }
    }

    private mutating func stored(_ numbers: [Int64]) -> StoredUnit {
        var stored = StoredUnit()
        for result in unit?.targets.values.sorted(by: { $0.target < $1.target }) ?? [] {
            if result.counts(after: device(result.target)) {
                health[result.target] = result.health
                if result.closed != nil { versions[result.target, default: 1] += 1 }
            }
            stored.records.append(device(result.target))
        }
        guard let after = unit?.pushesAfter else { return stored }
        position = numbers.max() ?? after
        stored.pushes = TakenPushes(
            pushes: numbers.map { push($0, dueIn: PushLook.delay) }, through: position, hasMore: false)
        return stored
    }

    private mutating func handle(_ input: DeliveryMachine.Input) -> String {
        let moment = DeliveryMachine.Moment(time: now, elapsed: elapsed, random: 0.5, floor: 0)
        return machine.handle(input, at: moment).compactMap { text(of: $0) }.joined(separator: ", ")
    }

    private mutating func text(of effect: DeliveryMachine.Effect) -> String? {
        switch effect {
        case .look(let attempt):
            let name = "look \(attempt.start.delivery?.number ?? 0)"
            attempts[name] = attempt
            return name
        case .attempt(let attempt):
            let name = "\(attempt.start.delivery?.number ?? 0)"
            attempts[name] = attempt
            return "send \(name)"
        case .read(let number): return number.map { "read \($0)" } ?? "read"
        case .store(let unit):
            self.unit = unit
            let results = unit.results.map { "\($0.delivery):\(MachineRun.text(of: $0.end))" }
            let targets = unit.targets.values.sorted { $0.target < $1.target }.map {
                "\($0.target):\($0.closed == nil ? "\($0.health.failures)" : "closed")"
            }
            return (["store"] + results + targets + (unit.takes ? ["take"] : [])).joined(separator: " ")
        case .drop(let delivery, let reason): return "drop \(delivery.number) \(reason ?? "")"
        case .answer(_, let error): return error == nil ? "answer" : "answer failed"
        case .tell: return "tell"
        case .tidy, .watch: return nil
        }
    }

    /// The device registers anew: the store has it in another version.
    mutating func register(_ device: Int64) { versions[device, default: 1] += 1 }

    /// For how long nothing waits; nil if nothing does.
    var nextAlarm: Duration? { mutating get { machine.nextAlarm.map { $0 - elapsed } } }

    /// Goes through a table of inputs, each with its effects.
    mutating func expect(_ rows: [(input: String, effects: String)], at location: SourceLocation = #_sourceLocation) {
        for (index, row) in rows.enumerated() {
            let effects = after(row.input)
            #expect(effects == row.effects, "row \(index): \(row.input)", sourceLocation: location)
        }
    }
}

/// What ``PushPolicy`` does after an attempt, without a sender.
private struct LookingPolicy: DeliveryPolicy {
    let kind = TargetKind.webPush
    let places: Int

    var secondLook: SecondLook? { SecondLook(places: places, view: { _, _, _ in nil }, judge: { _, _ in .ended }) }

    func route(to target: TargetRecord) -> DeliveryRoute {
        DeliveryRoute(
            kind: kind, title: { target.id }, concurrency: 1, wants: { _ in false },
            attempt: { _ in AttemptReport(.delivered) })
    }

    func end(
        of delivery: DeliveryRecord, after report: AttemptReport, expiresAt: Timestamp?, at now: DeliveryMachine.Moment
    ) -> DeliveryResult.End {
        PushPlan(report, of: delivery, expiresAt: delivery.createdAt.advanced(by: RetrySchedule.timeToLive), at: now)
            .end
    }

    func health(_ health: TargetHealth, after report: AttemptReport, at now: DeliveryMachine.Moment) -> TargetHealth {
        PushPlan(report.outcome, wait: nil, refusals: health.failures).health
    }

    func closed(_ target: TargetRecord, with health: TargetHealth, after report: AttemptReport) -> ClosedDevice? {
        health.state.isSending ? nil : ClosedDevice(settings: [])
    }
}
