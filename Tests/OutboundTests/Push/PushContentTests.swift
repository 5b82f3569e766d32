import Chat
import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Outbound

/// What pushes say, as the channel has it, and what is counted of them.
@Suite struct PushContentTests {
    private static func alert(_ settings: PushSettings?, _ kind: TargetKind) -> [String] {
        let message = PushMessage(
            channelID: "multi", threadID: "t1", messageID: "m1", event: "e-1", author: "Marta", words: "It left today.",
            settings: settings)
        let alert = PushAlert(message, for: kind)
        return [alert.title, alert.body]
    }

    @Test func aChannelThatSaysNothingTellsAllToBrowsersAndNothingToApps() {
        #expect(Self.alert(nil, .webPush) == ["Marta", "It left today."])
        for app in [TargetKind.apns, .fcm] {
            #expect(Self.alert(nil, app) == ["New message", "Open the chat to read it."])
        }
        let texts = PushSettings(title: "Acme", body: "There is news.")
        #expect(Self.alert(texts, .webPush) == ["Marta", "It left today."])
        #expect(Self.alert(texts, .apns) == ["Acme", "There is news."])
    }

    @Test(arguments: TargetKind.devices)
    func aChannelThatSaysWhatIsToldIsHeardByAllKinds(kind: TargetKind) {
        func alert(_ content: PushContent) -> [String] {
            Self.alert(PushSettings(title: "Acme", body: "There is news.", content: content), kind)
        }
        #expect(alert(.full) == ["Marta", "It left today."])
        #expect(alert(.sender) == ["Marta", "There is news."])
        #expect(alert(.none) == ["Acme", "There is news."])
    }

    @Test func aCustomersPushSaysWhatTheChannelWants() async throws {
        try await PushWorld.run { world in
            try await world.register()
            var settings = ChannelSettings()
            settings.push = .some(PushSettings(title: "Acme", body: "There is news.", content: .sender))
            _ = try await world.desk.update(channel: "multi", settings)
            try await world.write("m1")
            #expect(try await world.isThere(["delivered"]))
            let push = try JSONParser.parse(
                try PushReceiver.example().open(try #require(world.service.calls.first?.body)))
            #expect(push["notification"]?["title"]?.string == "Marta")
            #expect(push["notification"]?["body"]?.string == "There is news.")
        }
    }
}
