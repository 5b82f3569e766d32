import Formats
import Testing

@Suite struct JSONTests {
    @Test func readsEveryKind() throws {
        let value = try JSONParser.parse(Array(#" {"a":[1,-2.5,true,null,"x\n\u00e9\ud83d\ude00"],"b":{}} "#.utf8))
        #expect(value["a"] == .array([.integer(1), .number(-2.5), .bool(true), .null, .string("x\né😀")]))
        #expect(value["b"] == .object([]))
    }

    @Test(arguments: [
        ("", 0), ("{", 1), ("{\"a\":1,}", 7), ("[1 2]", 3), ("\"\\ud800\"", 1), ("\"\\ud800\\u0041\"", 1), ("01", 1),
        ("1e999", 0), ("\"\u{1}\"", 1), ("{\"a\":1,\"a\":2}", 7), ("tru", 0), ("1 x", 2), ("\"\\x\"", 1),
    ])
    func saysWhereTextIsNotJSON(text: String, offset: Int) {
        #expect { try JSONParser.parse(Array(text.utf8)) } throws: { ($0 as? JSONSyntaxError)?.offset == offset }
    }

    @Test func refusesInvalidUTF8() {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0x22, 0xC3, 0x28, 0x22]) }
    }

    /// The last has the class of no mark, but is two in Unicode's normal form.
    @Test(arguments: ["\u{301}", "\u{323}\u{301}", "\\u0301", "\u{301}\\u0323\u{1D165}", "\u{F73}"])
    func refusesLongRunsOfCombiningMarksWhereThatIsAsked(marks: String) {
        let run = String(repeating: marks, count: 257)
        let text = Array("{\"a\":\"e\(run)\"}".utf8)
        #expect { try JSONParser.parse(text, limitsMarks: true) } throws: {
            ($0 as? JSONSyntaxError)?.offset == 6 && ($0 as? JSONSyntaxError)?.reason.contains("256") == true
        }
        #expect(throws: JSONSyntaxError.self) { try JSONText(text, limitsMarks: true) }
        // What is stored was taken before there was this limit.
        #expect(throws: Never.self) { try JSONParser.parse(text) }
        #expect(throws: JSONSyntaxError.self, "as a name") {
            try JSONParser.parse(Array("{\"\(run)\":1}".utf8), limitsMarks: true)
        }
    }

    @Test(arguments: ["\u{301}", "\\u0301", "\u{93E}", "\u{4E2D}", "e\u{301}", "\\n", "x"])
    func takesAsManyMarksAsPeopleWrite(piece: String) {
        let isMark = piece.hasSuffix("0301") || piece == "\u{301}"
        let text = String(repeating: piece, count: isMark ? 256 : 10_000)
        #expect(throws: Never.self) { try JSONParser.parse(Array("\"\(text)\"".utf8), limitsMarks: true) }
    }

    @Test func refusesHostileDepthWithoutReadingIt() {
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 10_000)
        #expect { try JSONParser.parse(text) } throws: { ($0 as? JSONSyntaxError)?.offset == 64 }
    }

    @Test(arguments: [0, 15, 16, 99]) func findsADuplicateAmongManyMembers(number: Int) {
        let members = (0..<100).map { "\"m\($0)\":0" }.joined(separator: ",")
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array("{\(members),\"m\(number)\":1}".utf8)) }
        #expect(throws: Never.self) { try JSONParser.parse(Array("{\(members)}".utf8)) }
    }

    @Test(arguments: ["", "plain", "quote\" slash\\ line\nreturn\rtab\t", "\u{0}\u{1F}\u{7F}", "é😀漢字", "</script>"])
    func whatIsWrittenIsRead(text: String) throws {
        var json = JSONWriter()
        json.value(text)
        #expect(try JSONParser.parse(json.bytes) == .string(text))
    }

    @Test(arguments: [0, 1, -1, 42, Int64.max, Int64.min])
    func integersKeepTheirValue(number: Int64) throws {
        var json = JSONWriter()
        json.value(number)
        #expect(String(decoding: json.bytes, as: UTF8.self) == String(number))
        #expect(try JSONParser.parse(json.bytes) == .integer(number))
    }
}
