import Formats
import Testing

@Suite struct JSONTextTests {
    private static let example = #" {"a":[1,-2.50,true,null,"x\n\u00e9\ud83d\ude00"],"b":{},"c":"plain"} "#

    @Test func findsEachValueByItsPlace() throws {
        let root = try JSONText(Array(Self.example.utf8)).root
        #expect(root.kind == .object)
        let elements = try #require(root["a"]?.elements)
        #expect(elements.map(\.kind) == [.number, .number, .true, .null, .string])
        #expect(elements.last?.string == "x\né😀")
        #expect(root["b"]?.isEmpty == true && root["a"]?.isEmpty == false)
        #expect(root.members?.map(\.name) == ["a", "b", "c"])
        #expect(root["d"] == nil && root["c"]?["a"] == nil)
    }

    @Test func numbersKeepTheirSpelling() throws {
        let spelling = "123456789012345678901234567890.10e-3"
        let root = try JSONText(Array("[\(spelling),1e999]".utf8)).root
        #expect(root.elements?.map(\.number) == [spelling, "1e999"])
        #expect(root.string == nil && root.elements?.first?.string == nil)
    }

    @Test func valuesKeepTheirBytes() throws {
        let root = try JSONText(Array(Self.example.utf8)).root
        let array = try #require(root["a"]), string = try #require(root["c"])
        #expect(String(decoding: array.bytes, as: UTF8.self) == #"[1,-2.50,true,null,"x\n\u00e9\ud83d\ude00"]"#)
        #expect(String(decoding: string.bytes, as: UTF8.self) == #""plain""#)
    }

    @Test func namesMayBeEscapedAndTheFirstOfTwoCounts() throws {
        let root = try JSONText(Array(#"{"\u0061":1,"a":2,"ä":3}"#.utf8)).root
        #expect(root["a"]?.number == "1")
        #expect(root["ä"]?.number == "3")
    }

    @Test(arguments: ["", "{", "[1 2]", "\"\\ud800\"", "\"\\udc00\"", "01", "\"\u{1}\"", "tru", "1 x", "\"\\x\"", "-"])
    func refusesWhatIsNotJSONWhereTheParserDoes(text: String) {
        var own: JSONSyntaxError?, other: JSONSyntaxError?
        do { _ = try JSONText(Array(text.utf8)) } catch { own = error }
        do { _ = try JSONParser.parse(Array(text.utf8)) } catch { other = error }
        #expect(own != nil && own == other)
    }

    @Test(
        arguments: [
            [0xC3, 0x28], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func refusesInvalidUTF8(bytes: [UInt8]) {
        #expect { try JSONText([0x5B, 0x22, 0x61] + bytes + [0x22, 0x5D]) } throws: {
            let error = $0 as? JSONSyntaxError
            return error?.reason == "the string is not valid UTF-8" && error?.offset == 2
        }
    }

    @Test func reads64LevelsAndNoMore() {
        func nested(_ levels: Int) -> [UInt8] {
            Array((String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).utf8)
        }
        #expect(throws: Never.self) { try JSONText(nested(64)) }
        #expect { try JSONText(nested(65)) } throws: { ($0 as? JSONSyntaxError)?.offset == 64 }
    }
}
