import Testing

/// One request and what its answer must be like, for every driver.
///
/// `$S` stands for the id of the test's session; `$TOKEN` and `$SESSION_TOKEN` for tokens.
struct Scenario: Sendable, CustomTestStringConvertible {
    enum Who: Sendable { case gateway, session, nobody }

    var method: String
    var path: String
    var who = Who.gateway
    var headers: [(String, String)] = []
    var body: String?
    var status: Int
    var code: String?
    var contains: [String] = []
    var lacks: [String] = []
    /// Header and a part of its value.
    var expects: [(String, String)] = []
    var events: [String] = []

    init(
        _ method: String, _ path: String, _ status: Int, as who: Who = .gateway, headers: [(String, String)] = [],
        body: String? = nil, code: String? = nil, contains: [String] = [], lacks: [String] = [],
        expects: [(String, String)] = [], events: [String] = []
    ) {
        self.method = method
        self.path = path
        self.status = status
        self.who = who
        self.headers = headers
        self.body = body
        self.code = code
        self.contains = contains
        self.lacks = lacks
        self.expects = expects
        self.events = events
    }

    var testDescription: String { "\(method) \(path.prefix(80)) \(body?.prefix(60) ?? "") -> \(status) \(code ?? "")" }

    func request(at gateway: TestGateway) -> Request {
        var fields = headers.map { ($0.0, fill($0.1, gateway)) }
        switch who {
        case .gateway: fields.append(("Authorization", "Bearer \(TestGateway.token)"))
        case .session: fields.append(("Authorization", "Bearer \(gateway.sessionToken)"))
        case .nobody: break
        }
        if body != nil, !headers.contains(where: { $0.0 == "Content-Type" }) { fields.append(("Content-Type", "application/json")) }
        return Request(method: method, path: fill(path, gateway), headers: fields, body: body.map { fill($0, gateway) }, events: events)
    }

    private func fill(_ text: String, _ gateway: TestGateway) -> String {
        text.replacing("$S", with: gateway.session)
    }

    func check(_ answer: Answer) {
        #expect(answer.status == status, "\(answer.body)")
        if let code { #expect(answer.body.contains("\"code\":\"\(code)\""), "\(answer.body)") }
        if status >= 400, method != "HEAD", code != nil {
            #expect(answer["Content-Type"] == "application/problem+json")
            #expect(answer.body.contains("\"instance\":\"urn:parley:request:"))
        }
        for part in contains { #expect(answer.body.contains(part), "\(part) in \(answer.body)") }
        for part in lacks { #expect(!answer.body.contains(part), "\(part) in \(answer.body)") }
        for (name, value) in expects { #expect(answer[name]?.contains(value) == true, "\(name): \(answer[name] ?? "-")") }
        if !events.isEmpty { #expect(StreamedEvent.parse(answer.body).map(\.type) == events, "\(answer.body)") }
        // Every answer whatsoever.
        #expect(answer["X-Request-Id"] != nil)
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Referrer-Policy"] == "no-referrer")
        #expect(answer["Cross-Origin-Opener-Policy"] == "same-origin")
        #expect(answer["Cross-Origin-Resource-Policy"] == "same-origin")
        #expect(answer["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
        #expect(answer["Cache-Control"] != nil)
    }
}
