import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct APNsRequestTests {
    private let message = PushMessage(
        channelID: "chat_0f6a", threadID: "2a4c6e80", messageID: "9b1d", event: "k3f9-1042", author: "Marta",
        words: "It left today.")

    private func request(message: PushMessage, url: String = "https://api.push.apple.com") throws -> APNsRequest {
        let app = APNsApp(
            topic: "com.example.app", team: "DEF123GHIJ", keyID: "ABC123DEFG", keyPath: "k", environment: .production,
            channels: nil, url: url)
        return APNsRequest(
            message, alert: PushAlert(message, content: .full), badge: 2, deepLink: nil,
            to: try #require(DeviceToken("00FC13ad", of: .apns)), of: app, providerToken: "a.b.c",
            expiration: Timestamp(milliseconds: 1_772_442_904_999), id: APNsRequest.id(target: "d1", push: "7"))
    }

    @Test func hasApplesPathAndHeaders() throws {
        let request = try request(message: message)
        #expect(request.url == "https://api.push.apple.com/3/device/00fc13ad")
        let headers = request.headers.map { "\($0.name): \($0.value)" }
        #expect(
            headers == [
                "authorization: bearer a.b.c", "content-type: application/json", "apns-topic: com.example.app",
                "apns-push-type: alert", "apns-priority: 10", "apns-expiration: 1772442904", "apns-collapse-id: 9b1d",
                "apns-id: b8c50d32-6885-87aa-8a5c-62c332c2c7dc",
            ])
        let alert = PushAlert(message, content: .full)
        #expect(request.body == APNsPayload(message, alert: alert, badge: 2, deepLink: nil).bytes)
    }

    @Test func aRelayHasTheSamePath() throws {
        let request = try request(message: message, url: "https://localhost:8443")
        #expect(request.url == "https://localhost:8443/3/device/00fc13ad")
    }

    /// The digest is the beginning of `printf %064dx 0 | sha256sum`.
    @Test func anIDThatIsTooLongForTheHeaderBecomesItsDigest() {
        let longest = String(repeating: "0", count: 64)
        #expect(APNsRequest.collapseID(message: longest) == longest)
        #expect(APNsRequest.collapseID(message: longest + "x") == "88258fac11427f77c0b241fa14c18fd1")
    }

    @Test(arguments: ["", " a", "a\n", "ä", "a b"]) func anIDThatNoHeaderKeepsBecomesItsDigest(id: String) {
        let collapseID = APNsRequest.collapseID(message: id)
        #expect(collapseID == Hexadecimal.digest(id))
        #expect(collapseID.utf8.count == 32)
    }

    /// The beginning of `printf 'd1\0007' | sha256sum`, with the bits of version 8 and of RFC 9562's variant.
    @Test func theIDIsTheSameInEachAttempt() {
        let id = APNsRequest.id(target: "d1", push: "7")
        #expect(id == "b8c50d32-6885-87aa-8a5c-62c332c2c7dc")
        #expect(id != APNsRequest.id(target: "d1", push: "8"))
        #expect(id != APNsRequest.id(target: "d2", push: "7"))
        #expect(APNsRequest.id(target: "d", push: "17") != APNsRequest.id(target: "d1", push: "7"))
    }

    @Test func eachIDIsAUUIDOfVersion8() {
        for delivery in 0..<100 as Range<Int64> {
            let parts = APNsRequest.id(target: "d", push: String(delivery)).split(separator: "-")
            #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
            #expect(parts[2].first == "8")
            #expect("89ab".contains(parts[3].prefix(1)))
        }
    }
}
