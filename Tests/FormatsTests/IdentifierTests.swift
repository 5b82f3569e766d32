import Formats
import Testing

@Suite struct IdentifierTests {
    @Test(arguments: [
        "x", " ", "~", "a b", "5f2c1e1a-0b8f-4a83-9d27-2f4e4b1f9a11", "...", ".a", "a.", "..a",
        String(repeating: "x", count: 128),
    ])
    func takesPrintableASCII(text: String) {
        #expect(Identifier.isValid(text))
    }

    /// `.` and `..` are steps of a path: clients take them out of an address, in any encoding.
    @Test(arguments: [".", "..", "", "\u{1F}", "\u{7F}", "a\nb", "é", "e\u{301}", String(repeating: "x", count: 129)])
    func refusesAnythingElse(text: String) {
        #expect(!Identifier.isValid(text))
    }
}
