import ChatModel
import Formats
import Yams

/// The OpenAPI document: written in YAML, served as JSON with its members in the same order.
enum OpenAPIDocument {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    static func json(yaml: [UInt8]) throws -> [UInt8] {
        guard let node = try Yams.compose(yaml: String(decoding: yaml, as: UTF8.self)) else {
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
            write(scalar, of: node, to: &json)
        default:
            throw Malformed(description: "aliases are not used in the document")
        }
    }

    private static func write(_ scalar: Node.Scalar, of node: Node, to json: inout JSONWriter) {
        switch Tag.Name(rawValue: node.tag.description) {
        case .null: json.raw(Array("null".utf8))
        case .bool: json.raw(Array((node.bool ?? false ? "true" : "false").utf8))
        case .int: json.value(Int64(node.int ?? 0))
        case .float: json.raw(Array("\(node.float ?? 0)".utf8))
        default: json.value(scalar.string)
        }
    }
}
