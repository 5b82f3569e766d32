import Chat
import ChatModel
import CXoneService
import CXoneWire
import Formats
import Foundation
import HTTPClientPort
import Synchronization
import TestSupport
import Testing

/// How a customer is known: tokens, where they are used, and how they are renewed.
@Suite struct TokenTests {
    private static let login = Authorization(code: "AbC", codeVerifier: "xyz")

    private func answer(_ token: TokenAnswer) -> HTTPAnswer { HTTPAnswer(status: 200, body: token.encoded()) }

    @Test("2.14 secured, Used: in the URL, again while it is good")
    func aSecuredSessionHasATokenInItsURLAndNoAuthorization() async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            let client = try await cxone.session()
            #expect(client.state == .ready)
            #expect(cxone.platform.urls[0].hasSuffix("&transactionToken=tt-1"))
            #expect(cxone.platform.types == ["FetchThreadList"])
            let call = try #require(cxone.platform.calls("/oauth/token").first)
            #expect(try TokenRequest(json: call.body ?? []) == .anonymous(WireCustomer(id: "eva")))
            // Used again while it is good, asked for again when it is not.
            try await client.disconnect()
            try await client.connect()
            #expect(cxone.platform.calls("/oauth/token").count == 1)
            cxone.environment.advance(milliseconds: 3_571_000)
            try await client.disconnect()
            try await client.connect()
            #expect(cxone.platform.calls("/oauth/token").count == 2)
        }
    }

    @Test("2.14 secured, Stored: the token's customer replaces the stored one")
    func theTokensCustomerReplacesTheStoredOne() async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            cxone.platform.http("/oauth/token") { _ in
                HTTPAnswer(
                    status: 200,
                    body: TokenAnswer(
                        transactionToken: AccessToken(token: "tt", expiresIn: 60),
                        customer: WireCustomer(id: "c-9", lastName: "Novak")
                    ).encoded())
            }
            let client = try await cxone.session()
            #expect(
                cxone.platform.requests("FetchThreadList")[0].customer
                    == WireCustomer(id: "c-9", firstName: "Eva", lastName: "Novak"))
            #expect(try await client.customer().customer.lastName == "Novak")
        }
    }

    @Test("2.14 secured, Failure: a token service that refuses fails the connection")
    func aTokenServiceThatRefusesFailsTheConnection() async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            cxone.platform.http("/oauth/token") { _ in HTTPAnswer(status: 401) }
            let client = try await cxone.session(connect: false)
            #expect(await refusal { try await client.connect() } == .transactionTokenRequestFailed)
            #expect(client.state == .connecting)
        }
    }

    @Test("2.14 secured: a login is exchanged once, and expires") func aLoginIsExchangedOnceAndExpires() async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            cxone.platform.configure { $0.isAuthorizationEnabled = true }
            let client = try await cxone.session(authorization: Self.login)
            #expect(client.state == .ready)
            let call = try #require(cxone.platform.calls("/oauth/token").first)
            #expect(try TokenRequest(json: call.body ?? []) == .authorizationCode("AbC", codeVerifier: "xyz"))
            cxone.environment.advance(milliseconds: 3_600_000)
            try await client.disconnect()
            #expect(await refusal { try await client.connect() } == .transactionTokenExpired)
            #expect(client.state == .prepared)
        }
    }

    @Test("2.14 secured: a login that is missing is asked for") func aLoginThatIsMissingIsAskedFor() async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            cxone.platform.configure { $0.isAuthorizationEnabled = true }
            let client = try await cxone.session(connect: false)
            #expect(await refusal { try await client.connect() } == .missingParameter)
        }
    }

    @Test("2.14 secured, Used, Refresh: a third party's token goes with messages, and is renewed")
    func aThirdPartyTokenGoesWithMessagesAndIsRenewed() async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            cxone.platform.configure { $0.isAuthorizationEnabled = true }
            cxone.platform.http("/oauth/token") { call in
                let request = try? TokenRequest(json: call.body ?? [])
                if request == .refresh(refreshToken: "rt-1") {
                    return HTTPAnswer(
                        status: 200,
                        body: Array(#"{"access_token":"at-2","refresh_token":"rt-2","expires_in":3600}"#.utf8))
                }
                return HTTPAnswer(
                    status: 200,
                    body: TokenAnswer(
                        transactionToken: AccessToken(token: "tt", expiresIn: 86_400),
                        thirdParty: ThirdPartyToken(accessToken: "at-1", refreshToken: "rt-1", expiresIn: 600)
                    ).encoded())
            }
            let client = try await cxone.session(authorization: Self.login)
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            for (index, token) in ["at-1", "at-2"].enumerated() {
                _ = try await client.send(MessageDraft(id: "m\(index)", text: "hi"), to: thread, receipt: nil)
                guard case .sendMessage(let sent)? = cxone.platform.requests("SendMessage").last?.event else { return }
                #expect(sent.accessToken == token)
                cxone.environment.advance(milliseconds: 600_000)
            }
        }
    }

    @Test("2.14 secured, Failure: a renewal that fails is thrown to who sends")
    func aThirdPartyTokenThatIsNotRenewedFailsTheSend() async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            cxone.platform.configure { $0.isAuthorizationEnabled = true }
            cxone.platform.http("/oauth/token") { call in
                guard (try? TokenRequest(json: call.body ?? [])) != .refresh(refreshToken: "rt-1") else {
                    return HTTPAnswer(status: 401)
                }
                return HTTPAnswer(
                    status: 200,
                    body: TokenAnswer(
                        transactionToken: AccessToken(token: "tt", expiresIn: 86_400),
                        thirdParty: ThirdPartyToken(accessToken: "at-1", refreshToken: "rt-1", expiresIn: 600)
                    ).encoded())
            }
            let client = try await cxone.session(authorization: Self.login)
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            cxone.environment.advance(milliseconds: 600_000)
            let code = await refusal {
                try await client.send(MessageDraft(id: "m1", text: "hi"), to: thread, receipt: nil)
            }
            #expect(code == .tokenRefreshFailed)
            #expect(cxone.platform.requests("SendMessage").isEmpty)
        }
    }

    @Test(
        "2.14 not secured, After ReconnectionFailed: a renewal that fails too is told, and the customer is authorised anew"
    )
    func aReconnectionAndARenewalThatAreRefusedAuthorizeAnew() async throws {
        try await withLogin { cxone, client in
            try await client.disconnect()
            cxone.platform.fail("ReconnectCustomer", "ConsumerReconnectionFailed")
            cxone.platform.fail("RefreshToken", "TokenRefreshingFailed")
            let recorder = EventRecorder(cxone.store.feed)
            try await client.connect()
            #expect(
                cxone.platform.types.suffix(4) == [
                    "ReconnectCustomer", "RefreshToken", "AuthorizeCustomer", "FetchThreadList",
                ])
            #expect(await eventually { recorder.events.contains { $0.type == .error } })
            let told = recorder.events.filter { $0.type == .error }.compactMap {
                try? JSONParser.parse($0.data)["code"]?.string
            }
            #expect(told == ["tokenRefreshFailed"])
        }
    }

    private func withLogin(_ body: (Fixture, ChatClient) async throws -> Void) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.configure { $0.isAuthorizationEnabled = true }
            cxone.platform.script("AuthorizeCustomer") { request in
                [
                    .answer(
                        .consumerAuthorized(
                            ConsumerAuthorized(
                                customer: WireCustomer(id: "c-7"),
                                accessToken: AccessToken(token: "at-7", expiresIn: 3600))), eventID: request.eventID)
                ]
            }
            try await body(cxone, try await cxone.session(authorization: Self.login))
        }
    }

    @Test("2.14 not secured, Stored, Used: reconnects, and goes with messages")
    func anAccessTokenReconnectsAndGoesWithMessages() async throws {
        try await withLogin { cxone, client in
            guard case .authorizeCustomer(let authorize) = cxone.platform.requests("AuthorizeCustomer")[0].event else {
                return
            }
            #expect(authorize.authorizationCode == "AbC")
            try await client.disconnect()
            try await client.connect()
            #expect(
                cxone.platform.requests("ReconnectCustomer").map(\.event) == [.reconnectCustomer(accessToken: "at-7")])
            #expect(cxone.platform.requests("ReconnectCustomer")[0].customer?.id == "c-7")
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            _ = try await client.send(MessageDraft(id: "m1", text: "hi"), to: thread, receipt: nil)
            guard case .sendMessage(let sent)? = cxone.platform.requests("SendMessage").last?.event else { return }
            #expect(sent.accessToken == "at-7")
        }
    }

    @Test("2.14 not secured, Refresh: before a send") func anAccessTokenThatIsOverIsRenewedBeforeASend() async throws {
        try await withLogin { cxone, client in
            cxone.environment.advance(milliseconds: 3_600_000)
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            _ = try await client.send(MessageDraft(id: "m1", text: "hi"), to: thread, receipt: nil)
            #expect(cxone.platform.types.suffix(2) == ["RefreshToken", "SendMessage"])
        }
    }

    @Test("2.14 not secured, Failure: told to the session, and thrown") func aRenewalThatFailsIsToldToTheSession()
        async throws
    {
        try await withLogin { cxone, client in
            let recorder = EventRecorder(cxone.store.feed)
            cxone.platform.fail("RefreshToken", "TokenRefreshingFailed")
            cxone.environment.advance(milliseconds: 3_600_000)
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            #expect(
                await refusal { try await client.send(MessageDraft(id: "m1", text: "hi"), to: thread, receipt: nil) }
                    == .tokenRefreshFailed)
            #expect(await eventually { recorder.types(for: .account(client.account)).contains("error") })
        }
    }

    @Test("2.14 not secured, After ReconnectionFailed: renewed once")
    func aReconnectionThatIsRefusedRenewsTheTokenOnce() async throws {
        try await withLogin { cxone, client in
            try await client.disconnect()
            cxone.platform.script("ReconnectCustomer") { [platform = cxone.platform] request in
                request.event == .reconnectCustomer(accessToken: "renewed")
                    ? platform.answer(request)
                    : [
                        .error(
                            OperationError(
                                eventID: request.eventID, code: .customerReconnectionFailed, transactionID: "t",
                                message: "expired"))
                    ]
            }
            try await client.connect()
            #expect(cxone.platform.types.contains("RefreshToken"))
            #expect(client.state == .ready)
        }
    }

    @Test("2.14 not secured: a login without a token fails") func aLoginWithoutATokenFails() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.configure { $0.isAuthorizationEnabled = true }
            let client = try await cxone.session(connect: false, authorization: Self.login)
            #expect(await refusal { try await client.connect() } == .missingAccessToken)
        }
    }

    @Test("2.14 Stored: readable for their owner alone") func tokensAreReadableForTheirOwnerAlone() async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            _ = try await cxone.session()
            let files = try FileManager.default.contentsOfDirectory(atPath: cxone.folder)
            #expect(files == ["1.json"])
            for path in [cxone.folder, cxone.folder + "/1.json"] {
                let mode = try #require(
                    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
                #expect(mode & 0o077 == 0)
            }
            #expect(!cxone.notices.entries.contains { $0.contains("tt-1") })
        }
    }
}
