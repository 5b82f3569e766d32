import ChatModel
import ChatStore
import Formats
import GatewaySupport
import HTTPRouting
import MicroHTTP
import TestSupport
import Testing

@testable import Gateway

@Suite struct PasswordTests {
    /// A text that libxcrypt's crypt(3) has made with the same setting, elsewhere.
    @Test func aPasswordMatchesItsHashAlone() throws {
        let hash = try #require(PasswordHash.of("two herons on a green boat"))
        #expect(hash.hasPrefix(PasswordHash.prefix) && hash.utf8.count == 73)
        #expect(PasswordHash.matches("two herons on a green boat", hash))
        for wrong in ["two herons on a green boa", "two herons on a green boat ", "", "*", "*0"] {
            #expect(!PasswordHash.matches(wrong, hash))
        }
        #expect(PasswordHash.of("two herons on a green boat") != hash, "each has a salt of its own")
        #expect(
            PasswordHash.matches(
                "xyzxyz", "$y$jAT$zhn.0/9rcN.ak61jCWy5s.$8DwomcCjDrEcm65s11Ja9s4pK9iO.na9XqDSBs3XYh0"))
    }

    /// crypt(3) reads up to a NUL, and refuses what is too long: neither may match.
    @Test(arguments: ["", "*", "*0", "*1", "x", "$y$", "$y$jAT$", "$1$x"])
    func whatIsNoHashMatchesNothing(hash: String) {
        for password in ["", "*", "*0", "x\u{0}", String(repeating: "a", count: 501)] {
            #expect(!PasswordHash.matches(password, hash))
        }
    }

    @Test func aPasswordHasNoNULAndIsNotTooLong() {
        #expect(PasswordHash.of("abcdefghijklmno\u{0}p") == nil)
        #expect(PasswordHash.of(String(repeating: "a", count: 501)) == nil)
        #expect(PasswordHash.of(String(repeating: "a", count: 500)) != nil)
    }

    private static let mara = Person(
        id: "mara", email: "mara.lind@shop.example", name: "Mara Lind", publicName: "Mara", role: .agent,
        createdAt: Timestamp(milliseconds: 0))

    @Test(
        arguments: [
            ("two herons on a green boat", nil), ("vierzehn reihen", nil), ("vierzehn zeich", .short),
            (String(repeating: "🦩🦀🐙🐝🐌", count: 3), nil), (String(repeating: "🦩🦀🐙🐝🐌", count: 26), .long),
            (String(repeating: "abcd", count: 5), .repeated), ("Correct Horse Battery Staple!", .common),
            ("password1234567890", .common), ("passwordherons15", nil), ("mara.lind@shop.example", .personal),
            ("Mara Lind 2026!!", .personal), ("herons of Mara Lind", nil),
            ("Parley parley parley!", .repeated), ("greenboatgreenboatgre", .repeated), ("qwertyuiopasdfgh", .common),
            ("...............,-+", .repeated),
        ] as [(String, PasswordRules.Weakness?)])
    func weakPasswords(password: String, weakness: PasswordRules.Weakness?) {
        #expect(PasswordRules.weakness(of: password, for: Self.mara) == weakness)
    }

    @Test func whoGuessesWaitsAndNobodyElse() {
        let clock = ManualClock()
        let limits = SignInLimits(
            addresses: FailureLimiter(limit: 20, elapsed: clock.stopwatch()), elapsed: clock.stopwatch())
        func address(_ last: Int) -> Peer { .unix(uid: UInt32(last)) }
        for _ in 0..<5 {
            #expect(limits.wait("a@x", address(1), login: nil) == nil)
            limits.countFailure("a@x", address(1), login: nil)
        }
        #expect(limits.wait("a@x", address(1), login: nil) == 900)
        #expect(limits.wait("b@x", address(1), login: nil) == nil, "another name")
        #expect(limits.wait("a@x", address(2), login: nil) == nil, "another address")
        for other in 2..<5 { for _ in 0..<5 { limits.countFailure("a@x", address(other), login: nil) } }
        #expect(limits.wait("a@x", address(9), login: nil) == 3600, "20 failures from everywhere")
        #expect(limits.wait("a@x", address(9), login: "l1") == nil, "who is signed in there is not locked out")
        for number in 0..<20 { limits.countFailure("c\(number)@x", address(7), login: nil) }
        #expect(limits.wait("d@x", address(7), login: nil) == 60, "20 failures of one address")
        #expect(limits.wait("d@x", address(7), login: "l1") == nil, "the address of a proxy is everybody's")
        for _ in 0..<5 { limits.countFailure("a@x", address(9), login: "l1") }
        #expect(limits.wait("a@x", address(9), login: "l1") == 900, "a stolen login guesses no password")
        #expect(limits.wait("a@x", address(9), login: "l2") == nil, "another browser of the person")
        clock.advance(by: .seconds(900))
        #expect(limits.wait("a@x", address(9), login: "l1") == nil)
    }

    /// Few run, few wait, and the others are told at once.
    @Test func fewPasswordsAreComputedAtATime() async throws {
        let passwords = Passwords()
        let outcomes = await withTaskGroup(of: Bool?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try? await passwords.isRight("wrong", nil, from: .unix(uid: UInt32(number)))
                }
            }
            return await group.reduce(into: [Bool?]()) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 != true })
        #expect(outcomes.contains { $0 == false } && outcomes.contains { $0 == nil })
    }
}

@Suite struct PersonAccessTests {
    private static let origin = ("Sec-Fetch-Site", "same-origin")

    private static func add(_ person: Person, to gateway: TestGateway) async throws {
        let entry = NewAuditEntry(actor: "gateway", actorName: "", action: "person.created", subject: person.id)
        try await gateway.application.core.people.add(person, receipt: nil, entry)
    }

    private static func person(_ id: String, _ role: PersonRole, state: PersonState = .active) -> Person {
        Person(id: id, email: "\(id)@x", name: id, role: role, state: state, createdAt: Timestamp(milliseconds: 0))
    }

    /// Signs a person in, and returns the headers.
    private static func halves(
        of person: String, at gateway: TestGateway, how: String = "password"
    ) async throws -> [(String, String)] {
        let core = gateway.application.core
        let secrets = LoginSecrets()
        let now = core.environment.now()
        let login = Login(
            id: secrets.id, person: person, cookieDigest: LoginSecrets.digest(secrets.cookie),
            pageDigest: LoginSecrets.digest(secrets.page), how: how, createdAt: now,
            expiresAt: now.advanced(byMilliseconds: LoginRing.personLife), confirmedAt: now)
        _ = try await core.logins.add(
            login, NewAuditEntry(actor: "", actorName: "", action: "login.created", subject: login.id))
        return [
            ("Cookie", "parley_p_\(gateway.store.instance)=\(secrets.cookie)"), (LoginSecrets.pageHeader, secrets.page),
            origin,
        ]
    }

    @Test func anAdministratorShowsAgainWhoTheyAre() async throws {
        try await TestGateway.run { gateway in
            try await Self.add(Self.person("ann", .administrator), to: gateway)
            let halves = try await Self.halves(of: "ann", at: gateway)
            let ask = Request(method: "GET", path: "/v1/logins", headers: halves)
            func status() async throws -> (Int, String) {
                let answer = try await Driver.process.answers(to: [ask], at: gateway)[0]
                return (answer.status, answer.body)
            }
            gateway.environment.advance(milliseconds: 15 * 60_000 - 1)
            var (code, body) = try await status()
            #expect(code == 200)
            gateway.environment.advance(milliseconds: 1)
            (code, body) = try await status()
            #expect(code == 403 && body.contains("confirmationNeeded"))
        }
    }

    @Test func aLoginEndsWithoutUseAndInAnyCase() async throws {
        try await TestGateway.run { gateway in
            try await Self.add(Self.person("ann", .agent), to: gateway)
            let halves = try await Self.halves(of: "ann", at: gateway)
            let ask = Request(method: "GET", path: "/v1/me", headers: halves)
            let day: Int64 = 86_400_000
            func status() async throws -> Int { try await Driver.process.answers(to: [ask], at: gateway)[0].status }
            for _ in 0..<6 {
                gateway.environment.advance(milliseconds: 14 * day - 1)
                let code = try await status()
                #expect(code == 200)
            }
            try await gateway.application.maintain()
            gateway.environment.advance(milliseconds: 7 * day)
            let last = try await status()
            #expect(last == 401, "90 days are over")
            let again = try await Self.halves(of: "ann", at: gateway)
            gateway.environment.advance(milliseconds: 14 * day)
            let unused = try await Driver.process.answers(
                to: [Request(method: "GET", path: "/v1/me", headers: again)], at: gateway)[0].status
            #expect(unused == 401)
        }
    }

    /// A stream cannot be asked for the proxy's header again, so it ends, and comes back with it.
    @Test func whatAProxysLoginOpensEndsAfterAWhile() async throws {
        let secret = String(repeating: "s", count: IdentityProxy.minimumSecretLength)
        let proxy = try IdentityProxy(
            header: "Remote-Email", proxies: ["127.0.0.1"], secret: secret, users: [], isCreating: false)
        let route = Route(.get, "/x", "x", access: .known, handler: .now { _ in HTTPResponse(status: 204) })
        try await TestGateway.run(identityProxy: proxy) { gateway in
            try await Self.add(Self.person("ann", .agent), to: gateway)
            let core = gateway.application.core
            let word = [("Remote-Email", "ann@x"), (IdentityProxy.secretHeader, secret)]
            func opened(_ how: String) async throws -> TokenAuthority.Holder {
                let request = HTTPRequest(
                    method: "GET", target: "/x",
                    headers: try await Self.halves(of: "ann", at: gateway, how: how) + word,
                    peer: .tcp(.loopback(port: 1)))
                let found = try Credentials(core: core).holder(of: request, for: route, parameters: PathParameters())
                return found.holder
            }
            let (direct, proxied) = (try await opened("password"), try await opened(Login.byProxy))
            gateway.environment.advance(milliseconds: 15 * 60_000 - 1)
            #expect(core.isValid(direct) && core.isValid(proxied))
            gateway.environment.advance(milliseconds: 1)
            #expect(core.isValid(direct) && !core.isValid(proxied))
            #expect(core.accessEnd(of: proxied) == .changed, "who comes back is let in")
            let login = try #require(core.logins.all(at: gateway.environment.now).first { $0.how == Login.byProxy }).id
            try await core.logins.remove(
                login, NewAuditEntry(actor: "", actorName: "", action: "login.removed", subject: login))
            #expect(core.accessEnd(of: proxied) == .signedOut)
        }
    }

    /// An administrator has changed what the person may do, after the gate has let a stream in and before it was there.
    @Test func whatWasLetInBeforeARightShrinksMustEnd() async throws {
        try await TestGateway.run { gateway in
            try await Self.add(Self.person("ann", .agent), to: gateway)
            let core = gateway.application.core
            let route = Route(.get, "/x", "x", access: .known, handler: .now { _ in HTTPResponse(status: 204) })
            let request = HTTPRequest(
                method: "GET", target: "/x", headers: try await Self.halves(of: "ann", at: gateway),
                peer: .tcp(.loopback(port: 1)))
            let (holder, rights) = try Credentials(core: core).holder(
                of: request, for: route, parameters: PathParameters())
            let checked = Findings.Checked(route: route, parameters: PathParameters(), holder: holder, rights: rights)
            let entry = NewAuditEntry(actor: "", actorName: "", action: "person.changed", subject: "ann")
            _ = try await core.people.change("ann", entry) { person, _ in person.name = "Ann" }
            #expect(!core.mayDoLess(than: checked), "another name is no other right")
            _ = try await core.people.change("ann", entry) { person, _ in person.channels = ["live"] }
            #expect(core.mayDoLess(than: checked))
        }
    }

    @Test(arguments: [PersonState.invited, .disabled])
    func whoIsNotActiveOpensNothing(state: PersonState) async throws {
        try await TestGateway.run { gateway in
            try await Self.add(Self.person("ann", .administrator, state: state), to: gateway)
            let halves = try await Self.halves(of: "ann", at: gateway)
            let answer = try await Driver.process.answers(
                to: [Request(method: "GET", path: "/v1/me", headers: halves)], at: gateway)[0]
            #expect(answer.status == 401)
            #expect(gateway.application.core.rights(of: .person("ann", login: "x")).scopes == ScopeSet([]))
        }
    }
}

@Suite struct PresenceTests {
    private static func presence(_ state: DeskPresence.State, thread: String? = nil) -> DeskPresence {
        DeskPresence(
            agent: Agent(id: "ann"), state: state,
            place: thread.map { DeskPresence.Place(threadID: $0, channel: "multi", customerID: "c1") })
    }

    @Test func onlyWhatIsNewIsTold() throws {
        let book = PresenceBook()
        #expect(book.report(Self.presence(.offline))?.isNews == false, "nobody has left")
        let first = try #require(book.report(Self.presence(.online)))
        #expect(first.isNews && book.report(Self.presence(.online))?.isNews == false)
        #expect(book.expire(first.number, of: "ann") == nil, "something was heard since")
        let last = try #require(book.report(Self.presence(.online, thread: "t1")))
        #expect(last.isNews && book.all(within: nil) == [Self.presence(.online, thread: "t1")])
        #expect(book.all(within: ["other"]) == [Self.presence(.online)])
        #expect(book.expire(last.number, of: "ann") == Self.presence(.offline))
        #expect(book.all(within: nil).isEmpty && book.expire(last.number, of: "ann") == nil)
    }

    /// Whoever invents agents fills no memory.
    @Test func soManyAgentsAreRemembered() {
        let book = PresenceBook()
        for number in 0..<PresenceBook.limit {
            #expect(book.report(DeskPresence(agent: Agent(id: "\(number)"), state: .online)) != nil)
        }
        #expect(book.report(DeskPresence(agent: Agent(id: "one more"), state: .online)) == nil)
        #expect(book.report(DeskPresence(agent: Agent(id: "0"), state: .away)) != nil)
    }

    @Test func whoIsSilentForAMinuteIsGone() async throws {
        try await TestGateway.run { gateway in
            let put = Request(
                method: "PUT", path: "/v1/desk/presence",
                headers: [("Authorization", "Bearer \(TestGateway.token)"), ("Content-Type", "application/json")],
                body: "{\"state\":\"online\",\"agent\":{\"id\":\"ann\",\"name\":\"Ann\"}}")
            let before = gateway.clock.sleepCount
            let answers = try await Driver.process.answers(to: [put], at: gateway)
            #expect(answers.map(\.status) == [204])
            let book = gateway.application.core.presence
            #expect(book.all(within: nil).count == 1)
            #expect(await eventually { gateway.clock.sleepCount > before })
            gateway.clock.advance(by: PresenceBook.life)
            #expect(await eventually { book.all(within: nil).isEmpty })
        }
    }
}
