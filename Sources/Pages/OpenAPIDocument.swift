import Formats
import Yams

/// The OpenAPI document: written in YAML, served as JSON with its members in the same order.
package enum OpenAPIDocument {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    package static func json(yaml: [UInt8]) throws -> [UInt8] {
        // Yams' own resolver tries eight regular expressions on each scalar.
        guard let node = try Yams.compose(yaml: String(decoding: yaml, as: UTF8.self), .basic) else {
            throw Malformed(description: "the OpenAPI document is empty")
        }
        var json = JSONWriter(reservingCapacity: yaml.count)
        try write(node, to: &json)
        return json.bytes
    }

    private static func write(_ node: Node, to json: inout JSONWriter) throws {
        switch node {
        case .mapping(let mapping):
            json.beginObject()
            for (key, value) in mapping {
                // A status written without quotes is a number, and yet a name.
                guard let name = key.scalar?.string else {
                    throw Malformed(description: "a member's name is not a scalar")
                }
                json.name(name)
                try write(value, to: &json)
            }
            json.endObject()
        case .sequence(let sequence):
            json.beginArray()
            for item in sequence { try write(item, to: &json) }
            json.endArray()
        case .scalar(let scalar):
            write(scalar, to: &json)
        default:
            throw Malformed(description: "aliases are not used in the document")
        }
    }

    /// What a scalar means by YAML 1.2's core schema (10.3.2), without numbers in octal or hexadecimal. One with quotes
    /// is a text.
    private static func write(_ scalar: Node.Scalar, to json: inout JSONWriter) {
        guard scalar.style == .plain else { return json.value(scalar.string) }
        switch scalar.string {
        case "", "~", "null", "Null", "NULL": json.raw(Array("null".utf8))
        case "true", "True", "TRUE": json.raw(Array("true".utf8))
        case "false", "False", "FALSE": json.raw(Array("false".utf8))
        case let text where text.utf8.allSatisfy(isOfNumber):
            if let number = Int64(text) {
                json.value(number)
            } else if let number = Double(text) {
                json.raw(Array("\(number)".utf8))
            } else {
                json.value(text)
            }
        case let text: json.value(text)
        }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
