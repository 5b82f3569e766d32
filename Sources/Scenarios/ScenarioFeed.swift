import Formats

/// The events of one actor, from the place after its last step.
///
/// After a message of its own, that place is behind the message's event. After another step it is where the log ended
/// before the step, so that nothing is missed that the step leads to.
package final class ScenarioFeed {
    package static let noFeed = "The gateway did not open the stream of events in time."
    static let reset = "The place in the log was lost."

    private let source: any ScenarioEvents
    private var message: String?
    private var floor: Int64?
    /// What was looked at, and is still to come.
    private var again: ArraySlice<ScenarioEvent> = []
    /// What came since the place, oldest first, and whether an expectation took it.
    private(set) var seen: [(event: ScenarioEvent, isTaken: Bool)] = []
    /// The most events that are remembered; the oldest give way.
    private static let maximumSeen = 1000

    init(_ source: any ScenarioEvents) { self.source = source }

    /// Waits until the feed is live. Throws ``ScenarioFailure``.
    func prepare() throws(ScenarioFailure) { try source.prepare() }

    func begin(behind message: String?) { (self.message, floor, seen) = (message, nil, []) }

    func begin(at cursor: String?) { (message, floor, seen) = (nil, cursor.flatMap(Self.offset), []) }

    /// Passes an event over, or takes it.
    func note(_ event: ScenarioEvent, isTaken: Bool) {
        seen.append((event, isTaken))
        if seen.count > Self.maximumSeen { seen.removeFirst() }
    }

    /// Lets events come again that were only looked at.
    func putBack(_ events: [ScenarioEvent]) { again = events + again }

    /// The next event behind the place; nil when the deadline has passed. Throws ``ScenarioFailure``.
    func next(until deadline: ContinuousClock.Instant) throws(ScenarioFailure) -> ScenarioEvent? {
        while let event = try event(until: deadline) {
            if event.type == "reset" { throw ScenarioFailure(Self.reset) }
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

    private func event(until deadline: ContinuousClock.Instant) throws(ScenarioFailure) -> ScenarioEvent? {
        if let looked = again.popFirst() { return looked }
        return try source.next(until: deadline)
    }

    private static func offset(_ cursor: String) -> Int64? { cursor.split(separator: "-").last.flatMap { Int64($0) } }
}
