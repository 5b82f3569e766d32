import ChatModel
import Formats
import Foundation
import Testing

@testable import Outbound

@Suite struct PushTextTests {
    private static let family = "👨‍👩‍👧‍👦"

    @Test(arguments: [
        ("abc", 3, "abc"), ("abc", 2, "ab"), ("abc", 0, ""), ("", 5, ""), ("aé", 2, "a"), ("aé", 3, "aé"),
        ("a\(family)b", 25, "a"), ("a\(family)b", 26, "a\(family)"), ("e\u{301}\u{302}x", 4, ""), ("\r\nx", 1, ""),
    ])
    func aCutIsAtACharactersEnd(text: String, limit: Int, expected: String) {
        #expect(text.cut(toBytes: limit, jsonBytes: .max) == expected)
    }

    @Test(arguments: [
        ("a\"b", 3, "a\""), ("a\"b", 2, "a"), ("\u{1}\u{2}", 11, "\u{1}"), ("\u{1}\u{2}", 12, "\u{1}\u{2}"),
        ("\n\\", 4, "\n\\"),
    ])
    func aCutCountsEscapes(text: String, limit: Int, expected: String) {
        #expect(text.cut(toBytes: .max, jsonBytes: limit) == expected)
    }

    @Test func theLengthInJSONIsWhatTheWriterWrites() {
        let text = String(String.UnicodeScalarView((0..<0x180).compactMap(Unicode.Scalar.init))) + Self.family
        var json = JSONWriter()
        json.value(text)
        #expect(text.jsonLength == json.bytes.count - 2)
    }

    /// The page's notifications are tested with the same file.
    @Test func marksAreTakenOutAsThePageDoes() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = try Data(contentsOf: tests.appendingPathComponent("Web/markup-cases.json"))
        let cases = try #require(try JSONParser.parse(Array(file)).array).compactMap(\.array)
        #expect(cases.count > 100)
        for pair in cases {
            let text = try #require(pair.first?.string), wanted = try #require(pair.last?.string)
            #expect(PlainText(text).text == wanted, "\(text.debugDescription)")
        }
    }

    /// As long as a message may be.
    @Test(arguments: [
        "*", "*a ", " *a", "**a _b ", "_", "`", "`a ", "[", "[a](", "[a](https://", "https://", "https://a", "~~", "> ",
        "> *a\n", "```\n", "\n", "https://a.example/(",
    ])
    func hostileLengthsEnd(_ piece: String) {
        let text = String(repeating: piece, count: 65_536 / piece.utf8.count)
        #expect(PlainText(text).text.utf8.count <= 2 * text.utf8.count)
    }

    private func alert(
        _ content: PushContent, author: String = "Marta", words: String = "It left today."
    ) -> PushAlert {
        let message = PushMessage(
            channelID: "main", threadID: "t", messageID: "m", event: "e-1", author: author, words: words)
        return PushAlert(message, content: content, title: "Shop", body: "You have news.")
    }

    @Test(
        arguments: [
            (.full, "Marta", "It left today."), (.sender, "Marta", "You have news."), (.none, "Shop", "You have news."),
        ] as [(PushContent, String, String)])
    func theChannelDecidesWhatIsSaid(content: PushContent, title: String, body: String) {
        let alert = alert(content)
        #expect(alert.title == title)
        #expect(alert.body == body)
    }

    @Test func aTitleHas128BytesAndABody600() {
        let alert = alert(
            .full, author: String(repeating: "é", count: 65), words: String(repeating: Self.family, count: 256))
        #expect(alert.title == String(repeating: "é", count: 64))
        #expect(alert.body == String(repeating: Self.family, count: 24))
    }

    @Test func aTextOfWhichNothingFitsBecomesAFixedOne() {
        let endless = "e" + String(repeating: "\u{301}", count: 1000)
        let alert = alert(.full, author: endless, words: "")
        #expect(alert.title == "New message")
        #expect(alert.body == "Open the chat to read it.")
    }

    @Test func aChannelWithoutTextsHasFixedOnes() {
        let message = PushMessage(
            channelID: "main", threadID: "t", messageID: "m", event: "e", author: "Marta", words: "Hi")
        let alert = PushAlert(message, content: .none)
        #expect(alert.title == "New message")
        #expect(alert.body == "Open the chat to read it.")
    }

    @Test(arguments: [
        ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b/ä?&=%{}", "a%20b%2F%C3%A4%3F%26%3D%25%7B%7D"), ("\n", "%0A"),
    ])
    func encodesForURLs(text: String, encoded: String) {
        #expect(text.percentEncoded == encoded)
    }
}
