import Formats
import Foundation

/// What runs need of a gateway. The commands' client is one; tests bring their own.
package protocol ScenarioGateway: Sendable {
    /// The gateway at another place.
    func at(_ place: Scenario.Place) -> Self
    /// The body of an answer 2xx. A GET takes JSON alone, and a body is JSON.
    ///
    /// - Parameter segments: of the path below `/v1`, not encoded.
    func call(
        _ method: String, _ segments: [String], query: [(String, String)], body: [UInt8]?
    ) throws(ScenarioFailure) -> [UInt8]
    /// Uploads a file of this machine, and returns the attachment's id.
    func upload(_ file: String, to segments: [String]) throws(ScenarioFailure) -> String
    /// The events of a session after a cursor.
    func events(of session: String, after cursor: String) throws(ScenarioFailure) -> any ScenarioEvents
    /// All events of the desk from now on.
    func deskEvents() throws(ScenarioFailure) -> any ScenarioEvents
    /// The variables by which a program finds this gateway; nil for one that must not be set.
    func environment() throws(ScenarioFailure) -> [String: String?]
}

extension ScenarioGateway {
    /// The answer to a GET, as JSON.
    func read(_ segments: [String], _ query: [(String, String)] = []) throws(ScenarioFailure) -> JSONText {
        try .answer(call("GET", segments, query: query, body: nil))
    }

    /// The answer to a POST with this body, as JSON; an empty object when it has none.
    func post(
        _ segments: [String], _ query: [(String, String)] = [], _ write: ((inout JSONWriter) -> Void)? = nil
    ) throws(ScenarioFailure) -> JSONText {
        guard let write else { return try .answer(call("POST", segments, query: query, body: nil)) }
        var json = JSONWriter()
        json.beginObject()
        write(&json)
        json.endObject()
        return try .answer(call("POST", segments, query: query, body: json.bytes))
    }
}

extension JSONText {
    /// A gateway's answer.
    static func answer(_ bytes: [UInt8]) throws(ScenarioFailure) -> JSONText {
        do throws(JSONSyntaxError) {
            return bytes.isEmpty ? .emptyObject : try JSONText(bytes)
        } catch {
            throw ScenarioFailure("The gateway's answer is not JSON.")
        }
    }
}

/// Why a gateway, or a program, did not do what a run asked of it.
package struct ScenarioFailure: Error {
    package let message: String
    /// The client's own error; nil for what the run has found by itself.
    package let cause: (any Error)?

    package init(_ message: String, cause: (any Error)? = nil) { (self.message, self.cause) = (message, cause) }
}

/// An event of a feed.
package struct ScenarioEvent: Sendable, Equatable {
    /// The place after the event; nil for what is live only.
    let id: String?
    let type: String
    /// JSON.
    let data: [UInt8]

    package init(id: String?, type: String, data: [UInt8]) { (self.id, self.type, self.data) = (id, type, data) }

    /// Whether the event tells only how far the feed is.
    var isMark: Bool { type == "ready" || type == "ping" }
}

/// The events that one actor sees, one after the other.
package protocol ScenarioEvents: AnyObject {
    /// The one conversation that they are of; nil if that is not known, or if they are of several.
    var thread: String? { get }
    /// Waits until they are live.
    func prepare() throws(ScenarioFailure)
    /// The next one; nil when the deadline has passed.
    func next(until deadline: ContinuousClock.Instant) throws(ScenarioFailure) -> ScenarioEvent?
}

/// The agents' side of a gateway, as far as a run needs it.
protocol ScenarioDesk: Sendable {
    /// The events of a conversation from now on.
    func events(of conversation: DeskEvents.Conversation) -> any ScenarioEvents
    /// Nobody takes these any more.
    func remove(_ events: any ScenarioEvents)
}

/// The time by which a run waits.
struct ScenarioClock {
    let now: () -> ContinuousClock.Instant
    let sleep: (ContinuousClock.Instant) -> Void

    /// The computer's. To sleep blocks the thread.
    static var real: ScenarioClock {
        ScenarioClock(
            now: { .now },
            sleep: { Thread.sleep(forTimeInterval: max(0, ContinuousClock.now.duration(to: $0) / .seconds(1))) })
    }
}

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
    func recordSeen(_ event: ScenarioEvent, isTaken: Bool) {
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
