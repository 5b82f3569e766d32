import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct FCMPayloadTests {
    private let message = PushMessage(
        channelID: "chat_0f6a", threadID: "2a4c6e80", messageID: "9b1d", event: "k3f9-1042", author: "Marta",
        words: "It left today.", settings: PushSettings(deeplink: "com.example.app://{channelId}/threads?id={threadId}")
    )

    private func payload(
        _ message: PushMessage, content: PushContent = .full, badge: Int? = 2, isDataOnly: Bool = false,
        token: String = "t:1"
    ) throws -> [UInt8] {
        FCMPayload(
            message, alert: PushAlert(message, content: content, title: "Shop", body: "You have news."), badge: badge,
            to: try #require(DeviceToken(token, of: .fcm)), isDataOnly: isDataOnly
        ).bytes
    }

    @Test func aNotificationIsShownByTheSystem() throws {
        let topic = PushTopic.of(message)
        #expect(
            String(decoding: try payload(message), as: UTF8.self)
                == #"{"message":{"token":"t:1","notification":{"title":"Marta","body":"It left today."},"#
                + #""data":{"threadId":"2a4c6e80","messageId":"9b1d","channelId":"chat_0f6a","event":"k3f9-1042","#
                + #""pinpoint.deeplink":"com.example.app://chat_0f6a/threads?id=2a4c6e80"},"#
                + #""android":{"priority":"HIGH","ttl":"86400s","collapse_key":"\#(topic)","#
                + #""notification":{"tag":"\#(topic)","notification_count":2}}}}"#)
    }

    @Test func dataAloneHasTheTextsUnderBothNames() throws {
        let json = try #require(try JSONParser.parse(try payload(message, isDataOnly: true))["message"])
        #expect(json["notification"] == nil && json["android"]?["notification"] == nil)
        let data = try #require(json["data"]?.members)
        #expect(
            data.map { "\($0.name)=\($0.value.string ?? "no string")" } == [
                "threadId=2a4c6e80", "messageId=9b1d", "channelId=chat_0f6a", "event=k3f9-1042", "title=Marta",
                "body=It left today.", "badge=2", "pinpoint.notification.title=Marta",
                "pinpoint.notification.body=It left today.",
                "pinpoint.deeplink=com.example.app://chat_0f6a/threads?id=2a4c6e80",
            ])
    }

    @Test func pushesOfOneThreadHaveOneName() throws {
        func key(_ change: (inout PushMessage) -> Void) throws -> String? {
            var other = message
            change(&other)
            return try JSONParser.parse(payload(other))["message"]?["android"]?["collapse_key"]?.string
        }
        let first = try #require(try key { _ in })
        #expect(try key { $0.messageID = "other" } == first)
        #expect(try key { $0.threadID = "other" } != first)
        #expect(try key { $0.channelID = "other" } != first)
    }

    @Test func byTheChannelsTextsNothingIsLearnt() throws {
        for isDataOnly in [false, true] {
            let text = String(decoding: try payload(message, content: .none, isDataOnly: isDataOnly), as: UTF8.self)
            #expect(text.contains("You have news.") && !text.contains("Marta") && !text.contains("today"))
        }
    }

    @Test(arguments: [false, true]) func theWorstMessageHas4096BytesAtMost(isDataOnly: Bool) throws {
        let token = String(repeating: "\"", count: AppKind.fcm.maximumTokenLength)
        let templates = [nil, "a:" + String(repeating: "{threadId}", count: 51), "a:{threadId}{channelId}"]
        for var message in WorstMessages.all {
            for template in templates {
                message.settings = PushSettings(deeplink: template)
                let bytes = try payload(message, badge: .max, isDataOnly: isDataOnly, token: token)
                #expect(bytes.count - 2 * token.utf8.count <= 4096)
                let json = try #require(try JSONParser.parse(bytes)["message"])
                let body = try #require((json["notification"] ?? json["data"])?["body"]?.string)
                #expect(!body.isEmpty && body.utf8.count <= 600)
                let others = (json["data"]?.members ?? []).filter { $0.value.string == nil }
                #expect(others.isEmpty, "FCM takes strings only")
            }
        }
    }

    /// Google refuses them.
    @Test func noKeyIsReserved() throws {
        let json = try JSONParser.parse(payload(message, isDataOnly: true))
        for member in json["message"]?["data"]?.members ?? [] {
            #expect(!["from", "message_type", "collapse_key"].contains(member.name))
            #expect(!member.name.hasPrefix("google") && !member.name.hasPrefix("gcm"))
        }
    }
}
