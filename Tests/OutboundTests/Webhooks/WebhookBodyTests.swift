import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct WebhookBodyTests {
    private let time = Timestamp(milliseconds: 1_772_442_904_512)

    @Test func dataIsCopiedByteForByte() {
        // A spelling that the writer would not choose stays as it is.
        let data = Array(#"{"message" :{"text":"\u00e9\/ é 🏳️‍🌈","n":1.0}}"#.utf8)
        let body = WebhookBody.event(.messageCreated, at: time, data: data)
        let text = #"{"type":"message.created","timestamp":"2026-03-02T09:15:04.512Z","data":"#
        #expect(body == Array(text.utf8) + data + Array("}".utf8))
    }

    @Test func aTestNamesItsWebhook() {
        #expect(
            String(decoding: WebhookBody.test(webhook: "w\"1", at: time), as: UTF8.self) == """
                {"type":"webhook.test","timestamp":"2026-03-02T09:15:04.512Z","data":{"webhookId":"w\\"1"}}
                """)
    }

    @Test func aResetSaysWhatIsMissing() {
        let body = WebhookBody.reset(
            from: Cursor(epoch: "k3f9", offset: 7), to: Cursor(epoch: "k3f9", offset: 1042),
            snapshot: "/v1/desk/threads",
            at: time)
        #expect(
            String(decoding: body, as: UTF8.self) == """
                {"type":"reset","timestamp":"2026-03-02T09:15:04.512Z","data":{"reason":"expired","from":"k3f9-7",\
                "to":"k3f9-1042","snapshot":"/v1/desk/threads"}}
                """)
    }
}
