import Formats

/// The events of one actor, from the place after its last step.
///
/// After a message of its own, that place is behind the message's event. After another step it is where the log ended
/// before the step, so that nothing is missed that the step leads to.
final class ScenarioFeed {
    static let noFeed = CommandFailure(
        .temporary, code: "noFeed", "The gateway did not open the stream of events in time.")
    static let reset = CommandFailure(.refused, code: "reset", "The place in the log was lost.")

    private let source: any ScenarioEvents
    private var message: String?
    private var floor: Int64?

    init(_ source: any ScenarioEvents) { self.source = source }

    /// Waits until the feed is live. Throws ``CommandFailure``.
    func prepare() throws(CommandFailure) { try source.prepare() }

    func begin(behind message: String?) { (self.message, floor) = (message, nil) }

    func begin(at cursor: String?) { (message, floor) = (nil, cursor.flatMap(Self.offset)) }

    /// The next event behind the place; nil when the deadline has passed. Throws ``CommandFailure``.
    func next(until deadline: ContinuousClock.Instant) throws(CommandFailure) -> FeedEvent? {
        while let event = try source.next(until: deadline) {
            if event.type == "reset" { throw Self.reset }
            if event.isMark { continue }
            if let message {
                guard event.type == "message.created",
                    (try? JSONText(event.data))?.root["message"]?["id"]?.string == message
                else { continue }
                self.message = nil
                continue
            }
            if let floor, let offset = event.id.flatMap(Self.offset), offset <= floor { continue }
            return event
        }
        return nil
    }

    private static func offset(_ cursor: String) -> Int64? { cursor.split(separator: "-").last.flatMap { Int64($0) } }
}
