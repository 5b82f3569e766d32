import Formats

@testable import Scenarios

/// A gateway in memory with one thread, and a clock that moves when somebody waits: for scenarios that are played
/// without a network and without time.
///
/// What a request leads to comes at once to both sides. What else happens is scheduled.
final class ScenarioWorld: ScenarioGateway, ScenarioDesk, @unchecked Sendable {
    private let begun = ContinuousClock.now
    /// Since the beginning.
    private(set) var time = Duration.zero
    /// Each request that changes something: `POST path body`.
    private(set) var asked: [String] = []
    private var offset = 0
    private var messages = 0
    private var scheduled: [(time: Duration, event: ScenarioEvent)] = []
    private(set) var isDeskFollowed = false
    /// What an app asks the sandbox for, and when.
    private var frames: [(time: Duration, type: String)] = []
    /// The path's part of a request that fails.
    var failing: String?

    // MARK: What happens by itself

    /// - Parameter data: with `'` for quotation marks.
    func happens(_ type: String, at time: Duration, _ data: String) {
        offset += 1
        let data = Array(data.replacing("'", with: "\"").utf8)
        scheduled.append((time, ScenarioEvent(id: "e-\(offset)", type: type, data: data)))
        scheduled.sort { $0.time < $1.time }
    }

    func says(_ author: String, _ text: String, at time: Duration) {
        messages += 1
        happens("message.created", at: time, Self.created("x\(messages)", author, text))
    }

    /// An app asks the sandbox for something.
    func asksSandbox(_ type: String, at time: Duration) {
        frames.append((time, type))
        frames.sort { $0.time < $1.time }
    }

    /// The frames as the sandbox tells them: those that there are by now, or are there when the wait ends.
    /// Whose frames were asked for.
    private(set) var platforms: [String?] = []

    private func frames(_ path: String) -> [UInt8] {
        let parts = path.split { "?&".contains($0) }.map { $0.split(separator: "=", maxSplits: 1) }
        func number(_ name: String) -> Int { parts.first { $0[0] == name }.flatMap { Int($0[1]) } ?? 0 }
        let after = number("after"), event = parts.first { $0[0] == "event" }.map { String($0[1]) }
        if !frames.indices.contains(after) || frames[after].time > time {
            let next = frames.indices.contains(after) ? frames[after].time : .seconds(1_000_000)
            move(to: min(next, time + .seconds(number("wait"))))
        }
        let come = frames.filter { $0.time <= time }
        let items = come.dropFirst(after).filter { $0.type == event }.map { frame in
            let at = Timestamp(milliseconds: Int64(frame.time / .milliseconds(1))).rfc3339
            return "{\"kind\":\"request\",\"type\":\"\(frame.type)\",\"at\":\"\(at)\"}"
        }
        return Array("{\"items\":[\(items.joined(separator: ","))],\"last\":\(come.count)}".utf8)
    }

    private static func created(_ id: String, _ author: String, _ text: String) -> String {
        "{'threadId':'t1','message':{'id':'\(id)','text':'\(text)','author':{'id':'\(author)','kind':'\(author)'}}}"
    }

    // MARK: The run's side

    var clock: ScenarioClock {
        ScenarioClock(now: { [self] in begun + time }, sleep: { [self] in move(to: begun.duration(to: $0)) })
    }

    private func move(to other: Duration) { time = max(time, other) }

    func at(_ place: Scenario.Place) -> ScenarioWorld { self }

    func events(of session: String, after cursor: String) -> any ScenarioEvents { Events(self) }

    func events(of conversation: DeskEvents.Conversation) -> any ScenarioEvents {
        isDeskFollowed = true
        return Events(self)
    }

    func remove(_ events: any ScenarioEvents) { isDeskFollowed = false }

    func upload(_ file: String, to segments: [String]) -> String {
        asked.append("POST /v1/\(segments.joined(separator: "/"))")
        return "f1"
    }

    func deskEvents() -> any ScenarioEvents { Events(self) }

    func environment() -> [String: String?] { [:] }

    func call(
        _ method: String, _ segments: [String], query: [(String, String)], body: [UInt8]?
    ) throws(ScenarioFailure) -> [UInt8] {
        let path = "/v1/" + segments.joined(separator: "/")
        if method == "POST" {
            let asked = query.map { "?\($0)=\($1)" }.joined()
            return try post(path + asked, body ?? Array("{}".utf8))
        }
        if method != "GET" { asked.append("\(method) \(path)") }
        if path.contains("/sandbox/frames") {
            platforms.append(query.first { $0.0 == "platform" }?.1)
            return frames(path + "?" + query.map { "\($0)=\($1)" }.joined(separator: "&"))
        }
        if path.contains("/events") { return Array("{\"cursor\":\"e-\(offset)\"}".utf8) }
        return Array("{\"items\":[{\"id\":\"t1\"}]}".utf8)
    }

    private func post(_ path: String, _ json: [UInt8]) throws(ScenarioFailure) -> [UInt8] {
        asked.append("POST \(path) \(String(decoding: json, as: UTF8.self))")
        if let failing, path.contains(failing) { throw ScenarioFailure("It is refused.") }
        if path == "/v1/sessions" { return Array(#"{"id":"s1","cursor":"e-0"}"#.utf8) }
        guard path.hasSuffix("/messages") else { return [] }
        messages += 1
        let author = path.contains("/desk/") ? "agent" : "customer"
        let text = (try? JSONText(json))?.root["text"]?.string ?? ""
        let created = Self.created("m\(messages)", author, text).replacing("'", with: "\"")
        happens("message.created", at: time, created)
        return Array(try JSONText.answer(Array(created.utf8)).root["message"]?.bytes ?? [])
    }

    /// What one side sees.
    private final class Events: ScenarioEvents {
        private let world: ScenarioWorld
        private var place = 0

        init(_ world: ScenarioWorld) { self.world = world }

        var thread: String? { "t1" }
        func prepare() {}

        func next(until deadline: ContinuousClock.Instant) throws(ScenarioFailure) -> ScenarioEvent? {
            let end = world.begun.duration(to: deadline)
            guard place < world.scheduled.count, world.scheduled[place].time <= end else {
                world.move(to: end)
                return nil
            }
            defer { place += 1 }
            world.move(to: world.scheduled[place].time)
            return world.scheduled[place].event
        }
    }
}
