import ChatModel
import Testing

@testable import Outbound

@Suite struct WebhookFilterTests {
    @Test func withoutPartsAllThatTheLogKeepsPasses() {
        for type in EventType.allCases {
            let isDurable = WebhookFilter.durableTypes.contains(type)
            #expect(WebhookFilter().matches(type: type, direction: nil, channel: nil) == isDurable)
        }
        #expect(
            Set(EventType.allCases).subtracting(WebhookFilter.durableTypes) == [
                .chatUpdated, .threadsLoaded, .typing, .queueUpdated, .notification, .unreadUpdated, .webhookUpdated,
                .pushSimulated, .answerUpdated, .presenceUpdated, .tagUpdated, .channelUpdated, .error,
                // The log keeps notes, but they are the desk's alone.
                .noteCreated, .noteRemoved,
            ])
    }

    @Test func typesChooseEvents() {
        let filter = WebhookFilter(types: [.messageCreated, .threadCreated])
        for type in EventType.allCases {
            let isWanted = type == .messageCreated || type == .threadCreated
            #expect(filter.matches(type: type, direction: .toAgent, channel: "a") == isWanted)
        }
        #expect(!WebhookFilter(types: [.typing]).matches(type: .typing, direction: nil, channel: nil))
    }

    @Test func directionsChooseBetweenMessages() {
        let filter = WebhookFilter(directions: [.toAgent])
        #expect(filter.matches(type: .messageCreated, direction: .toAgent, channel: nil))
        #expect(!filter.matches(type: .messageCreated, direction: .toClient, channel: nil))
        #expect(filter.matches(type: .threadUpdated, direction: nil, channel: nil))
        let both = WebhookFilter(directions: [.toAgent, .toClient])
        #expect(
            MessageDirection.allCases.allSatisfy {
                both.matches(
                    type: .messageUpdated, direction: $0,
                    channel: nil)
            })
    }

    @Test func channelsAreComparedByTheirBytes() {
        let filter = WebhookFilter(channels: ["chat", "caf\u{E9}"])
        #expect(filter.matches(type: .messageCreated, direction: nil, channel: "chat"))
        #expect(filter.matches(type: .messageCreated, direction: nil, channel: "caf\u{E9}"))
        for other in ["Chat", "chat2", "cafe\u{301}", "", nil] {
            #expect(!filter.matches(type: .messageCreated, direction: nil, channel: other))
        }
    }

    @Test func allPartsMustBeMet() {
        let filter = WebhookFilter(types: [.messageCreated], directions: [.toAgent], channels: ["a"])
        #expect(filter.matches(type: .messageCreated, direction: .toAgent, channel: "a"))
        #expect(!filter.matches(type: .messageUpdated, direction: .toAgent, channel: "a"))
        #expect(!filter.matches(type: .messageCreated, direction: .toClient, channel: "a"))
        #expect(!filter.matches(type: .messageCreated, direction: .toAgent, channel: "b"))
    }
}
