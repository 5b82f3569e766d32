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
