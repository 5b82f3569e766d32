import Formats

/// What a run needs of a gateway. Tests bring their own.
protocol ScenarioGateway {
    /// The gateway at another place.
    func at(_ place: Scenario.Place) -> Self
    /// The body of an answer 2xx. Throws ``CommandFailure`` for any other.
    func call(
        _ method: String, _ path: String, headers: [(String, String)], body: [UInt8]?
    ) throws(CommandFailure) -> [UInt8]
    /// The answer to a POST with this body, as JSON; an empty object when it has none. Throws ``CommandFailure``.
    func post(_ path: String, _ write: ((inout JSONWriter) -> Void)?) throws(CommandFailure) -> JSONText
    /// The events of a session after a cursor. Throws ``CommandFailure``.
    func events(of session: String, after cursor: String) throws(CommandFailure) -> any ScenarioEvents
}

extension ScenarioGateway {
    /// The answer to a GET, as JSON. Throws ``CommandFailure``.
    func read(_ path: String) throws(CommandFailure) -> JSONText {
        try GatewayClient.json(call("GET", path, headers: [("Accept", "application/json")], body: nil))
    }
}

extension GatewayClient: ScenarioGateway {
    func events(of session: String, after cursor: String) throws(CommandFailure) -> any ScenarioEvents {
        let scope = FeedScope(sessions: [session], isDesk: false)
        // What is told about single streams would be lost among the results.
        return SessionEvents(
            following: try Following(self, scope, from: .after(cursor), output: Output(format: .table, isQuiet: true)))
    }
}

/// The agents' side of a gateway, as far as a run needs it.
protocol ScenarioDesk: Sendable {
    /// The events of a conversation from now on.
    func events(of conversation: DeskEvents.Conversation) -> any ScenarioEvents
    /// Nobody takes these any more.
    func remove(_ events: any ScenarioEvents)
}

/// The events that one actor sees, one after the other.
protocol ScenarioEvents: AnyObject {
    /// The one conversation that they are of; nil if that is not known, or if they are of several.
    var thread: String? { get }
    /// Waits until they are live. Throws ``CommandFailure``.
    func prepare() throws(CommandFailure)
    /// The next one; nil when the deadline has passed. Throws ``CommandFailure``.
    func next(until deadline: ContinuousClock.Instant) throws(CommandFailure) -> FeedEvent?
}

/// The events of a session.
private final class SessionEvents: ScenarioEvents {
    let following: Following

    init(following: Following) { self.following = following }

    var thread: String? { nil }

    func prepare() throws(CommandFailure) {
        let end = ContinuousClock.now + .seconds(60)
        // What comes before `ready` happened before the first step.
        while case .event(let event) = try following.next(until: end) { if event.type == "ready" { return } }
        throw ScenarioFeed.noFeed
    }

    func next(until deadline: ContinuousClock.Instant) throws(CommandFailure) -> FeedEvent? {
        guard case .event(let event) = try following.next(until: deadline) else { return nil }
        return event
    }
}

/// The time by which a run waits.
struct ScenarioClock {
    let now: () -> ContinuousClock.Instant
    let sleep: (ContinuousClock.Instant) -> Void

    /// The computer's. To sleep blocks the thread.
    static var real: ScenarioClock { ScenarioClock(now: { .now }, sleep: { Waiting.sleep(until: $0) }) }
}
