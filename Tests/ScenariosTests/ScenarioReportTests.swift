import Formats
import Testing

@testable import Scenarios

@Suite struct ScenarioReportTests {
    private static let hostile = "a]]>b<c>&\"'\u{1b}[2J\u{0}\u{FFFF}\r\n\t\u{202E}é# -- \\"

    private func report(_ failures: [String]?..., title: String = hostile) -> ScenarioReport {
        let scenario = Scenario(
            file: "dir/\(title).yaml", title: title, session: [], variables: [:], actors: [], steps: [])
        return ScenarioReport(
            results: failures.map {
                ScenarioReport.Result(scenario: scenario, duration: .milliseconds(1234), failure: $0)
            })
    }

    /// Only characters that XML 1.0 can write, and no mark-up out of texts. Tests/Contract holds the whole to a schema.
    @Test func aHostileTextStaysTextInJUnit() {
        let xml = report(nil, ["first \(Self.hostile.shownSafely)", "second"]).junit
        #expect(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"2.468\""))
        #expect(
            xml.contains(
                #"name="a]]&gt;b&lt;c&gt;&amp;&quot;'\u{1b}[2J\u{0}"# + "\u{FFFD}"
                    + #"\u{d}\u{a}\u{9}\u{202e}é# -- \""#))
        #expect(!xml.contains("]]>") && !xml.contains("<c>"))
        #expect(xml.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        #expect(xml.components(between: "<failure message=\"", and: "\" type=\"step\">")?.contains("second") == false)
        #expect(xml.components(between: "type=\"step\">", and: "</failure>")?.hasSuffix("\nsecond") == true)
    }

    @Test func inTAPAResultIsOneLine() {
        let failure = ScenarioReport.words(Self.scenario, line: 2, "it was \(Self.hostile)", ["Ada: a\r\nnot ok 2 - b"])
        let lines = report(nil, failure).tap.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map(String.init)
        #expect(lines.count == 7 && lines[0] == "TAP version 13" && lines[1] == "1..2")
        #expect(lines[2].hasPrefix("ok 1 - a]]>b") && lines[3].hasPrefix("not ok 2 - a]]>b"))
        #expect(!lines[2].unicodeScalars.contains("#") && lines[4...].allSatisfy { $0.hasPrefix("# ") })
        #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { !$0.isObeyed } })
    }

    private static let scenario = Scenario(
        file: "a.yaml", title: "", session: [], variables: [:], actors: [], steps: [])

    /// No line of a message looks like another message.
    @Test func aFailureIsToldWithWhatWasSaid() {
        let told = ScenarioReport.words(
            Self.scenario, line: 3, "why\r\nnot", ["Ada: \u{1b}[2J", "Bo: two\r\nBo: lines\u{202E}"])
        #expect(
            told == [
                #"a.yaml:3: why\u{d}\u{a}not"#, #"    Ada: \u{1b}[2J"#, "    Bo: two", #"        Bo: lines\u{202e}"#,
            ])
        #expect(ScenarioReport.words(Self.scenario, line: 1, "why", []).last == "    (nothing was said)")
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
