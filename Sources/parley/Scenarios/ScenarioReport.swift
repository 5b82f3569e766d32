/// What came of the runs of scenarios.
struct ScenarioReport {
    struct Result {
        var scenario: Scenario
        var duration: Duration
        /// Nil for a run that went well.
        var failure: String?
    }

    var results: [Result] = []

    var failures: Int { results.count { $0.failure != nil } }

    /// What a failed run came to: the step, what came instead, and the transcript so far.
    static func words(_ scenario: Scenario, line: Int, _ reason: String, _ transcript: [String]) -> String {
        let said = transcript.isEmpty ? ["(nothing was said)"] : transcript
        return "\(scenario.file):\(line): \(reason)\n" + said.map { "    \($0.shownSafely)" }.joined(separator: "\n")
    }

    /// As JUnit writes it: one suite with one case for each run.
    var junit: String {
        let seconds = results.reduce(Duration.zero) { $0 + $1.duration }
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites><testsuite name=\"parley scenarios\" tests=\"\(results.count)\" failures=\"\(failures)\""
        xml += " errors=\"0\" skipped=\"0\" time=\"\(Self.seconds(seconds))\">\n"
        for result in results {
            xml += "<testcase classname=\"\(result.scenario.file.escapedForMarkup)\""
            xml += " name=\"\(result.scenario.title.escapedForMarkup)\" time=\"\(Self.seconds(result.duration))\""
            guard let failure = result.failure else {
                xml += "/>\n"
                continue
            }
            let first = failure.prefix { $0 != "\n" }
            xml += "><failure message=\"\(String(first).escapedForMarkup)\" type=\"step\">\(failure.escapedForMarkup)"
            xml += "</failure></testcase>\n"
        }
        return xml + "</testsuite></testsuites>"
    }

    /// https://testanything.org, version 13.
    var tap: String {
        var lines = ["TAP version 13", "1..\(results.count)"]
        for (number, result) in results.enumerated() {
            let title = "\(number + 1) - \(result.scenario.title.shownSafely)".filter { $0 != "#" }
            lines.append((result.failure == nil ? "ok " : "not ok ") + title)
            for line in result.failure?.split(separator: "\n") ?? [] { lines.append("# \(line)") }
        }
        return lines.joined(separator: "\n")
    }

    private static func seconds(_ time: Duration) -> String {
        let thousandths = time / .milliseconds(1)
        return "\((thousandths).rounded() / 1000)"
    }
}
