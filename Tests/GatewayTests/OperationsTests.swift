import ChatModel
import GatewaySupport
import HTTPRouting
import Logging
import TestSupport
import Testing

@testable import Gateway

@Suite struct OperationsTests {
    private let token = [("Authorization", "Bearer \(TestGateway.token)")]

    private func get(_ path: String) -> Request { Request(method: "GET", path: path, headers: token) }

    @Test(.onSQLite("fills SQLite's disk")) func readinessNamesWhatFails() async throws {
        try await TestGateway.run(isReconnected: false) { gateway in
            try await gateway.fillDisk()
            gateway.application.drain()
            let answers = try await Driver.process.answers(
                to: [get("/readyz"), get("/readyz?verbose=true"), get("/livez")], at: gateway)
            #expect(answers.map(\.status) == [503, 503, 200])
            let fault = "The disk that holds the data folder is full."
            #expect(answers[0].body == "not ok: store (\(fault)), sessions, running\n")
            #expect(answers[1].body.contains("{\"name\":\"store\",\"status\":\"failing\",\"detail\":\"\(fault)\"}"))
        }
    }

    @Test(.onSQLite("fills SQLite's disk")) func readinessComesBackWithTheDisk() async throws {
        try await TestGateway.run { gateway in
            let send = Request(
                method: "POST", path: "/v1/sessions/\(gateway.session)/threads/t1/messages",
                headers: token + [("Content-Type", "application/json")], body: "{\"text\":\"x\"}")
            try await gateway.fillDisk()
            let full = try await Driver.process.answers(to: [get("/readyz"), get("/metrics")], at: gateway)
            #expect(full[0].status == 503)
            #expect(full[0].body == "not ok: store (The disk that holds the data folder is full.)\n")
            // The send, and the probe.
            #expect(full[1].body.contains("parley_store_errors_total{work=\"write\",code=\"storageFull\"} 2\n"))
            try gateway.emptyDisk()
            let answers = try await Driver.process.answers(to: [get("/readyz"), send], at: gateway)
            #expect(answers.map(\.status) == [200, 201])
        }
    }

    @Test func metricsAreWellFormedAndCountRequests() async throws {
        try await TestGateway.run { gateway in
            let answers = try await Driver.socket.answers(
                to: [get("/v1/info"), get("/v1/sessions/nope"), get("/nowhere"), get("/metrics"), get("/metrics")],
                at: gateway)
            let text = answers[4].body
            for line in [
                "parley_http_request_duration_seconds_count{route=\"/v1/info\",method=\"GET\",class=\"2xx\"} 1",
                "parley_http_request_duration_seconds_bucket{route=\"/v1/sessions/{session}\",method=\"GET\",class=\"4xx\",le=\"+Inf\"} 1",
                "parley_http_request_duration_seconds_count{route=\"none\",method=\"none\",class=\"4xx\"} 1",
                "parley_http_request_duration_seconds_count{route=\"/metrics\",method=\"GET\",class=\"2xx\"} 1",
                "# TYPE parley_stream_lag_events gauge", "# TYPE parley_store_commits counter",
                "parley_stream_resets_total{reason=\"expired\"} 0", "parley_pages_waiting 0",
                "parley_store_errors_total{work=\"write\",code=\"storageFull\"} 0",
            ] { #expect(text.contains(line + "\n"), "\(line)") }
            #expect(text.hasSuffix("# EOF\n") && !text.contains("\n\n"))
            // Every sample belongs to a family that has a type and a help.
            var families: Set<String> = []
            var helped: Set<String> = []
            for line in text.split(separator: "\n") where line != "# EOF" {
                let words = line.split(separator: " ")
                if line.hasPrefix("# TYPE") {
                    #expect(families.insert(String(words[2])).inserted, "\(line) twice")
                } else if line.hasPrefix("# HELP") {
                    helped.insert(String(words[2]))
                } else if !line.hasPrefix("# UNIT") {
                    #expect(families.contains { line.hasPrefix($0) }, "\(line)")
                    #expect(Double(words.last ?? "") != nil)
                }
            }
            #expect(families == helped)
        }
    }

    @Test func histogramsAreCumulative() {
        var histogram = Histogram()
        for seconds in [0.0001, 0.002, 0.002, 100] { histogram.observe(seconds) }
        var out = OpenMetricsWriter()
        out.histogram("h", [("a", "\"x\"\\")], histogram)
        #expect(out.text.contains("h_bucket{a=\"\\\"x\\\"\\\\\",le=\"0.0005\"} 1\n"))
        #expect(
            out.text.contains("le=\"0.0025\"} 3\n") && out.text.contains("le=\"10\"} 3\n")
                && out.text.contains("le=\"+Inf\"} 4\n"))
    }

    /// A label is one line of a scraper, whatever is in it.
    @Test func labelsAreEscapedByCodePoints() {
        var out = OpenMetricsWriter()
        out.sample("m", [("a", "x\r\ny\"\u{301}\\\u{1B}")], 1)
        #expect(out.text == #"m{a="x\\u{d}\ny\""# + "\u{301}" + #"\\\\u{1b}"} 1"# + "\n")
    }

    @Test(.onSQLite("fills SQLite's disk"), arguments: [Logger.Level.debug, .info, .warning])
    func theAccessLogHasLevelsAndNoSecrets(level: Logger.Level) async throws {
        let lines = Journal<String>()
        let logger = Logger(label: "access") { _ in Recorder(lines: lines, logLevel: level) }
        try await TestGateway.run(logger: logger) { gateway in
            try await gateway.fillDisk()
            let unknown = Request(method: "GET", path: "/v1/sessions/secret", headers: token + [("X-Request-Id", "r1")])
            let send = Request(
                method: "POST", path: "/v1/sessions/\(gateway.session)/threads/t1/messages",
                headers: token + [("Content-Type", "application/json")],
                body: "{\"text\":\"secret\(String(repeating: "x", count: 60_000))\"}")
            _ = try await Driver.socket.answers(
                to: [get("/v1/info"), unknown, send, get("/livez"), get("/readyz")], at: gateway)
        }
        let written = lines.entries.filter { $0.contains(" request bytes=") }
        let expected: [(level: Logger.Level, end: String)] = [
            (.debug, "method=GET request_id= route=/v1/info status=200"),
            (.info, "method=GET request_id=r1 route=/v1/sessions/{session} status=404"),
            (.warning, "method=POST request_id= route=/v1/sessions/{session}/threads/{thread}/messages status=507"),
        ].filter { $0.level >= level }
        #expect(written.count == expected.count, "probes are left out")
        for (line, expected) in zip(written, expected) {
            #expect(line.hasPrefix("\(expected.level) request bytes="))
            #expect(line.replacing(/request_id=id[^ ]*/, with: "request_id=").hasSuffix(" \(expected.end)"))
        }
        #expect(lines.entries.allSatisfy { !$0.contains("secret") && !$0.contains(TestGateway.token) })
    }

    /// A client that has its share already gets 429 as often as it asks.
    @Test(arguments: [(200, Logger.Level.debug), (404, .info), (429, .debug), (503, .warning)])
    func whoeverIsRefusedForAskingTooMuchFillsNoLog(status: Int, level: Logger.Level) {
        #expect(AccessLog.level(of: status) == level)
    }

    private struct Recorder: LogHandler {
        let lines: Journal<String>
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: Logging.LogEvent) {
            let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines.add("\(event.level) \(event.message) \(values.joined(separator: " "))")
        }
    }

    @Test func theLogIsChangedAtRunTime() async throws {
        try await TestGateway.run { gateway in
            let put = Request(
                method: "PUT", path: "/v1/log", headers: token + [("Content-Type", "application/json")],
                body: "{\"verbosity\":\"full\"}")
            let answers = try await Driver.process.answers(to: [put, get("/v1/log")], at: gateway)
            #expect(answers[1].body == "{\"level\":\"info\",\"verbosity\":\"full\"}")
        }
    }
}
