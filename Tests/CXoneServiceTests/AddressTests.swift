import Chat
import ChatModel
import CXoneService
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
