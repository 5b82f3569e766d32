import Chat
import ChatModel
import ChatStore
import Formats

/// Devices of a kind are told of messages that nobody has seen. A message becomes a push for each device that is to be
/// told of it, which is looked at again when it is due (``PushSituation``). After a crash a push may go out twice, with
/// the same content.
package struct PushPolicy: DeliveryPolicy {
    package let kind: TargetKind
    private let sender: PushSender
    private let notifications: Notifications

    /// One for each kind of devices to which the gateway pushes.
    ///
    /// - Parameter notifications: knows who follows which session.
    package static func all(_ sender: PushSender, _ notifications: Notifications) -> [any DeliveryPolicy] {
        TargetKind.devices.map { PushPolicy(kind: $0, sender: sender, notifications: notifications) }
    }

    package var secondLook: SecondLook? {
        SecondLook(places: 16, view: { try $2.push($0, epoch: $1) }, judge: judge)
    }

    private func judge(_ view: PushView, at now: DeliveryMachine.Moment) -> DeliveryLook {
        let presence =
            view.device.audience == .desk
            ? notifications.presence(ofDeskDevice: view.device.id)
            : notifications.presence(of: view.session, account: view.account)
        let situation = PushSituation(
            now: now.time, uptime: now.elapsed, takenAt: view.delivery.createdAt, writtenAt: view.message?.createdAt,
            isRead: view.isRead, thread: view.message?.threadID ?? "", presence: presence)
        switch situation.look {
        case .again(let wait): return .again(wait, heldBy: .session(view.session))
        case .drop(let reason): return .drop(reason: reason.rawValue)
        case .send:
            guard let message = view.message, let settings = try? DeviceSettings(of: view.device) else {
                return .drop(reason: PushLook.Reason.removed.rawValue)
            }
            if let hold = sender.apps.hold(settings, channel: view.channel) {
                return .again(hold.wait, heldBy: .app(hold.app))
            }
            let push = Push(
                id: String(view.delivery.number), message: PushMessage(message, for: view),
                badge: view.device.audience == .desk ? nil : view.unreadCount,
                expiresAt: message.createdAt.advanced(by: RetrySchedule.timeToLive))
            return .send(.push(push), view.device)
        }
    }

    package func route(to device: TargetRecord) -> DeliveryRoute {
        let sender = sender
        return DeliveryRoute(
            kind: device.kind,
            title: {
                let place = (try? DeviceSettings(of: device))?.destination ?? "an unknown host"
                return "\(device.kind.rawValue) \(device.id) at \(place)"
            }, concurrency: 1, wants: { _ in false },
            attempt: { content in
                guard case .push(let push) = content, let settings = try? DeviceSettings(of: device) else {
                    assertionFailure("what goes to a device is a push, and its settings were read before")
                    return AttemptReport(.eventRefused, error: "invalidSettings")
                }
                return await sender.send(push, to: device, settings)
            })
    }

    package func end(
        of delivery: DeliveryRecord, after report: AttemptReport, expiresAt: Timestamp?, at now: DeliveryMachine.Moment
    ) -> DeliveryResult.End {
        PushPlan(report, of: delivery, expiresAt: expiresAt, at: now).end
    }

    package func health(
        _ health: TargetHealth, after report: AttemptReport, at now: DeliveryMachine.Moment
    ) -> TargetHealth {
        PushPlan(report.outcome, wait: nil, refusals: health.failures).health
    }

    package func closed(
        _ device: TargetRecord, with health: TargetHealth, after report: AttemptReport
    ) -> ClosedDevice? {
        guard let reason = health.reason.flatMap(PushPlan.Closing.init(rawValue:)) else { return nil }
        return (try? DeviceSettings(of: device))?.closed(reason, app: report.app)
    }

    /// Devices that were refused take pushes again where their app is configured in another way now.
    package func prepare(_ store: ChatStore) async throws(ChatError) {
        guard AppKind(kind) != nil else { return }
        let closed = try await store.read { [kind, sender] transaction in
            try transaction.refusedDevices(of: kind).filter { device in
                guard case .account(let account) = device.audience else { return false }
                let channel = try transaction.account(account).key.channel
                return try sender.apps.isReopened(DeviceSettings(of: device), channel: channel)
            }
        }
        guard !closed.isEmpty else { return }
        try await store.write { transaction in
            for device in closed { try transaction.reopenDevice(device.number, version: device.version) }
        }
    }
}

/// What an answer of a push service leads to.
struct PushPlan: Sendable, Equatable {
    /// Why a device takes nothing any more.
    enum Closing: String, Sendable {
        case gone, refused
    }

    var end: DeliveryResult.End
    /// Nil where the device takes pushes.
    var closing: Closing?
    /// How often the service has refused who sends, in a row.
    var refusals: Int

    /// After so many ``AttemptOutcome/deadAuthorization`` in a row the device is refused.
    static let refusalLimit = 3

    /// - Parameters:
    ///   - wait: until the next attempt; nil where the message is too old by then.
    ///   - refusals: before this answer.
    init(_ outcome: AttemptOutcome, wait: RetryWait?, refusals: Int) {
        self.refusals =
            switch outcome {
            case .deadAuthorization: min(refusals, Self.refusalLimit) + 1
            case .delivered: 0
            // They say nothing of who sends.
            default: refusals
            }
        switch outcome {
        case .delivered: end = .delivered
        case .gone, .targetGone: (end, closing) = (.dead(reason: "gone"), .gone)
        case .refused: (end, closing) = (.dead(reason: "refused"), .refused)
        case .eventRefused: end = .dead(reason: "rejected")
        case .deadAuthorization:
            end = .dead(reason: "refused")
            if self.refusals >= Self.refusalLimit { closing = .refused }
        case .held, .deviceHeld, .targetFailed, .eventFailed:
            end = wait.map { .refused(nextAt: $0.nextAt) } ?? .dead(reason: "expired")
        }
    }

    /// What an attempt that has ended now means for its delivery.
    init(
        _ report: AttemptReport, of delivery: DeliveryRecord, expiresAt: Timestamp?, at now: DeliveryMachine.Moment
    ) {
        let schedule = [.held, .deviceHeld].contains(report.outcome) ? RetrySchedule.held : .push
        let wait = schedule.wait(
            afterFailures: delivery.refusalCount + 1, at: now.time, random: now.random, retryAfter: report.retryAfter,
            deadline: expiresAt)
        self.init(report.outcome, wait: wait, refusals: 0)
    }

    /// How the device does afterwards.
    var health: TargetHealth {
        TargetHealth(state: closing == nil ? .active : .disabled, reason: closing?.rawValue, failures: refusals)
    }
}

/// What is to be done with a push at the moment at which it is due.
enum PushLook: Sendable, Equatable {
    case send
    /// It is looked at again after this time, or as soon as one of the session's streams ends.
    case again(after: Duration)
    /// It is not needed any more.
    case drop(Reason)

    enum Reason: String, Sendable, CaseIterable {
        /// The message was removed.
        case removed
        /// The account has read it, by whatever session.
        case read
        /// The session's screen shows the thread.
        case shown
        /// Somebody follows the session, and was told of the message there.
        case present
        /// The message is too old to be worth a push.
        case expired
    }

    /// How long after its message a push is looked at first: who reads on another device needs some seconds.
    static let delay = Duration.seconds(3)
    /// How long nothing is pushed after a start: clients come back first, and say again what they show.
    static let quietTime = Duration.seconds(30)
    /// How long until one for a session that is followed is looked at again.
    static let pause = Duration.seconds(15)
    /// Who has followed the session for so long has seen what there is.
    static let patience = Duration.seconds(10 * 60)
}

/// What a decision about a push depends on.
struct PushSituation: Sendable {
    var now: Timestamp
    /// How long the gateway runs: screens that were named before its start are forgotten.
    var uptime: Duration
    /// When the push was made.
    var takenAt: Timestamp
    /// When the message was written; nil where it was removed.
    var writtenAt: Timestamp?
    var isRead = false
    var thread: String
    var presence: Presence

    var look: PushLook {
        guard let writtenAt else { return .drop(.removed) }
        if isRead { return .drop(.read) }
        if writtenAt.advanced(by: RetrySchedule.timeToLive) <= now { return .drop(.expired) }
        if uptime < PushLook.quietTime { return .again(after: PushLook.quietTime - uptime) }
        guard presence.isPresent else { return .send }
        if presence.threads.contains(thread) { return .drop(.shown) }
        if takenAt.advanced(by: PushLook.patience) <= now { return .drop(.present) }
        return .again(after: PushLook.pause)
    }
}
