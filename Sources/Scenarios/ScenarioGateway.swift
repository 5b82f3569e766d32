import Foundation
import Formats

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
        _ segments: [String], _ write: ((inout JSONWriter) -> Void)? = nil
    ) throws(ScenarioFailure) -> JSONText {
        guard let write else { return try .answer(call("POST", segments, query: [], body: nil)) }
        var json = JSONWriter()
        json.beginObject()
        write(&json)
        json.endObject()
        return try .answer(call("POST", segments, query: [], body: json.bytes))
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
