import ChatModel
import ChatStore
import Formats

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
