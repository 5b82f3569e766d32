import ChatModel
import Formats

/// What the document promises of each value that an answer shows, whatever was sent.
enum Limits {
    /// Code points.
    private static let lengths: [String: Int] = [
        "name": 256, "firstName": 256, "lastName": 256, "label": 256, "customType": 128, "id": 128, "threadId": 128,
        "parentId": 128,
        "welcomeMessage": 4096, "postback": 4096, "title": 1024, "url": 2048,
    ]
    private static let textLength = 64 << 10

    /// Throws ``BrokenRule`` when a value of the answer is beyond them.
    static func check(_ json: [UInt8]) throws {
        guard let value = try? JSONParser.parse(json) else {
            throw BrokenRule(description: "an answer that is no JSON: \(json.text)")
        }
        try check(value, "")
    }

    private static func check(_ value: JSONValue, _ name: String) throws {
        switch value {
        case .string(let text):
            if let length = lengths[name] {
                try expect(text.unicodeScalars.count <= length, "\(name) has \(text.unicodeScalars.count) characters")
            }
            if name == "text" { try expect(text.utf8.count <= textLength, "a text of \(text.utf8.count) bytes") }
            if name.hasSuffix("At") || name == "startTime" {
                try expect(text.utf8.count == 24 && Timestamp(rfc3339: text)?.rfc3339 == text, "\(name) is \(text)")
            }
        case .array(let values): for value in values { try check(value, name) }
        case .object(let members) where name == "customFields":
            for member in members {
                try expect(
                    member.name.unicodeScalars.count <= 128,
                    "a field's name has \(member.name.unicodeScalars.count) characters")
                let count = member.value.string?.unicodeScalars.count ?? 0
                try expect(count <= 4096, "a field's value has \(count) characters")
            }
        case .object(let members): for member in members { try check(member.value, member.name) }
        case .null, .bool, .integer, .number: break
        }
    }
}
