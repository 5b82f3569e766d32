import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct WebhookSignatureTests {
    private let folderKey = Array(UInt8(0)...31)
    private let now = Timestamp(milliseconds: 1_614_265_330_999)

    @Test func theVectorOfTheSpecificationIsSigned() throws {
        let secret = try #require(WebhookSecret(text: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let headers = WebhookSignature.headers(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: now, body: Array(#"{"test": 2432232314}"#.utf8),
            secrets: [secret])
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(
            headers.map(\.value) == [
                "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ])
    }

    @Test func aSecretIsDerivedFromTheFoldersKey() {
        let secret = WebhookSecret(folderKey: folderKey, webhook: "w1", generation: 1)
        #expect(secret.text == "whsec_xJgyqzsgxb5jICgBr1QhgTzjxLJ23GZADMAe8rDimeY=")
        #expect(WebhookSecret(text: secret.text)?.text == secret.text)
        for other in [
            WebhookSecret(folderKey: folderKey, webhook: "w1", generation: 2),
            WebhookSecret(folderKey: folderKey, webhook: "w2", generation: 1),
            WebhookSecret(folderKey: folderKey.reversed(), webhook: "w1", generation: 1),
        ] {
            #expect(other.text != secret.text)
        }
    }

    @Test func theOldSecretSignsBesideTheNewOneForAWhile() {
        func valid(generation: Int64, previousUntil: Timestamp?) -> [String] {
            WebhookSecrets(
                folderKey: folderKey, webhook: "w1", generation: generation, previousUntil: previousUntil
            ).valid(at: now).map(\.text)
        }
        let texts = (1...3).map { WebhookSecret(folderKey: folderKey, webhook: "w1", generation: $0).text }
        #expect(valid(generation: 3, previousUntil: now.advanced(byMilliseconds: 1)) == [texts[2], texts[1]])
        #expect(valid(generation: 3, previousUntil: now) == [texts[2]])
        #expect(valid(generation: 3, previousUntil: nil) == [texts[2]])
        #expect(valid(generation: 1, previousUntil: .latest) == [texts[0]])
    }

    @Test func eachValidSecretSignsTheNewestFirst() {
        let secrets = WebhookSecrets(
            folderKey: folderKey, webhook: "w1", generation: 2, previousUntil: .latest
        ).valid(at: now)
        func signature(_ secrets: [WebhookSecret]) -> String? {
            WebhookSignature.headers(id: "a-1", time: now, body: Array("{}".utf8), secrets: secrets).last?.value
        }
        let each = secrets.compactMap { signature([$0]) }
        #expect(each.count == 2 && each[0] != each[1])
        #expect(signature(secrets) == each.joined(separator: " "))
    }

    @Test func idTimeAndBodyAreAllSigned() {
        let secrets = [WebhookSecret(folderKey: folderKey, webhook: "w1", generation: 1)]
        func signature(_ id: String, _ time: Timestamp, _ body: String) -> String? {
            WebhookSignature.headers(id: id, time: time, body: Array(body.utf8), secrets: secrets).last?.value
        }
        let signatures = [
            signature("a-1", now, "{}"), signature("a-2", now, "{}"),
            signature(
                "a-1", now.advanced(bySeconds: 1),
                "{}"),
            signature("a-1", now, "{ }"),
        ]
        #expect(Set(signatures).count == 4)
        #expect(signature("a-1", now.advanced(byMilliseconds: -999), "{}") == signatures[0])
    }

    @Test func secondsAreRoundedDown() {
        func seconds(_ milliseconds: Int64) -> String {
            WebhookSignature.headers(
                id: "a", time: Timestamp(milliseconds: milliseconds), body: [],
                secrets: [])[1].value
        }
        #expect([seconds(1999), seconds(2000), seconds(-1), seconds(-1000)] == ["1", "2", "-1", "-1"])
    }

    @Test(arguments: [
        "", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!",
        "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ])
    func anythingElseIsNoSecret(text: String) {
        #expect(WebhookSecret(text: text) == nil)
    }

    @Test func aSecretIsNotPrinted() {
        let secret = WebhookSecret(folderKey: folderKey, webhook: "w1", generation: 1)
        #expect("\(secret)" == "a webhook's secret")
        #expect("\([secret])" == "[a webhook's secret]")
    }
}
