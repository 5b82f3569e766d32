import Formats
import Testing

@testable import parley

@Suite struct ScenarioReportTests {
    private static let hostile = "a]]>b<c>&\"'\u{1b}[2J\u{0}\u{FFFF}\r\n\t\u{202E}é# -- \\"

    private func report(_ failures: String?..., title: String = hostile) -> ScenarioReport {
        let scenario = Scenario(
            file: "dir/\(title).yaml", title: title, session: [], variables: [:], actors: [], steps: [])
        return ScenarioReport(
            results: failures.map {
                ScenarioReport.Result(scenario: scenario, duration: .milliseconds(1234), failure: $0)
            })
    }

    /// Only characters that XML 1.0 can write, and no mark-up out of texts. Tests/Contract holds the whole to a schema.
    @Test func aHostileTextStaysTextInJUnit() {
        let xml = report(nil, "first \(Self.hostile)\nsecond").junit
        #expect(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"2.468\""))
        #expect(
            xml.contains(
                "name=\"a]]&gt;b&lt;c&gt;&amp;&quot;'\u{FFFD}[2J\u{FFFD}\u{FFFD}&#13;&#10;&#9;\u{202E}é# -- \\\""))
        #expect(!xml.contains("]]>") && !xml.contains("<c>"))
        #expect(xml.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        #expect(xml.components(between: "<failure message=\"", and: "\" type=\"step\">")?.contains("second") == false)
        #expect(xml.components(between: "type=\"step\">", and: "</failure>")?.hasSuffix("&#10;second") == true)
    }

    @Test func inTAPAResultIsOneLine() {
        let lines = report(nil, "one\ntwo").tap.split(separator: "\n")
        #expect(lines.count == 6 && lines[0] == "TAP version 13" && lines[1] == "1..2")
        #expect(lines[2].hasPrefix("ok 1 - a]]>b") && lines[3].hasPrefix("not ok 2 - a]]>b"))
        #expect(!lines[2].contains("#") && lines[4] == "# one" && lines[5] == "# two")
    }

    @Test func aFailureIsToldWithWhatWasSaid() {
        let scenario = Scenario(file: "a.yaml", title: "", session: [], variables: [:], actors: [], steps: [])
        let told = ScenarioReport.words(scenario, line: 3, "why", ["Ada: \u{1b}[2J", "Bo: two\nlines"])
        #expect(told == "a.yaml:3: why\n    Ada: \\u{1b}[2J\n    Bo: two\\u{a}lines")
        #expect(ScenarioReport.words(scenario, line: 1, "why", []).hasSuffix("(nothing was said)"))
    }
}

extension String {
    /// What stands between two words for the first time.
    fileprivate func components(between start: String, and end: String) -> Substring? {
        guard let from = range(of: start)?.upperBound, let to = self[from...].range(of: end)?.lowerBound else {
            return nil
        }
        return self[from..<to]
    }
}
