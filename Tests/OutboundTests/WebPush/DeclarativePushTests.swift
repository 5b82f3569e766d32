import ChatModel
import Formats
import HTTPClientPort
import Testing

@testable import Outbound

@Suite struct DeclarativePushTests {
    private let message = PushMessage(
        channelID: "main", threadID: "2a4c6e80", messageID: "9b1d", event: "k3f9-1042", author: "Marta",
        words: "It left today.")

    @Test func isADeclarativePushMessage() throws {
        let push = DeclarativePush(
            message, alert: PushAlert(message, content: .full), page: try PushPage("http://localhost:8787/"))
        #expect(
            String(decoding: push.bytes, as: UTF8.self)
                == #"{"web_push":8030,"notification":{"title":"Marta","body":"It left today.","#
                + #""navigate":"http://localhost:8787/?channel=main&thread=2a4c6e80&message=9b1d&from=none","tag":"2a4c6e80","#
                + #""data":{"threadId":"2a4c6e80","messageId":"9b1d","channelId":"main","cursor":"k3f9-1042"}}}"#)
    }

    @Test func withoutAPageThereIsNoLink() throws {
        let bytes = DeclarativePush(message, alert: PushAlert(message, content: .full), page: nil).bytes
        let notification = try #require(try JSONParser.parse(bytes)["notification"])
        #expect(notification["navigate"] == nil)
        #expect(notification["tag"]?.string == "2a4c6e80")
    }

    /// At the desk, several customers may use one thread id. Neither browser nor push service may take one's
    /// notification for the other's.
    @Test func threadsOfOneIDHaveNotificationsOfTheirOwn() throws {
        func push(_ customer: String?) throws -> (tag: String?, topic: String) {
            var message = message
            message.customerID = customer
            let bytes = DeclarativePush(message, alert: PushAlert(message, content: .full), page: nil).bytes
            return (try JSONParser.parse(bytes)["notification"]?["tag"]?.string, PushTopic.of(message))
        }
        let pushes = try [nil, "c1", "c2", String(repeating: "c", count: 300)].map(push)
        #expect(pushes.map(\.tag).prefix(3) == ["2a4c6e80", "2a4c6e80 c1", "2a4c6e80 c2"])
        #expect(pushes[3].tag == pushes[3].topic)
        #expect(Set(pushes.map(\.topic)).count == 4)
    }

    @Test func whatIsNotToBeSaidIsNowhereInThePayload() {
        for content in [PushContent.sender, .none] {
            let bytes = DeclarativePush(message, alert: PushAlert(message, content: content), page: nil).bytes
            #expect(!String(decoding: bytes, as: UTF8.self).contains("today"))
        }
        let bytes = DeclarativePush(message, alert: PushAlert(message, content: .none), page: nil).bytes
        #expect(!String(decoding: bytes, as: UTF8.self).contains("Marta"))
    }

    /// Each with no page, a usual one and the longest.
    @Test func theWorstMessageIsBelow3000Bytes() throws {
        let longest = "https://host.example/".padded(to: PushPage.maximumLength)
        let pages = [nil, try PushPage("http://localhost:8787/"), try PushPage(longest)]
        for message in WorstMessages.all {
            for page in pages {
                let bytes = DeclarativePush(message, alert: PushAlert(message, content: .full), page: page).bytes
                #expect(bytes.count < 3000)
                let notification = try #require(try JSONParser.parse(bytes)["notification"])
                let title = try #require(notification["title"]?.string)
                let body = try #require(notification["body"]?.string)
                #expect(!title.isEmpty && title.utf8.count <= 128)
                #expect(!body.isEmpty && body.utf8.count <= 600)
                #expect(message.words.hasPrefix(body) || body == "Open the chat to read it.")
            }
        }
    }

    @Test func theLongestIDsOfTheGatewayStay() throws {
        let id = String(repeating: "\\", count: 128)
        let message = PushMessage(
            channelID: id, threadID: id, messageID: id, event: "k3f9-1042",
            author: String(repeating: "\"", count: 128), words: String(repeating: "\"", count: 600))
        let page = try PushPage("https://host.example/".padded(to: PushPage.maximumLength))
        let push = DeclarativePush(message, alert: PushAlert(message, content: .full), page: page)
        let notification = try #require(try JSONParser.parse(push.bytes)["notification"])
        #expect(notification["tag"]?.string == id)
        #expect(notification["data"]?["threadId"]?.string == id)
        #expect(notification["data"]?["messageId"]?.string == id)
        #expect(notification["data"]?["channelId"]?.string == id)
        // The message went from the link, so that the body has room.
        let link = page.link([("channel", id), ("thread", id)])
        #expect(notification["navigate"]?.string == link)
        #expect(try #require(notification["body"]?.string).utf8.count >= 150)
    }

    @Test func anIDThatNoPayloadHoldsIsLeftOut() throws {
        var message = message
        message.threadID = String(repeating: "x", count: PushMessage.maximumIDLength + 1)
        let page = try PushPage("http://localhost:8787")
        let push = DeclarativePush(message, alert: PushAlert(message, content: .full), page: page)
        let notification = try #require(try JSONParser.parse(push.bytes)["notification"])
        #expect(notification["tag"]?.string == PushTopic.of(channel: "main", thread: message.threadID))
        #expect(notification["data"]?["threadId"] == nil)
        #expect(notification["navigate"]?.string == "http://localhost:8787/?channel=main&message=9b1d&from=none")
    }

    @Test(arguments: [
        ("http://localhost:8787/", "http://localhost:8787/?thread=a%26b"),
        ("https://chat.example/support//", "https://chat.example/support/?thread=a%26b"),
        ("https://chat.example", "https://chat.example/?thread=a%26b"),
        ("https://chat.example/desk", "https://chat.example/desk?thread=a%26b"),
    ])
    func aLinkLeadsFromThePageToTheThread(page: String, link: String) throws {
        #expect(try PushPage(page).link([("thread", "a&b")]) == link)
    }

    @Test(arguments: ["", "/chat", "ftp://a/", "http://a/?b", "http://a/#b", "javascript:alert(1)"])
    func refusesAPage(text: String) {
        #expect(throws: AddressRefusal.self) { try PushPage(text) }
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String { self + String(repeating: "a", count: length - utf8.count) }
}
