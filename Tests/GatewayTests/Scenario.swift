import GatewaySupport
import Testing

/// Not the one that waits in `Chat`.
typealias Answer = GatewaySupport.Answer

/// One request and what its answer must be like, for every driver.
///
/// `$S` stands for the id of the test's session, `$L` for one on the channel `live`, `$EPOCH` and `$INSTANCE` for the
/// store's, and `$CREATED`, `$ANNOUNCED`, `$SENT` and `$HEAD` for the offsets of ``TestGateway``.
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
    /// POSTs (or, with a method before the path, others) with the gateway's token that go before.
    var before: [(path: String, body: String?)]

    init(
        _ method: String, _ path: String, _ status: Int, as who: Who = .gateway, headers: [(String, String)] = [],
        body: String? = nil, code: String? = nil, contains: [String] = [], lacks: [String] = [],
        expects: [(String, String)] = [], events: [String] = [], after before: (path: String, body: String?)? = nil,
        afterAll all: [(path: String, body: String?)] = []
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
        self.before = before.map { [$0] } ?? all
    }

    var testDescription: String { "\(method) \(path.prefix(80)) \(body?.prefix(60) ?? "") -> \(status) \(code ?? "")" }

    /// The request itself is the last.
    func requests(at gateway: TestGateway, live: String?) -> [Request] {
        before.map { step in
            let words = step.path.split(separator: " ").map(String.init)
            return Scenario(words.count > 1 ? words[0] : "POST", words.last ?? "", 0, body: step.body).request(
                at: gateway, live)
        } + [request(at: gateway, live)]
    }

    /// Whether a session on the channel `live` is needed.
    var usesLiveChat: Bool { (before.map(\.path) + [path]).contains { $0.contains("$L") } }

    private func request(at gateway: TestGateway, _ live: String?) -> Request {
        let filled = { (text: String) -> String in fill(text, gateway, live) }
        var fields = headers.map { ($0.0, filled($0.1)) }
        switch who {
        case .gateway: fields.append(("Authorization", "Bearer \(TestGateway.token)"))
        case .session: fields.append(("Authorization", "Bearer \(gateway.sessionToken)"))
        case .nobody: break
        }
        if body != nil, !headers.contains(where: { $0.0 == "Content-Type" }) {
            fields.append(("Content-Type", "application/json"))
        }
        return Request(method: method, path: filled(path), headers: fields, body: body.map(filled), events: events)
    }

    private func fill(_ text: String, _ gateway: TestGateway, _ live: String?) -> String {
        guard text.contains("$") else { return text }
        let (offsets, store) = (gateway.offsets, gateway.store)
        // `$S` begins another one and comes last.
        return [
            ("$CREATED", "\(offsets.created)"), ("$ANNOUNCED", "\(offsets.announced)"), ("$SENT", "\(offsets.sent)"),
            ("$HEAD", "\(offsets.head)"), ("$EPOCH", store.feed.epoch), ("$INSTANCE", store.instance),
            ("$L", live ?? ""), ("$S", gateway.session),
        ].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    func check(_ answer: Answer, at gateway: TestGateway, live: String? = nil) {
        for failure in failures(of: answer, at: gateway, live: live) { Issue.record("\(failure)") }
    }

    /// What of the answer is not as it must be.
    func failures(of answer: Answer, at gateway: TestGateway, live: String? = nil) -> [String] {
        let filled = { (text: String) -> String in fill(text, gateway, live) }
        var found: [String] = []
        func expect(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { found.append(what()) } }
        expect(answer.status == status, "\(answer.status) instead of \(status): \(answer.body)")
        if let code { expect(answer.body.contains("\"code\":\"\(code)\""), "no \(code): \(answer.body)") }
        if status >= 400, method != "HEAD", code != nil {
            expect(
                answer["Content-Type"] == "application/problem+json", "no problem, but \(answer["Content-Type"] ?? "-")"
            )
            expect(answer.body.contains("\"instance\":\"urn:parley:request:"), "no instance: \(answer.body)")
        }
        for part in contains.map(filled) { expect(answer.body.contains(part), "no \(part) in \(answer.body)") }
        for part in lacks { expect(!answer.body.contains(part), "\(part) in \(answer.body)") }
        for (name, value) in expects.map({ ($0.0, filled($0.1)) }) {
            expect(answer[name]?.contains(value) == true, "\(name): \(answer[name] ?? "-"), without \(value)")
        }
        if !events.isEmpty {
            expect(StreamedEvent.parse(answer.body).map(\.type) == events, "not \(events): \(answer.body)")
        }
        // Every answer whatsoever.
        for (name, value) in Self.security { expect(answer[name] == value, "\(name): \(answer[name] ?? "-")") }
        expect(answer["X-Request-Id"] != nil, "no X-Request-Id")
        expect(
            answer["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true, "no Content-Security-Policy")
        expect(answer["Cache-Control"] != nil, "no Cache-Control")
        return found
    }

    private static let security = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
