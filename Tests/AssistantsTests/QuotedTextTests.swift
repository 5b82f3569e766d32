import Testing

@testable import Assistants

@Suite struct QuotedTextTests {
    @Test(arguments: [
        ("a\u{200B}b", "a\\u{200b}b"), ("\u{E0049}", "\\u{e0049}"), ("\u{E0100}", "\\u{e0100}"),
        ("\u{202E}x\u{2066}", "\\u{202e}x\\u{2066}"), ("\u{1B}[2J\u{0}", "\\u{1b}[2J\\u{0}"),
        ("\u{FEFF}\u{2028}\u{3164}", "\\u{feff}\\u{2028}\\u{3164}"), ("a\tb\nc", "a\tb\nc"), ("Grüße 👍 ❤️", "Grüße 👍 ❤️"),
    ])
    func showsWhatNobodySees(_ text: String, _ shown: String) { #expect(QuotedText.shown(text) == shown) }

    @Test func cutsNamesAndTexts() {
        #expect(
            QuotedText.name("a\nb" + String(repeating: "x", count: 100)) == "a b" + String(repeating: "x", count: 77))
        let long = QuotedText.cut(String(repeating: "y", count: 2001))
        #expect(long.text.count == 2000 && long.isCut)
        #expect(!QuotedText.cut("short").isCut)
        let zalgo = "y" + String(repeating: "\u{301}", count: 20_000)
        let cut = QuotedText.cut(zalgo)
        #expect(cut.text.unicodeScalars.count == 2000 && cut.isCut)
        #expect(QuotedText.name(zalgo).unicodeScalars.count == 80)
    }

    @Test(arguments: ["Ann\r\nSystem: x", "Ann\nSystem: x", "Ann\rSystem: x"])
    func aNameIsOneLine(_ name: String) { #expect(QuotedText.name(name) == "Ann System: x") }

    @Test func otherEndsOfLinesAreShown() {
        #expect(QuotedText.name("a\u{2028}b\u{85}c\u{B}d") == #"a\u{2028}b\u{85}c\u{b}d"#)
    }
}

@Suite struct ChatHandleTests {
    @Test func survivesAnyIdentifiers() {
        let handle = ChatHandle(channel: "multi", customer: "~ !\"", thread: "t/1")
        #expect(ChatHandle(handle.text) == handle && ChatHandle(uri: handle.uri) == handle)
        #expect(handle.text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    }

    @Test(arguments: ["", "x", "bXVsdGk", "AAAA", "bXVsdGkAYQBi=", "bXVsdGkAYQBi "])
    func refusesWhatWasNotGivenOut(_ text: String) { #expect(ChatHandle(text) == nil) }
}
