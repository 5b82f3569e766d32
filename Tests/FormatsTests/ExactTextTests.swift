import Formats
import Testing

@Suite struct ExactTextTests {
    /// "e" with an accent as one character and as two, and the sign for the unit of length beside the letter.
    @Test(arguments: [("\u{E9}", "e\u{301}"), ("\u{212B}", "A\u{30A}"), ("\u{212A}", "K")])
    func equivalentTextsDiffer(one: String, other: String) {
        #expect(one == other, "this is what String says")
        #expect(ExactText(one) != ExactText(other))
        #expect(Set([ExactText(one), ExactText(other), ExactText(one)]).count == 2)
        #expect(one.hasSameBytes(as: one) && !one.hasSameBytes(as: other))
        #expect(!String?.some(one).hasSameBytes(as: other) && !String?.some(one).hasSameBytes(as: nil))
        #expect(!["k": one].hasSameBytes(as: ["k": other]) && !["\(one)": "v"].hasSameBytes(as: ["\(other)": "v"]))
        #expect(["k": one, "l": other].hasSameBytes(as: ["l": other, "k": one]))
    }

    /// `==` would sort such marks, which takes a second for these.
    @Test func longRunsOfMarksInAnotherOrderDiffer() {
        let one = String(repeating: "\u{301}\u{323}", count: 16_000)
        let other = String(repeating: "\u{323}\u{301}", count: 16_000)
        #expect(!one.hasSameBytes(as: other) && one.hasSameBytes(as: String(decoding: Array(one.utf8), as: UTF8.self)))
    }

    @Test func aMemberIsNamedByItsBytes() throws {
        let json = try JSONParser.parse(Array("{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{212A}\":3}".utf8))
        #expect(json["\u{E9}"] == .integer(1))
        #expect(json["e\u{301}"] == .integer(2))
        #expect(json["K"] == nil)
        let many = (0..<100).map { "\"m\($0)\":0" }.joined(separator: ",")
        #expect(throws: Never.self) { try JSONParser.parse(Array("{\(many),\"\u{E9}\":1,\"e\u{301}\":2}".utf8)) }
        #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse(Array("{\(many),\"\u{E9}\":1,\"\u{E9}\":2}".utf8))
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("7", 7), ("9223372036854775807", Int64.max), ("9223372036854775808", nil), ("", nil),
            ("+5", nil), ("-5", nil),
            ("05", nil), ("00", nil), (" 5", nil), ("5 ", nil), ("\u{0665}", nil), ("0x5", nil), ("5_0", nil),
        ] as [(String, Int64?)])
    func numbersHaveOneSpelling(text: String, number: Int64?) {
        #expect(Int64(digits: text) == number)
        #expect(Int64(signedDigits: text) == (text == "-5" ? -5 : number))
        #expect(Int64(signedDigits: "-\(text)") == (number == 0 ? nil : number.map { -$0 }))
    }
}
