import Chat
import ChatModel
import CXoneService
import HTTPClientPort
import TestSupport
import Testing

/// Where the platform's channels are.
@Suite struct AddressTests {
    @Test(arguments: [
        ("NA1", "na1.niceincontact.com"), ("eu1", "eu1.niceincontact.com"), ("JO1", "jo1.nicecxone.com"),
        ("NA2", "na2.nicecxone-gov.com"),
    ])
    func regionsHaveHosts(_ name: String, _ host: String) throws {
        let address = try PlatformAddress(ChannelAddress(environment: name, brandID: 4711, channelID: "chat_1"))
        #expect(address.chat == "https://channels-de-\(host)/chat")
        #expect(address.socket == "wss://chat-gateway-de-\(host)")
        #expect(address.token == "https://digital-oauth-de-\(host)/")
        #expect(address.key == "\(name.uppercased()).4711.chat_1")
    }

    @Test func ownHostsAreNamedByADigest() throws {
        func address(_ urls: [String: String]) throws -> PlatformAddress {
            try PlatformAddress(ChannelAddress(environment: nil, urls: urls, brandID: 1, channelID: "c"))
        }
        let own = try address(["chat": "http://localhost:8080/chat/", "socket": "ws://localhost:8080/socket"])
        #expect(own.chat == "http://localhost:8080/chat")
        #expect(own.token == nil)
        #expect(own.key.hasPrefix("urls"))
        #expect(
            try address(["chat": "http://localhost:8081/chat", "socket": "ws://localhost:8080/socket"]).key != own.key)
        let derived = try address(["chat": "https://channels.example.com/chat", "socket": "wss://gateway.example.com"])
        #expect(derived.token == "https://digital-oauth.example.com/")
    }

    /// Who opens the session is told at once, and the platform is not asked.
    @Test(arguments: ["chat", "socket", "token"]) func theURLsAreJudgedWhenTheyAreNamed(refused: String) async throws {
        let urls = ["chat": "http://a.test/chat", "socket": "wss://b.test/s", "token": "http://c.test"]
        let asked = ["chat": "http://a.test/chat", "socket": "https://b.test/s", "token": "http://c.test/"]
        let platform = ScriptedPlatform(.multithread)
        try await withStore(environment: TestEnvironment()) { store in
            let service = CXoneService(
                store: store, clock: ManualClock(), tokens: .folder("/nowhere"), sockets: platform, http: platform,
                foreignHTTP: platform,
                check: { (url) throws(AddressRefusal) in
                    if url == asked[refused] { throw AddressRefusal("Not there.") }
                })
            let draft = ChannelAddress(environment: nil, urls: urls, brandID: 1, channelID: "c")
            do {
                _ = try await service.channel(at: draft)
                Issue.record("it was taken")
            } catch let error as ChatError {
                #expect(error.code == .targetNotAllowed && error.pointer == "/urls/\(refused)")
                #expect(error.detail == "Not there.")
            }
            #expect(platform.calls("").isEmpty && platform.urls.isEmpty)
        }
    }

    /// An address that is refused later, because its name means another one now, is not asked for again and again.
    @Test func aRefusedAddressIsNotTriedAgain() async throws {
        try await withCXone(.multithread) { cxone in
            let asked = Journal<String>()
            let refusing = CXoneService(
                store: cxone.store, clock: cxone.clock, tokens: .folder(cxone.folder), sockets: cxone.platform,
                http: RefusingPort(asked: asked), foreignHTTP: cxone.platform)
            let channel = try await refusing.channel(at: Fixture.address)
            do {
                _ = try await refusing.channel(channel)
                Issue.record("it was reached")
            } catch let error as ChatError {
                #expect(error.code == .serverError && error.detail == "Not there.")
            }
            #expect(asked.entries.count == 1)
        }
    }

    private struct RefusingPort: HTTPPort {
        let asked: Journal<String>

        func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
            asked.add(call.url)
            throw AddressRefusal("Not there.")
        }
    }

    @Test func whatIsNoAddressIsRefused() async {
        func code(
            _ environment: String?, _ urls: [String: String] = [:], _ brand: Int = 1, _ channel: String = "c"
        ) async -> ChatError.Code? {
            await refusal {
                try PlatformAddress(
                    ChannelAddress(environment: environment, urls: urls, brandID: brand, channelID: channel))
            }
        }
        #expect(await code("XX1") == .invalidParameter)
        #expect(await code("NA1", [:], 0) == .invalidParameter)
        #expect(await code("NA1", [:], 1, "a/b") == .invalidParameter)
        #expect(await code(nil) == .missingParameter)
        #expect(await code(nil, ["chat": "file:///etc/passwd", "socket": "ws://a"]) == .invalidParameter)
        #expect(await code(nil, ["chat": "http://a@b/chat", "socket": "ws://a"]) == .invalidParameter)
    }
}
