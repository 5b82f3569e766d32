import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort
import Synchronization

/// What the engine has to know of a kind of targets: how a target is reached, and what is done after an attempt. A new
/// kind costs one of these, and a sender behind its routes.
package protocol DeliveryPolicy: Sendable {
    var kind: TargetKind { get }
    /// Nil: each target takes its own events out of the log, and those of a thread go out one after the other. Otherwise
    /// messages are taken for all such targets together, in no order.
    var secondLook: SecondLook? { get }
    /// The way to a target, as its owner has set it.
    func route(to target: TargetRecord) -> DeliveryRoute
    /// What becomes of a delivery after an attempt that ended now.
    ///
    /// - Parameter expiresAt: of what was sent.
    func end(
        of delivery: DeliveryRecord, after report: AttemptReport, expiresAt: Timestamp?, at now: DeliveryMachine.Moment
    ) -> DeliveryResult.End
    /// How a target does after an attempt that ended now.
    func health(_ health: TargetHealth, after report: AttemptReport, at now: DeliveryMachine.Moment) -> TargetHealth
    /// What stays of a target with this health, if it takes nothing any more; nil: all of it.
    func closed(_ target: TargetRecord, with health: TargetHealth, after report: AttemptReport) -> ClosedDevice?
    /// What is done in the store before the start.
    func prepare(_ store: ChatStore) async throws(ChatError)
}

extension DeliveryPolicy {
    package var secondLook: SecondLook? { nil }
    package func closed(
        _ target: TargetRecord, with health: TargetHealth, after report: AttemptReport
    ) -> ClosedDevice? { nil }
    package func prepare(_ store: ChatStore) async throws(ChatError) {}
}

/// How deliveries are looked at once more when they are due, one for a target and a bounded number for a kind at a time,
/// those of the oldest messages first.
package struct SecondLook: Sendable {
    /// Looks and attempts of the kind at once.
    var places: Int
    /// What a decision depends on; nil where the delivery has ended.
    var view: @Sendable (_ delivery: DeliveryRecord, _ epoch: String, ReadTransaction) throws -> PushView?
    var judge: @Sendable (PushView, DeliveryMachine.Moment) -> DeliveryLook
}

/// What is to be done with a delivery that was looked at.
enum DeliveryLook: Sendable {
    /// - Parameter target: as it is now.
    case send(DeliveryContent, TargetRecord)
    /// It is looked at again after this time, or as soon as the holder is done.
    case again(Duration, heldBy: DeliveryHolder?)
    /// It is not to be sent any more, for this reason of one word.
    case drop(reason: String)
    /// It has ended by other means.
    case ended
}

/// For whom a delivery waits that is looked at again sooner when they are done.
package enum DeliveryHolder: Sendable, Hashable {
    /// A session that is followed: until its streams have ended.
    case session(String)
    /// An app that is held: until a push to another of its devices went through.
    case app(String)
}

/// One target as attempts go to it: what its sender has read of it for many attempts, until its owner changes it.
package struct DeliveryRoute: Sendable {
    var kind: TargetKind
    /// What the log calls the target: its kind, its id and its host, and nothing that may be secret.
    var title: @Sendable () -> String
    /// How many lanes have an attempt in flight at once, from 1; with 1 all events go out in the order of the log.
    var concurrency: Int
    /// Whether the target wants an event of the log. It is asked on the store's writer, so it must be quick.
    var wants: @Sendable (LogEvent) -> Bool
    /// Makes one attempt. It ends within a time limit of its own, and soon after its task was cancelled.
    var attempt: @Sendable (DeliveryContent) async -> AttemptReport
}

/// What is sent to a target.
package enum DeliveryContent: Sendable {
    /// An event of the log.
    case event(DeliveryEvent)
    /// The log has lost events that were not delivered.
    case gap(LogGap)
    /// The owner wants to see something come, under this id.
    case test(id: String)
    /// A device is told of a message.
    case push(Push)

    /// After this time it is not sent any more; nil: it does not expire.
    var expiresAt: Timestamp? { if case .push(let push) = self { push.expiresAt } else { nil } }
}

/// What came of one attempt.
package struct AttemptReport: Sendable {
    var outcome: AttemptOutcome
    /// Of the answer; nil where none came.
    var status: Int?
    /// Why no answer came, in one word.
    var error: String?
    /// The beginning of the answer's body.
    var head: [UInt8]?
    /// How long the answer asked to wait.
    var retryAfter: Duration?
    /// The app that a device has (``ConfiguredApp/fingerprint``); nil for what is no app.
    var app: String?

    /// The app that takes pushes, as this attempt shows.
    var openApp: String? { [.delivered, .gone, .refused].contains(outcome) ? app : nil }

    init(
        _ outcome: AttemptOutcome, status: Int? = nil, error: String? = nil, head: [UInt8]? = nil,
        retryAfter: Duration? = nil, app: String? = nil
    ) {
        self.outcome = outcome
        self.status = status
        self.error = error
        self.head = head
        self.retryAfter = retryAfter
        self.app = app
    }

    /// With what every answer over HTTP says.
    init(_ outcome: AttemptOutcome, _ answer: HTTPAnswer, at now: Timestamp) {
        self.init(
            outcome, status: answer.status, head: answer.body.isEmpty ? nil : answer.body,
            retryAfter: answer.headers["retry-after"].flatMap { RetryAfter.delay($0, now: now) })
    }
}

/// What an answer says about what was sent, and about its target. Each kind of targets says some of it; what it leads to
/// is the kind's ``DeliveryPolicy``.
enum AttemptOutcome: Sendable, Hashable {
    /// The target took the event.
    case delivered
    /// The target cannot take this event: it is tried again a few times, other threads go on.
    case eventFailed
    /// The target never wants this event: it is not tried again.
    case eventRefused
    /// The target takes nothing now: everything waits.
    case targetFailed
    /// The target wants nothing more: it is disabled. `delivered` says whether it took this event.
    case targetGone(delivered: Bool)
    /// The push service does not know the device any more: what names it is erased.
    case gone
    /// The device takes nothing until it registers again.
    case refused
    /// The service refuses the sender: its token, its key or its contact. See ``PushPlan/refusalLimit``.
    case deadAuthorization
    /// What the gateway knows of the device's app is wrong: all pushes for the app wait, see ``AppHolds``.
    case held
    /// The app's push service cannot reach the device's system until its operator changes something there: this push
    /// waits as long, and those of other devices go on.
    case deviceHeld

    /// - Parameters:
    ///   - status: of the answer; nil when no whole answer came. A redirect is never followed, so it is a failure.
    ///   - instruction: the answer's header `webhook-delivery`, by which a receiver says more than the status does.
    init(webhookStatus status: Int?, instruction: String? = nil) {
        guard let status else {
            self = .targetFailed
            return
        }
        let isSuccess = (200..<300).contains(status)
        let instruction = instruction.flatMap { Instruction(rawValue: $0.trimmingOptionalSpace.lowercased()) }
        switch (status, instruction) {
        case (_, .disable), (410, _): self = .targetGone(delivered: isSuccess)
        case _ where isSuccess: self = .delivered
        case (_, .abortMessage): self = .eventRefused
        case (400, nil), (409, nil), (413, nil), (415, nil), (422, nil): self = .eventFailed
        default: self = .targetFailed
        }
    }

    private enum Instruction: String {
        case abortMessage = "abort-message"
        case disable
    }
}

/// Why an attempt had no answer, for the list of attempts.
enum AttemptError {
    /// One word, without a host, a path or anything of what was sent.
    static func word(for error: any Error) -> String {
        switch error {
        case is AddressRefusal: "addressRefused"
        case HTTPCallError.timeout: "timeout"
        case HTTPCallError.unknownHost: "unknownHost"
        case HTTPCallError.invalidURL: "invalidURL"
        case HTTPCallError.untrustedCertificate: "untrustedCertificate"
        case HTTPCallError.certificateOfAnotherHost: "certificateOfAnotherHost"
        default: "notConnected"
        }
    }
}

/// Counts attempts and their durations since the process started, by kind of target. Any thread may call it.
package final class DeliveryMeasurements: Sendable {
    private let counts = Mutex<[TargetKind: DeliveryStatistics.Kind]>([:])

    /// - Parameter kinds: the kinds that metrics show from the start, with zeros.
    package init(_ kinds: [TargetKind] = TargetKind.allCases) {
        counts.withLock { counts in
            for kind in kinds { counts[kind] = DeliveryStatistics.Kind() }
        }
    }

    /// The counts of this moment.
    package var kinds: [TargetKind: DeliveryStatistics.Kind] { counts.withLock { $0 } }

    /// Counts one attempt. Durations are observed in seconds.
    func countAttempt(_ outcome: DeliveryOutcome, of kind: TargetKind, after duration: Duration) {
        counts.withLock { counts in
            counts[kind, default: DeliveryStatistics.Kind()].outcomes[outcome, default: 0] += 1
            counts[kind, default: DeliveryStatistics.Kind()].durations.observe(duration / .seconds(1))
        }
    }
}

extension DeliveryOutcome {
    init(_ outcome: AttemptOutcome) {
        self =
            switch outcome {
            case .delivered, .targetGone(delivered: true): .delivered
            case .eventFailed, .eventRefused, .gone, .refused, .deadAuthorization: .refused
            case .targetFailed, .targetGone(delivered: false), .held, .deviceHeld: .failed
            }
    }
}

/// The time since it was made, on a clock that only goes forward.
struct Stopwatch: Sendable {
    /// The time that has passed.
    let elapsed: @Sendable () -> Duration
    /// Sleeps until so much time has passed. Throws when the task is cancelled.
    let sleep: @Sendable (_ until: Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
