import Formats
import TestSupport
import Testing

@testable import ChatStore

struct AuditDetailTests {
    private func cut(_ json: String, to limit: Int) throws -> String {
        String(decoding: try AuditDetail.cut(Array(json.utf8), to: limit), as: UTF8.self)
    }

    @Test(arguments: ["{}", "null", #"{"a":1,"b":[true]}"#, #""text""#])
    func whatIsShortEnoughStaysAsItIs(json: String) throws {
        #expect(try cut(json, to: json.utf8.count) == json)
    }

    @Test(arguments: ["", "{", "{}x", #"{"a":}"#]) func whatIsNoJSONIsRefused(text: String) throws {
        #expect(throws: JSONSyntaxError.self) { _ = try cut(text, to: 4096) }
        #expect(throws: JSONSyntaxError.self) { _ = try cut(text, to: 0) }
    }

    /// The great value does not take the room of the small ones, wherever they stand.
    @Test func whatIsSmallStays() throws {
        let long = String(repeating: "x", count: 500)
        #expect(
            try cut(#"{"a":1,"b":"\#(long)","c":{"d":"e"},"f":true}"#, to: 120)
                == #"{"a":1,"b":"\#(String(repeating: "x", count: 54))…","c":{"d":"e"},"f":true,"isCut":true}"#)
    }

    @Test func ofManyTheFirstStay() throws {
        let list = "[" + (1...500).map(String.init).joined(separator: ",") + "]"
        #expect(try cut(list, to: 12) == "[1,2,3,4,5]")
    }

    /// Whatever is cut, and wherever, is JSON and has room.
    @Test func whateverIsCutIsJSONThatFits() throws {
        var random = SeededGenerator(seed: 7)
        func value(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 3 ? 4 : 7), using: &random) {
            case 0: return "null"
            case 1: return "\(Int.random(in: -1000...1000, using: &random))"
            case 2: return String(repeating: "9", count: Int.random(in: 1...60, using: &random)) + ".5"
            case 3:
                let units = ["a", "ä", "😀", "\\n", "\\u0000", "\\\"", "e\u{301}"]
                let text = (0..<Int.random(in: 0...200, using: &random)).map { _ in units.randomElement(using: &random)!
                }
                return "\"" + text.joined() + "\""
            case 4: return "[" + values(depth).joined(separator: ",") + "]"
            default:
                let members = values(depth).enumerated().map { "\"m\\n\($0.offset)\":" + $0.element }
                return "{" + members.joined(separator: ",") + "}"
            }
        }
        func values(_ depth: Int) -> [String] {
            (0..<Int.random(in: 0...8, using: &random)).map { _ in value(depth + 1) }
        }
        var cuts = 0
        for _ in 0..<400 {
            let json = Array(value(0).utf8)
            for limit in [2, 13, 14, 15, 40, 200, 1000] {
                let result = try AuditDetail.cut(json, to: limit)
                #expect(result.count <= limit)
                _ = try JSONParser.parse(result)
                if json.count <= limit { #expect(result == json) } else { cuts += 1 }
            }
        }
        #expect(cuts > 500)
    }
}
