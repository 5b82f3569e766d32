import ChatModel
import Crypto
import Formats
import Testing

@testable import Outbound

@Suite struct WebPushRequestTests {
    private let now = Timestamp(milliseconds: 1_453_440_968_000)
    private let message = PushMessage(
        channelID: "main", threadID: "2a4c6e80", messageID: "9b1d", event: "k3f9-1042", author: "Marta",
        words: "It left today.")

    private func request(
        endpoint: String = SubscriptionExample.endpoint, ttl: Int = WebPushRequest.defaultTTL
    ) throws
        -> WebPushRequest
    {
        let tokens = VAPIDTokens(key: try VAPIDKey(folderKey: Array(0..<32)), contact: nil)
        return try WebPushRequest(
            message, alert: PushAlert(message, content: .full), page: nil,
            to: SubscriptionExample.subscription(endpoint: endpoint), ttl: ttl, tokens: tokens, now: now)
    }

    private func value(_ name: String, _ request: WebPushRequest) -> String? {
        request.headers.first { $0.name == name }?.value
    }

    @Test func hasTheHeadersOfTheRFCs() throws {
        let request = try request()
        #expect(request.url == SubscriptionExample.endpoint)
        #expect(
            request.headers.map(\.name) == [
                "TTL", "Urgency", "Topic", "Content-Encoding", "Content-Type", "Authorization",
            ])
        #expect(value("TTL", request) == "86400")
        #expect(value("Urgency", request) == "high")
        #expect(value("Content-Encoding", request) == "aes128gcm")
    }

    /// `printf 'main\0002a4c6e80' | sha256sum`
    @Test func theTopicIsADigestOfChannelAndThread() throws {
        #expect(try value("Topic", request()) == "ebb13756a661051af74eda9671a083c1")
        #expect(PushTopic.of(channel: "a", thread: "bc") != PushTopic.of(channel: "ab", thread: "c"))
    }

    @Test func theTokenIsForTheEndpointsOrigin() throws {
        let request = try request(endpoint: "https://Push.example.net:443/a/b")
        let authorization = try #require(value("Authorization", request))
        let token = try #require(authorization.split(separator: " ").dropFirst().first).dropFirst(2).dropLast()
        let key = try VAPIDKey(folderKey: Array(0..<32)).signingKey.publicKey
        let claims = try SignedToken(String(token), verifiedBy: key).claims
        #expect(claims == #"{"aud":"https://push.example.net","exp":1453523768}"#)
    }

    @Test(arguments: [(-1, "0"), (0, "0"), (2_419_200, "2419200"), (2_419_201, "2419200"), (.max, "2419200")])
    func theTTLHasBounds(ttl: Int, header: String) throws {
        #expect(try value("TTL", request(ttl: ttl)) == header)
    }

    @Test func theBodyIsThePayloadForThisReceiver() throws {
        let plaintext = try PushReceiver.example().open(request().body)
        #expect(plaintext == DeclarativePush(message, alert: PushAlert(message, content: .full), page: nil).bytes)
    }
}
