import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

/// Search as people of many scripts expect it.
struct SearchScriptsTests {
    /// What is looked for, and a text that has it in another form.
    @Test(arguments: [
        ("ελλαδα", "Η Ελλάδα σήμερα"), ("ΕΛΛΆΔΑΣ", "της ελλάδας"), ("οδοσ", "μία οδός"),
        ("שלום", "שָׁלוֹם חבר"), ("كتاب", "هذا كِتَابٌ جديد"), ("كتاب", "كـــتاب"), ("احمد", "أحمد هنا"),
        ("елка", "Ёлка"), ("strasse", "die Straße"), ("STRAẞE", "strasse"), ("istanbul", "İstanbul"),
        ("tieng viet", "Tiếng Việt"), ("हिन्दी", "मैं हिन्दी बोलता हूँ"), ("ज़रूर", "जरूर"), ("ไทย", "ภาษา ไท่ย"),
        ("abc", "ＡＢＣ"), ("ガイド", "ｶﾞｲﾄﾞ"), ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"),
        ("cooperate", "co\u{AD}operate"), ("1", "press 1️⃣ now"), ("naïve", "NAI\u{308}VE"),
    ]) func caseAndMarksDoNotMatter(_ text: String, _ message: String) async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", message)
            #expect(try await room.found(text) == ["m1"])
        }
    }

    @Test(arguments: [("カ", "ガ"), ("हनद", "हिन्दी"), ("กน", "กุน"), ("ab", "a\u{0}b"), ("ab", "a\u{200B}b")])
    func whatSpellsAnotherWordDoesMatter(_ text: String, _ message: String) async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", message)
            #expect(try await room.found(text) == [])
        }
    }

    /// One character may stand for a whole sentence. The index does not hold that for each of them.
    @Test(arguments: ["\u{FDFA}", "\u{FDFB}", "\u{AC01}", "\u{FB03}", "\u{390}", "\u{1F82}", "\u{D9A}\u{DDD}"])
    func theIndexHoldsAtMostThreeTimesTheText(_ character: String) {
        let text = String(repeating: character + " ", count: 100)
        let folded = SearchText(text[...]).folded
        #expect((1...3 * text.utf8.count).contains(folded.count))
    }

    /// The short way through a text of ASCII finds the words that the long way finds.
    @Test func bothWaysFoldASCIIAlike() {
        var random = SeededGenerator(seed: 26)
        let characters = (0..<128).map { Character(Unicode.Scalar(UInt8($0))) }
        for length in 0..<200 {
            let text = String((0..<length).map { _ in characters.randomElement(using: &random)! })
            #expect(SearchText.folded(text) == String(decoding: SearchText(text[...]).folded, as: UTF8.self))
        }
    }

    @Test func aSentenceInOneCharacterIsFoundByItself() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", "قال محمد \u{FDFA} أمس")
            #expect(try await room.found("\u{FDFA}") == ["m1"])
            #expect(try await room.found("محمد أمس") == ["m1"])
        }
    }

    /// The snippet of the only hit, with brackets around what is marked.
    private func marked(_ text: String, in message: String) async throws -> String? {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", message)
            try await store.catchUpSearch()
            let page = try await store.search(
                .account(room.account.number), for: text, page: PageRequest(limit: 5, cursor: nil))
            let hit = try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array?.first
            guard let snippet = hit?["snippet"], var units = snippet["text"]?.string.map({ Array($0.utf16) }) else {
                return nil
            }
            for range in (snippet["ranges"]?.array ?? []).reversed() {
                guard let start = range.array?.first?.integer, let count = range.array?.last?.integer else { continue }
                units.insert(UInt16(UInt8(ascii: "]")), at: Int(start + count))
                units.insert(UInt16(UInt8(ascii: "[")), at: Int(start))
            }
            return String(decoding: units, as: UTF16.self)
        }
    }

    @Test(arguments: [
        ("हिन्दी", "यह हिन्दी है", "यह [हिन्दी] है"), ("1", "press 1️⃣ now", "press [1️⃣] now"),
        ("one two", "two and one", "[two] and [one]"), ("\"one two\"", "one, two, one", "[one, two], one"),
        ("a", "a\u{1F3FB} b", "[a\u{1F3FB}] b"), ("b", "a\u{0}b", "a\u{0}[b]"), ("שלום", "שָׁלוֹם!", "[שָׁלוֹם]!"),
    ]) func marksEndAtWholeCharacters(_ text: String, _ message: String, _ expected: String) async throws {
        #expect(try await marked(text, in: message) == expected)
    }

    @Test func aSnippetEndsAtWholeCharacters() async throws {
        let word = "हिन्दी"
        let snippet = try #require(
            try await marked(
                "wort",
                in: String(repeating: word, count: 100) + " wort "
                    + String(repeating: word, count: 100)))
        let inside = snippet.drop { $0 == "…" }.prefix { $0 != "…" }
        #expect(snippet.hasPrefix("…") && snippet.hasSuffix("…") && snippet.contains("[wort]"))
        #expect(word.contains(inside.first!) && word.contains(inside.last!))
    }

    /// Everything that is read of the rows is the reader's own: other customers' words are not even passed over.
    @Test func aPageDoesNotTellThatOthersWroteAWord() async throws {
        try await withStore { store in
            let stranger = try await Room.make(in: store, thread: "x", customer: "c2")
            let room = try await Room.make(in: store, thread: "t")
            for number in 0..<260 { _ = try await Room.make(in: store, thread: "t\(number)") }
            for start in stride(from: 0, to: 5100, by: 100) {
                try await stranger.unit { transaction, record in
                    for number in start..<start + 100 {
                        try Room.send("x\(number)", "secret", to: &record, in: transaction)
                    }
                }
            }
            try await room.send("m", "word")
            try await store.catchUpSearch()
            let page = try await store.search(
                .account(room.account.number), for: "secret", page: PageRequest(limit: 5, cursor: nil))
            #expect(page.next == nil)
        }
    }
}
