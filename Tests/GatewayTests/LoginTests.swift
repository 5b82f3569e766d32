import ChatModel
import ChatStore
import Formats
import GatewaySupport
import HTTPRouting
import MicroHTTP
import TestSupport
import Testing

@testable import Gateway

/// The headers of a browser that is signed in.
struct TestLogin {
    let secrets = LoginSecrets()
    let cookie: (String, String)

    /// Signs a browser in, for ten minutes.
    init(at gateway: TestGateway) async throws {
        let core = gateway.application.core
        let now = core.environment.now()
        let login = Login(
            id: secrets.id, person: Login.operatorID, cookieDigest: LoginSecrets.digest(secrets.cookie),
            pageDigest: LoginSecrets.digest(secrets.page), how: "code", createdAt: now,
            expiresAt: now.advanced(byMilliseconds: 600_000))
        _ = try await core.logins.add(
            login, NewAuditEntry(actor: "gateway", actorName: "gateway", action: "login.created", subject: login.id))
        cookie = ("Cookie", "parley_p_\(gateway.store.instance)=\(secrets.cookie)")
    }

    var page: (String, String) { (LoginSecrets.pageHeader, secrets.page) }
    var halves: [(String, String)] { [cookie, page] }
}

@Suite struct LoginTests {
    private static let origin = ("Sec-Fetch-Site", "same-origin")

    private static func request(
        _ method: String, _ path: String, _ headers: [(String, String)] = [], _ body: String? = nil
    ) -> Request {
        Request(
            method: method, path: path, headers: headers + (body == nil ? [] : [("Content-Type", "application/json")]),
            body: body)
    }

    @Test(arguments: Driver.allCases)
    func aBrowserGetsInByACode(driver: Driver) async throws {
        try await TestGateway.run { gateway in
            let path = gateway.application.issueLaunchPath()
            let code = path.dropFirst("/auth/".count)
            let redeem = Self.request("POST", "/auth/codes/\(code)/redeem", [Self.origin])
            let answers = try await driver.answers(
                to: [
                    Self.request("HEAD", path), Self.request("GET", path),
                    Self.request("POST", "/auth/codes/\(code)/redeem", [("Origin", "https://evil.example")]), redeem,
                    redeem,
                    Self.request("GET", path),
                ], at: gateway)
            #expect(answers.map(\.status) == [200, 200, 403, 200, 410, 410])
            #expect(answers[1].body.contains("/assets/redeem.js"), "the page's script redeems the code")
            let set = try #require(answers[3]["Set-Cookie"])
            for part in [
                "parley_p_\(gateway.store.instance)=", "HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=7776000",
            ] {
                #expect(set.contains(part))
            }
            let login = try #require(gateway.application.core.logins.all(at: gateway.environment.now).first)
            #expect(answers[3].body.contains(login.id) && !set.contains("Secure"))
            #expect(login.person == Login.operatorID && login.how == "code")
        }
    }

    /// A program on another port of the host gets the cookie, and nothing else.
    @Test(arguments: Driver.allCases)
    func oneHalfOpensNothing(driver: Driver) async throws {
        try await TestGateway.run { gateway in
            let login = try await TestLogin(at: gateway)
            let other = try await TestLogin(at: gateway)
            let rows: [([(String, String)], Int, String?)] = [
                (login.halves, 200, nil), ([login.cookie], 401, "\"half\":\"page\""),
                ([login.page], 401, "\"half\":\"cookie\""), ([login.cookie, other.page], 401, nil),
                ([("Cookie", "parley_p_another=\(login.secrets.cookie)"), login.page], 401, "\"half\":\"cookie\""),
                ([("Cookie", "\(login.cookie.1)x"), login.page], 401, nil),
                ([("Cookie", "parley_p_\(gateway.store.instance)="), login.page], 401, nil),
                // A token counts before a login, also a wrong one.
                (login.halves + [("Authorization", "Bearer wrong")], 401, nil),
            ]
            let answers = try await driver.answers(
                to: rows.map { Self.request("GET", "/v1/sessions", $0.0) }, at: gateway)
            for (row, answer) in zip(rows, answers) {
                #expect(answer.status == row.1, "\(row)")
                #expect(
                    answer.body.contains("\"half\"") == (row.2 != nil) && (row.2.map(answer.body.contains) ?? true),
                    "\(row)")
            }
        }
    }

    @Test(arguments: Driver.allCases)
    func aPageOfAnotherOriginWritesNothing(driver: Driver) async throws {
        try await TestGateway.run { gateway in
            let login = try await TestLogin(at: gateway)
            let (host, body) = (("Host", "chat.example"), "{\"channel\":\"multi\"}")
            let answers = try await driver.answers(
                to: [
                    Self.request("POST", "/v1/sessions", login.halves, body),
                    Self.request(
                        "POST", "/v1/sessions", [host] + login.halves + [("Origin", "http://chat.example")], body),
                    Self.request("POST", "/v1/sessions", login.halves + [Self.origin], body),
                    Self.request(
                        "POST", "/v1/sessions", [host] + login.halves + [("Origin", "http://localhost")], body),
                    Self.request("POST", "/auth/logout", login.halves + [("Origin", "https://evil.example")]),
                ], at: gateway)
            #expect(answers.map(\.status) == [403, 201, 201, 403, 403])
        }
    }

    @Test(arguments: Driver.allCases)
    func logoutEndsTheLogin(driver: Driver) async throws {
        try await TestGateway.run { gateway in
            let (first, second, third) = (
                try await TestLogin(at: gateway), try await TestLogin(at: gateway), try await TestLogin(at: gateway)
            )
            let answers = try await driver.answers(
                to: [
                    Self.request("GET", "/auth/status", first.halves),
                    Self.request("GET", "/auth/status", [first.cookie]),
                    Self.request("POST", "/auth/logout", first.halves + [Self.origin]),
                    Self.request("GET", "/v1/sessions", first.halves),
                    Self.request("GET", "/v1/sessions", second.halves),
                    Self.request("POST", "/auth/logout", second.halves + [Self.origin], "{\"everywhere\":true}"),
                    Self.request("GET", "/v1/sessions", third.halves),
                    Self.request("POST", "/auth/logout", third.halves + [Self.origin]),
                ], at: gateway)
            #expect(answers.map(\.status) == [200, 200, 204, 401, 200, 204, 401, 204])
            #expect(
                answers[0].body.contains("\"as\":\"operator\"") && answers[0].body.contains("\"authenticated\":true"))
            #expect(answers[1].body == "{\"authenticated\":false,\"half\":\"page\",\"methods\":[\"code\"]}")
            #expect(try #require(answers[2]["Set-Cookie"]).contains("Max-Age=0"))
            let entries = try await gateway.store.read {
                try $0.auditEntries(before: nil, actor: nil, action: nil, limit: 9)
            }
            #expect(entries.prefix(2).map(\.action) == ["login.allRemoved", "login.removed"])
        }
    }

    @Test func aLoginEndsInTime() async throws {
        try await withStore(environment: TestEnvironment()) { store in
            let ring = LoginRing(store: store)
            let secrets = LoginSecrets()
            let start = Timestamp(milliseconds: 1_000_000)
            func moved(_ milliseconds: Int64) -> Timestamp { start.advanced(byMilliseconds: milliseconds) }
            let login = Login(
                id: secrets.id, person: Login.operatorID, cookieDigest: LoginSecrets.digest(secrets.cookie),
                pageDigest: LoginSecrets.digest(secrets.page), how: "code", createdAt: start, expiresAt: moved(200_000))
            _ = try await ring.add(
                login, NewAuditEntry(actor: "gateway", actorName: "", action: "login.created", subject: login.id))
            func found(_ time: Timestamp) -> LoginRing.Finding {
                ring.find(cookie: Substring(secrets.cookie), page: secrets.page, at: time)
            }
            #expect(found(moved(199_999)) == .valid(login) && found(moved(200_000)) == .ended)
            #expect(ring.find(cookie: "x.y", page: secrets.page, at: start) == .ended)
            #expect(ring.find(cookie: Substring(secrets.cookie), page: nil, at: start) == .halfMissing(login))
            #expect(ring.find(cookie: Substring(secrets.cookie), page: "x", at: start) == .wrong)
            #expect(ring.use(login.id, at: moved(59_999)) && ring.login(login.id)?.lastUsedAt == start)
            #expect(ring.use(login.id, at: moved(60_000)) && ring.login(login.id)?.lastUsedAt == moved(60_000))
            #expect(!ring.use(login.id, at: moved(200_000)) && !ring.isValid(login.id, at: moved(200_000)))

            let again = LoginRing(store: store)
            try await again.load()
            #expect(again.all(at: start).map(\.id) == [login.id])
        }
    }

    /// The oldest goes, so that a program which signs in again and again fills nothing.
    @Test func operatorsHaveSoManyLogins() async throws {
        try await TestGateway.run { gateway in
            for _ in 0...Login.maximumCount { _ = try await TestLogin(at: gateway) }
            let kept = gateway.application.core.logins.all(at: gateway.environment.now).count
            let stored = try await gateway.store.read { try $0.logins().count }
            #expect(kept == Login.maximumCount && stored == kept)
        }
    }

    @Test(
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36 Edg/156.0",
                "Edge on Windows"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Mobile Safari/604.1",
                "Safari on iOS"
            ),
            ("curl/8.5", "curl"), ("something", ""), ("", ""),
        ])
    func browsersHaveNames(header: String, name: String) { #expect(BrowserName.of(header) == name) }
}

@Suite struct TicketTests {
    private static func tokens(key: UInt8 = 7) -> TokenAuthority {
        TokenAuthority(
            secrets: TokenSecrets(gatewayToken: "gate", key: Array(repeating: key, count: 32)), generation: { _ in 1 })
    }

    @Test(
        arguments: [
            Ticket.Owner.gateway, .login("l1"), .key("BVTXTPgS", mark: "a-_9"), .session("s.2", generation: 3),
            .session("a~b/ü", generation: 1),
        ])
    func aTicketIsReadAsItWasMade(owner: Ticket.Owner) throws {
        let tokens = Self.tokens()
        let ticket = Ticket(for: "/a?b=c", owner: owner, at: Timestamp(milliseconds: 61_000), tokens)
        #expect(ticket.end == Timestamp(milliseconds: 1_200_000))
        let read = try #require(Ticket(ticket.text))
        #expect(read == ticket && read.opens("/a?b=c", tokens))
        for target in ["/a", "/a?b=d", "/A?b=c", ""] { #expect(!read.opens(target, tokens)) }
        #expect(!read.opens("/a?b=c", Self.tokens(key: 8)))
    }

    @Test(arguments: [
        "", ".", "..", "1.g", "x.g.y", "-1.g.y", "1.q.y", "1.s~1.y", "1.s~x~1.y", "9223372036854775807.g.y", "1..y",
    ])
    func whatIsNoTicketIsRefused(text: String) { #expect(Ticket(text) == nil) }

    /// With each change of one part it is not good any more.
    @Test func noPartCanBeChanged() throws {
        let tokens = Self.tokens()
        let text = Ticket(for: "/a", owner: .session("s1", generation: 1), at: Timestamp(milliseconds: 0), tokens).text
        for wrong in [
            text.replacing("1200.", with: "1800."), text.replacing("s~1~", with: "s~2~"),
            text.replacing("s1", with: "s2"),
            text.replacing("s~1~s1", with: "g"), String(text.dropLast()), text + "A",
        ] {
            #expect(Ticket(wrong)?.opens("/a", tokens) != true, "\(wrong)")
        }
    }

    @Test(arguments: Driver.allCases)
    func aTicketOpensOneAddressForAWhile(driver: Driver) async throws {
        try await TestGateway.run { gateway in
            let path = "/v1/sessions/\(gateway.session)/threads/t1/transcript?format=text"
            let core = gateway.application.core
            func ticket(_ path: String, _ owner: Ticket.Owner) -> String {
                Ticket(for: path, owner: owner, at: core.environment.now(), core.tokens).text
            }
            let own = Ticket.Owner.session(
                gateway.session, generation: core.tokens.generation(of: gateway.session) ?? 0)
            let good = ticket(path, own)
            func get(_ target: String, _ headers: [(String, String)] = []) -> Request {
                Request(method: "GET", path: target, headers: headers)
            }
            let login = try await TestLogin(at: gateway)
            let rows: [(Request, Int)] = [
                (get("\(path)&ticket=\(good)"), 200), (get(path), 401),
                (get("\(path)&ticket=\(ticket(path, .gateway))"), 200),
                (get("\(path)&ticket=\(ticket(path, .login(login.secrets.id)))"), 200),
                (get("\(path)&ticket=\(ticket(path, .login("gone")))"), 401),
                (get("\(path)&ticket=\(ticket(path, .key("gone", mark: "x")))"), 401),
                (get("\(path)&ticket=\(ticket(path, .session(gateway.session, generation: 99)))"), 401),
                (get("\(path)&ticket=\(ticket(path, .session("gone", generation: 1)))"), 401),
                (get("\(path.replacing("text", with: "html"))&ticket=\(good)"), 401),
                (get("\(path)&ticket=x"), 401), (get("\(path)&ticket="), 401),
                // What is sent as a header counts, and no ticket covers up a wrong token.
                (get("\(path)&ticket=\(good)", [("Authorization", "Bearer wrong")]), 401),
                (get("/v1/sessions/\(gateway.session)?ticket=\(good)"), 401),
                (get("\(path)&ticket=\(good)"), 200), (get(path), 401),
            ]
            let answers = try await driver.answers(to: rows.map(\.0), at: gateway)
            for (row, answer) in zip(rows, answers) { #expect(answer.status == row.1, "\(row.0.path): \(answer.body)") }
            gateway.environment.advance(milliseconds: 20 * 60_000)
            let late = try await driver.answers(to: [get("\(path)&ticket=\(good)")], at: gateway)
            #expect(late.map(\.status) == [401])
        }
    }
}
