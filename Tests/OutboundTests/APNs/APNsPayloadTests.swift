import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct APNsPayloadTests {
    private let message = PushMessage(
        channelID: "chat_0f6a", threadID: "2a4c6e80", messageID: "9b1d", event: "k3f9-1042", author: "Marta",
        words: "It left today.")
    private static let template = "com.example.app://{channelId}/threads?idOnExternalPlatform={threadId}"

    private func payload(
        _ message: PushMessage, content: PushContent = .full, badge: Int? = 2, template: String? = template
    ) -> [UInt8] {
        APNsPayload(
            message, alert: PushAlert(message, content: content, title: "Shop", body: "You have news."), badge: badge,
            deepLink: template.flatMap(DeepLinkTemplate.init)
        ).bytes
    }

    @Test func hasAllShapesThatAppsRead() {
        #expect(
            String(decoding: payload(message), as: UTF8.self)
                == #"{"aps":{"alert":{"title":"Marta","body":"It left today."},"badge":2,"sound":"default","#
                + #""thread-id":"2a4c6e80","content-available":1,"mutable-content":1},"#
                + #""data":{"pinpoint":{"deeplink":"com.example.app://chat_0f6a/threads?idOnExternalPlatform="#
                + #"2a4c6e80"}},"#
                + #""cxone_data":{"thread_id":"2a4c6e80","type":"thread_message"},"threadId":"2a4c6e80","#
                + #""messageId":"9b1d","channelId":"chat_0f6a","parley":{"event":"k3f9-1042"}}"#)
    }

    @Test func withoutATemplateThereIsNoLink() throws {
        let json = try JSONParser.parse(payload(message, template: nil))
        #expect(json["data"] == nil)
        #expect(json["cxone_data"]?["thread_id"]?.string == "2a4c6e80")
    }

    @Test(arguments: [(nil, nil), (0, 0), (-1, 0), (7, 7)] as [(Int?, Int64?)])
    func theBadgeIsTheNumberOrAbsent(badge: Int?, expected: Int64?) throws {
        #expect(try JSONParser.parse(payload(message, badge: badge))["aps"]?["badge"]?.integer == expected)
    }

    @Test func byTheChannelsTextsNothingIsLearnt() {
        let text = String(decoding: payload(message, content: .none), as: UTF8.self)
        #expect(text.contains(#"{"title":"Shop","body":"You have news."}"#))
        #expect(!text.contains("Marta") && !text.contains("today"))
    }

    @Test func theWorstMessageHas4096BytesAtMost() throws {
        let templates = [
            nil, Self.template, "a:" + String(repeating: "{threadId}", count: 51), "a:{threadId}{channelId}",
        ]
        for message in WorstMessages.all {
            for template in templates {
                let bytes = payload(message, badge: .max, template: template)
                #expect(bytes.count <= 4096)
                let alert = try #require(try JSONParser.parse(bytes)["aps"]?["alert"])
                let body = try #require(alert["body"]?.string)
                #expect(!body.isEmpty && body.utf8.count <= 600)
                #expect(try #require(alert["title"]?.string).utf8.count <= 128)
            }
        }
    }

    @Test func theLongestIDsOfTheGatewayStay() throws {
        let id = String(repeating: "\\", count: 128)
        let message = PushMessage(
            channelID: id, threadID: id, messageID: id, event: "k3f9-1042", author: String(repeating: "\"", count: 128),
            words: String(repeating: "\"", count: 600))
        let json = try JSONParser.parse(payload(message))
        #expect(json["threadId"]?.string == id)
        #expect(json["channelId"]?.string == id)
        #expect(json["messageId"]?.string == id)
        #expect(json["aps"]?["thread-id"]?.string == id)
        #expect(json["data"]?["pinpoint"]?["deeplink"]?.string?.hasSuffix("%5C") == true)
        #expect(try #require(json["aps"]?["alert"]?["body"]?.string).utf8.count > 500)
    }
}

@Suite struct DeepLinkTemplateTests {
    @Test func encodesTheIDs() throws {
        let template = try #require(
            DeepLinkTemplate("com.example.app://{channelId}/threads?id={threadId}&again={threadId}"))
        #expect(
            template.link(channel: "a/b", thread: "{channelId} ä")
                == "com.example.app://a%2Fb/threads?id=%7BchannelId%7D%20%C3%A4&again=%7BchannelId%7D%20%C3%A4")
    }

    @Test func mayHaveNoPlaceholder() throws {
        #expect(try #require(DeepLinkTemplate("app:chat")).link(channel: "a", thread: "b") == "app:chat")
    }

    @Test func aLinkThatIsTooLongIsNone() throws {
        let template = try #require(DeepLinkTemplate("a:{threadId}{threadId}"))
        #expect(template.link(channel: "a", thread: String(repeating: "x", count: 511)) != nil)
        #expect(template.link(channel: "a", thread: String(repeating: "x", count: 512)) == nil)
    }

    @Test(arguments: [
        "", "app", ":", "://x", "1app://x", "a b://x", "app://{thread}", "app://{threadId", "app://}", "app://a b",
        "app://ä",
        "app://\"", "{channelId}://x", "app:" + String(repeating: "x", count: 509),
    ])
    func refuses(text: String) {
        #expect(DeepLinkTemplate(text) == nil)
    }
}
