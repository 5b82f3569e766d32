import Formats

/// Writes a scenario from a recording.
///
/// Ids of messages become variables, times become `after` and `within`, and texts stay as they are, for a person to
/// loosen. Both sides are played. What no step can play becomes a comment.
package struct ScenarioWriter {
    private let file: String
    private var lines: [String] = []
    private var last: Timestamp?
    private var state: String?
    private var seen: Set<String> = []
    /// Variables of the messages that have been said, by id.
    private var variables: [String: String] = [:]

    /// The scenario's YAML. Throws ``ScenarioFault`` with the line of the recording.
    ///
    /// - Parameter thread: nil if the recording has one thread with messages.
    package static func write(_ recording: [UInt8], file: String, thread: String? = nil) throws(ScenarioFault) -> String
    {
        var read: [JSONElement] = []
        for (index, line) in recording.split(separator: UInt8(ascii: "\n")).enumerated() {
            do throws(JSONSyntaxError) {
                read.append(try JSONText(Array(line)).root)
            } catch {
                throw ScenarioFault(file: file, line: index + 1, reason: "it is not JSON")
            }
        }
        func fault(_ reason: String) -> ScenarioFault { ScenarioFault(file: file, line: 1, reason: reason) }
        guard let head = read.first, head["format"]?.string == "parley-recording", head["version"]?.number == "1" else {
            throw fault("it is no recording of parley record")
        }
        let events = read.dropFirst()
        let said = Set(events.compactMap { $0["data"]?["message"]?["threadId"]?.string })
        guard let only = thread ?? said.first, said.contains(only) else { throw fault("no message is in it") }
        guard thread != nil || said.count == 1 else {
            throw fault("it has messages of \(said.count) threads; name one: \(said.sorted().joined(separator: ", "))")
        }
        var writer = ScenarioWriter(file: file)
        writer.begin(head)
        for event in events {
            guard let data = event["data"] else { continue }
            if (data["threadId"]?.string ?? data["thread"]?["id"]?.string) == only { writer.add(event, data) }
        }
        let text = writer.lines.joined(separator: "\n") + "\n"
        // A recording may have more steps than a scenario, and what is written must be what can be read.
        _ = try ScenarioReader.read(text, file: file)
        return text
    }

    private init(file: String) { self.file = file }

    private mutating func begin(_ head: JSONElement) {
        let name = head["customer"]?["firstName"]?.string.map { ", firstName: \(Self.literal($0))" } ?? ""
        lines = [
            "scenario: \(Self.quoted("from \(file)"))",
            "variables: {channel: \(Self.quoted(head["channel"]?.string ?? ""))}",
            "channel: \"${channel}\"", "actors:", "  customer: {as: customer\(name)}", "  agent: {as: agent}", "steps:",
        ]
    }

    private mutating func add(_ event: JSONElement, _ data: JSONElement) {
        switch event["type"]?.string {
        case "message.created":
            guard let message = data["message"] else { return }
            say(message)
        case "message.updated":
            guard let message = data["message"], message["status"]?.string == "seen",
                let time = message["seenAt"]?.string.flatMap(Timestamp.init(rfc3339:)),
                let id = message["id"]?.string, seen.insert(id).inserted
            else { return }
            let isCustomer = message["direction"]?.string == "toClient"
            // Who reads, reads all that is there.
            if lines.last?.contains("message.status: seen") == true, time == last { return }
            step(isCustomer ? "customer" : "agent", "", isReader: true, at: time)
            lines.append(
                "  - \(isCustomer ? "agent" : "customer"): {expect: message.updated, where: {message.status: seen}}")
        case "thread.updated":
            guard let now = data["thread"]?["state"]?.string, now != state else { return }
            defer { state = now }
            guard now == "closed" || now == "archived", state != nil || !variables.isEmpty else { return }
            lines.append("  - \(now == "closed" ? "agent" : "customer"): close")
            // Not every platform tells the customer of it.
            if now == "closed" { lines.append("  - agent: {expect: thread, state: closed}") }
        default: break
        }
    }

    private mutating func say(_ message: JSONElement) {
        guard let id = message["id"]?.string, let kind = message["author"]?["kind"]?.string else { return }
        let time = message["createdAt"]?.string.flatMap(Timestamp.init(rfc3339:))
        let hasText = message["type"]?.string == "text" && message["attachments"]?.isEmpty != false
        guard hasText, kind != "system", let text = message["text"]?.string, !text.isEmpty else {
            lines.append("  # A message of \(kind), \(message["type"]?.string ?? "unknown"), which no step can play.")
            last = time ?? last
            return
        }
        let parent = message["parentId"]?.string.flatMap { variables[$0] }
        let variable = "m\(variables.count + 1)"
        variables[id] = variable
        let (from, to) = kind == "customer" ? ("customer", "agent") : ("agent", "customer")
        let reply = parent.map { ", replyTo: \"${\($0)}\"" } ?? ""
        let gap = step(
            from, "text: \(Self.literal(text))\(reply), save: {\(variable): message.id}", isReader: false, at: time)
        // Not every platform tells the customer what an answer belongs to.
        lines.append(
            "  - \(to): {expect: message, from: \(from), text: \(Self.wanted(text)), within: \(max(10, 2 * gap / 1000))s}"
        )
    }

    /// Writes a step of one who does something. Returns the milliseconds since the step before.
    @discardableResult
    private mutating func step(_ actor: String, _ parts: String, isReader: Bool, at time: Timestamp?) -> Int64 {
        let gap = time.flatMap { time in last.map { max(0, time.milliseconds - $0.milliseconds) } } ?? 0
        last = time ?? last
        // A shorter one is what the gateway itself took.
        let after = gap >= 100 ? "after: \(gap)ms" : ""
        if isReader {
            lines.append("  - \(actor): \(after.isEmpty ? "read" : "{read: true, \(after)}")")
        } else {
            lines.append("  - \(actor): {\(parts)\(after.isEmpty ? "" : ", " + after)}")
        }
        return gap
    }

    // MARK: Texts

    /// Without variables.
    private static func literal(_ text: String) -> String { quoted(text.replacing("${", with: "$${")) }

    /// What an expectation compares with: a text between slashes would be an expression.
    private static func wanted(_ text: String) -> String {
        guard text.count > 1, text.hasPrefix("/"), text.hasSuffix("/") else { return literal(text) }
        return quoted("/^\(text.escapedForExpression)$/")
    }

    /// A text as YAML writes it between quotes.
    private static func quoted(_ text: String) -> String {
        let inner = text.escapingScalars { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\n": "\\n"
            // A star looks like an alias to the reader, and the others are no letters of YAML, or end a line there.
            case "*", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}": "\\u\(scalar.fourDigits)"
            default: scalar.isObeyed ? "\\u\(scalar.fourDigits)" : nil
            }
        }
        return "\"\(inner)\""
    }
}
