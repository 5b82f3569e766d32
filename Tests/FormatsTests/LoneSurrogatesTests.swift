import Formats
import Testing

/// Escaped surrogates without partners, in what platforms send.
@Suite struct LoneSurrogatesTests {
    @Test(arguments: [
        (#""a\ud83d""#, "a\u{FFFD}"), (#""\ud83d\ude00""#, "\u{1F600}"), (#""\ude00x""#, "\u{FFFD}x"),
        (#""\ud83d\ud83d\ude00""#, "\u{FFFD}\u{1F600}"), (#""\ud83d\n\ude00""#, "\u{FFFD}\n\u{FFFD}"),
        // A backslash, and no escape.
        (#""\\ud83d""#, #"\ud83d"#), (#""\\\ud83d""#, "\\\u{FFFD}"), (#""\u00e4""#, "ä"),
    ])
    func theyAreReplaced(_ json: String, _ text: String) throws {
        #expect(try JSONText(lenient: Array(json.utf8)).root.string == text)
    }

    @Test(arguments: [#""\ud83""#, #""\ud83d"#, "\"\\", #""\x""#, "", "{"])
    func whatIsNoJSONIsStillRefused(_ json: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONText(lenient: Array(json.utf8)) }
        #expect(Array(json.utf8).withoutLoneSurrogates.count == json.utf8.count)
    }
}
