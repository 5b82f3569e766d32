import Chat
import ChatModel
import ChatStore
import Logging
import Synchronization
import Testing

@testable import Gateway

@Suite struct OperationsTests {
    private let token = [("Authorization", "Bearer \(TestGateway.token)")]

    private func get(_ path: String) -> Request { Request(method: "GET", path: path, headers: token) }

    @Test func readinessNamesWhatFails() async throws {
        let gateway = try await TestGateway()
        gateway.store.setWritable(false)
        gateway.sessions.setReady(false)
        gateway.application.drain()
        let answers = try await Driver.process.answers(to: [get("/readyz"), get("/readyz?verbose=true"), get("/livez")], at: gateway)
        #expect(answers.map(\.status) == [503, 503, 200])
        #expect(answers[0].body == "not ok: store, sessions, running\n")
        #expect(answers[1].body.contains("{\"name\":\"store\",\"status\":\"failing\"}"))
    }

    @Test func metricsAreWellFormedAndCountRequests() async throws {
        let gateway = try await TestGateway()
        let answers = try await Driver.socket.answers(
            to: [get("/v1/info"), get("/v1/sessions/nope"), get("/nowhere"), get("/metrics"), get("/metrics")], at: gateway)
        let text = answers[4].body
        for line in [
            "parley_http_request_duration_seconds_count{route=\"/v1/info\",method=\"GET\",class=\"2xx\"} 1",
            "parley_http_request_duration_seconds_bucket{route=\"/v1/sessions/{session}\",method=\"GET\",class=\"4xx\",le=\"+Inf\"} 1",
            "parley_http_request_duration_seconds_count{route=\"none\",method=\"none\",class=\"4xx\"} 1",
            "parley_http_request_duration_seconds_count{route=\"/metrics\",method=\"GET\",class=\"2xx\"} 1",
            "# TYPE parley_stream_lag_events gauge", "# TYPE parley_store_commits counter", "parley_stream_resets_total{reason=\"expired\"} 0",
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

    @Test func histogramsAreCumulative() {
        var histogram = Histogram()
        for seconds in [0.0001, 0.002, 0.002, 100] { histogram.observe(seconds) }
        var out = OpenMetricsWriter()
        out.histogram("h", [("a", "\"x\"\\")], histogram)
        #expect(out.text.contains("h_bucket{a=\"\\\"x\\\"\\\\\",le=\"0.0005\"} 1\n"))
        #expect(out.text.contains("le=\"0.0025\"} 3\n") && out.text.contains("le=\"10\"} 3\n") && out.text.contains("le=\"+Inf\"} 4\n"))
    }

    @Test func theAccessLogHasNoSecrets() async throws {
        let lines = Mutex<[String]>([])
        let logger = Logger(label: "access") { _ in Recorder(lines: { line in lines.withLock { $0.append(line) } }) }
        let gateway = try await TestGateway(logger: logger)
        let session = Request(method: "GET", path: "/v1/sessions/secret", headers: token + [("X-Request-Id", "r1")])
        _ = try await Driver.socket.answers(to: [session, get("/livez")], at: gateway)
        let written = lines.withLock { $0 }
        #expect(written.count == 1, "probes are left out")
        #expect(written[0].hasPrefix("request bytes=") && written[0].hasSuffix(" method=GET request_id=r1 route=/v1/sessions/{session} status=404"))
        #expect(!written[0].contains("secret") && !written[0].contains(TestGateway.token))
    }

    private struct Recorder: LogHandler {
        let lines: @Sendable (String) -> Void
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        init(lines: @escaping @Sendable (String) -> Void) { self.lines = lines }
        func log(event: Logging.LogEvent) {
            let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines("\(event.message) \(values.joined(separator: " "))")
        }
    }

    @Test func theLogIsChangedAtRunTime() async throws {
        let gateway = try await TestGateway()
        let put = Request(method: "PUT", path: "/v1/log", headers: token + [("Content-Type", "application/json")], body: "{\"verbosity\":\"full\"}")
        let answers = try await Driver.process.answers(to: [put, get("/v1/log")], at: gateway)
        #expect(answers[1].body == "{\"level\":\"info\",\"verbosity\":\"full\"}")
    }

    // MARK: Waiting for a connection

    @Test func aRequestWaitsForASessionThatIsConnecting() async throws {
        let gateway = try await TestGateway(sleep: { _ in try await Task.sleep(for: .seconds(1000)) })
        let client = try gateway.client
        client.set(.connecting)
        let send = Request(
            method: "POST", path: "/v1/sessions/\(gateway.session)/threads/t1/messages",
            headers: token + [("Content-Type", "application/json")], body: "{\"text\":\"x\"}")
        async let answers = Driver.process.answers(to: [send], at: gateway)
        // Several states go by; only the last lets it through.
        client.set(.connecting)
        await Task.yield()
        client.set(.ready)
        #expect(try await answers[0].status == 201)
    }

    @Test func theWaitEnds() async throws {
        let gateway = try await TestGateway(sleep: { #expect($0 == .seconds(10)) })
        try gateway.client.set(.connecting)
        let send = Request(
            method: "POST", path: "/v1/sessions/\(gateway.session)/threads/t1/messages",
            headers: token + [("Content-Type", "application/json")], body: "{\"text\":\"x\"}")
        let answer = try await Driver.process.answers(to: [send], at: gateway)[0]
        #expect(answer.status == 409 && answer.body.contains("notConnected"))
    }
}
