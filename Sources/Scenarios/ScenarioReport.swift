import Formats

/// What came of the runs of scenarios.
package struct ScenarioReport {
    package struct Result {
        package var scenario: Scenario
        var duration: Duration
        /// In lines that are safe to show; nil for a run that went well.
        package var failure: [String]?
    }

    package var results: [Result] = []

    package var failures: Int { results.count { $0.failure != nil } }

    /// What a failed run came to: the step, what came instead, and the transcript so far. A message of several lines goes
    /// on further to the right, so that no line of it looks like a message.
    static func words(_ scenario: Scenario, line: Int, _ reason: String, _ transcript: [String]) -> [String] {
        var lines = ["\(scenario.file):\(line): \(reason)".shownSafely]
        for said in transcript.isEmpty ? ["(nothing was said)"] : transcript {
            let parts = said.linesShownSafely
            lines += ["    \(parts[0])"] + parts.dropFirst().map { "        \($0)" }
        }
        return lines
    }

    /// As JUnit writes it: one suite with one case for each run.
    package var junit: String {
        let seconds = results.reduce(Duration.zero) { $0 + $1.duration }
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites><testsuite name=\"parley scenarios\" tests=\"\(results.count)\" failures=\"\(failures)\""
        xml += " errors=\"0\" skipped=\"0\" time=\"\(Self.seconds(seconds))\">\n"
        for result in results {
            xml += "<testcase classname=\"\(result.scenario.file.shownSafely.escapedForMarkup)\""
            xml +=
                " name=\"\(result.scenario.title.shownSafely.escapedForMarkup)\" time=\"\(Self.seconds(result.duration))\""
            guard let failure = result.failure else {
                xml += "/>\n"
                continue
            }
            xml += "><failure message=\"\((failure.first ?? "").escapedForMarkup)\" type=\"step\">"
            xml += failure.map(\.escapedForMarkup).joined(separator: "\n")
            xml += "</failure></testcase>\n"
        }
        return xml + "</testsuite></testsuites>"
    }

    /// https://testanything.org, version 13.
    package var tap: String {
        var lines = ["TAP version 13", "1..\(results.count)"]
        for (number, result) in results.enumerated() {
            // Behind a hash there would be a directive, such as TODO.
            let title = result.scenario.title.shownSafely.escapingScalars { $0 == "#" ? "" : nil }
            lines.append((result.failure == nil ? "ok " : "not ok ") + "\(number + 1) - \(title)")
            for line in result.failure ?? [] { lines.append("# \(line)") }
        }
        return lines.joined(separator: "\n")
    }

    private static func seconds(_ time: Duration) -> String {
        let thousandths = time / .milliseconds(1)
        return "\((thousandths).rounded() / 1000)"
    }
}

/// Messages and events as people read them.
package enum Transcript {
    /// Author and text in one line; nil for no message.
    package static func line(_ message: JSONElement?) -> String? { message.map { "\(author($0)): \(text($0))" } }

    package static func author(_ message: JSONElement) -> String {
        let author = message["author"]
        return author?["name"]?.string ?? author?["id"]?.string ?? author?["kind"]?.string ?? ""
    }

    /// The text, and the names of the files; of a message without either, its type.
    package static func text(_ message: JSONElement) -> String {
        let files = (message["attachments"]?.elements ?? []).map { "[\($0["name"]?.string ?? "file")]" }
        let parts = [message["text"]?.string].compactMap { $0 }.filter { !$0.isEmpty } + files
        return parts.isEmpty ? "[\(message["type"]?.string ?? "")]" : parts.joined(separator: " ")
    }

    /// What happened, in a few words.
    package static func words(_ type: String, _ data: JSONElement) -> String {
        switch type {
        case "message.created", "message.updated": return line(data["message"]) ?? ""
        case "message.removed": return data["messageId"]?.string ?? ""
        case "thread.created", "thread.updated":
            let thread = data["thread"]
            return [thread?["name"]?.string, thread?["state"]?.string].compactMap { $0 }.joined(separator: ", ")
        case "typing":
            let author = data["author"]?["name"]?.string ?? data["author"]?["id"]?.string ?? ""
            return author + (data["isTyping"]?.kind == .true ? " types" : " has stopped typing")
        case "chat.updated": return data["state"]?.string ?? ""
        case "reset": return "\(data["reason"]?.string ?? ""): load \(data["snapshot"]?.string ?? "")"
        default: return String(decoding: data.bytes, as: UTF8.self)
        }
    }
}
