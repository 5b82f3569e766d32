import Formats
import Testing

@Suite struct ShownTextTests {
    /// All that a terminal or a reader of lines obeys, each between letters.
    private static let obeyed =
        (0...0x1F).map { $0 } + (0x7F...0x9F).map { $0 } + [0x61C, 0x200E, 0x200F, 0x2028, 0x2029]
        + (0x202A...0x202E).map { $0 } + (0x2066...0x2069).map { $0 }

    @Test func nothingThatIsObeyedIsLeft() throws {
        for value in Self.obeyed {
            let scalar = try #require(Unicode.Scalar(UInt32(value)))
            let text = "a\(scalar)b"
            #expect(text.shownSafely == "a\\u{\(String(value, radix: 16))}b")
            #expect(text.shownSafelyInJSON.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" || $0 == "\t" })
            #expect(text.linesShownSafely.allSatisfy { $0.unicodeScalars.allSatisfy { !$0.isObeyed } })
        }
        let usual = "Grüße, 你好, שלום, 👩‍👩‍👧 – fine\\"
        #expect(usual.shownSafely == usual && usual.shownSafelyInJSON == usual && usual.linesShownSafely == [usual])
    }

    /// CR LF is one `Character`, and two code points.
    @Test(arguments: [
        ("a\r\nb", ["a", "b"]), ("a\nb", ["a", "b"]), ("a\rb", ["a", "b"]), ("a\r\r\n\nb", ["a", "", "", "b"]),
        ("\r\n", ["", ""]), ("", [""]), ("a\u{2028}b\u{85}c", [#"a\u{2028}b\u{85}c"#]), ("\n\u{301}", ["", "\u{301}"]),
    ])
    func linesEndWhereAReaderEndsThem(text: String, lines: [String]) { #expect(text.linesShownSafely == lines) }

    @Test func inJSONItStaysTheSameText() throws {
        let text = "{\"a\":\"\u{9B}2J\u{7F}\u{202E}x\u{2028}\",\n\t\"b\":\"\\u001b\"}"
        let shown = text.shownSafelyInJSON
        #expect(shown == #"{"a":"\u009b2J\u007f\u202ex\u2028","# + "\n\t" + #""b":"\u001b"}"#)
        let (one, other) = (try JSONText(Array(text.utf8)).root, try JSONText(Array(shown.utf8)).root)
        #expect(one["a"]?.string == other["a"]?.string && one["b"]?.string == other["b"]?.string)
    }

    /// A character may be made of any number of code points.
    @Test func textsAreCutByCodePoints() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 20_000)
        #expect(zalgo.count == 1 && zalgo.cut(toScalars: 2000).text.unicodeScalars.count == 2000)
        #expect(zalgo.cut(toScalars: 2000).isCut)
        // A whole character is not divided, if another one is there.
        let family = "x👩‍👩‍👧y"
        #expect(family.cut(toScalars: 3) == ("x", true) && family.cut(toScalars: 6) == ("x👩‍👩‍👧", true))
        #expect(family.cut(toScalars: 7) == (family, false) && "é".cut(toScalars: 1) == ("é", false))
        #expect("".cut(toScalars: 0) == ("", false) && "ab".cut(toScalars: 0) == ("", true))
    }

    @Test func markupHoldsNoControls() {
        #expect(
            "<a & \"b\">\u{1B}\u{9B}\u{7F}\r\n\t\u{FFFE}".escapedForMarkup
                == "&lt;a &amp; &quot;b&quot;&gt;\u{FFFD}\u{FFFD}\u{FFFD}&#13;&#10;&#9;\u{FFFD}")
        // A mark makes no other character of a sign that has a meaning.
        #expect("<\u{301}\"\u{301}".escapedForMarkup == "&lt;\u{301}&quot;\u{301}")
        #expect("~\u{301}/\u{301}a".escapedForPointer == "~0\u{301}~1\u{301}a")
    }
}
