import Formats

/// JSON for readers: indented by two spaces.
enum PrettyJSON {
    static func text(_ value: JSONValue) -> String {
        var text = ""
        write(value, indent: "", to: &text)
        return text
    }

    private static func write(_ value: JSONValue, indent: String, to text: inout String) {
        let inner = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            text += "{\n"
            for (index, member) in members.enumerated() {
                text += inner + scalar(.string(member.name)) + ": "
                write(member.value, indent: inner, to: &text)
                text += index + 1 < members.count ? ",\n" : "\n"
            }
            text += indent + "}"
        case .array(let items) where !items.isEmpty:
            text += "[\n"
            for (index, item) in items.enumerated() {
                text += inner
                write(item, indent: inner, to: &text)
                text += index + 1 < items.count ? ",\n" : "\n"
            }
            text += indent + "]"
        default: text += scalar(value)
        }
    }

    private static func scalar(_ value: JSONValue) -> String {
        switch value {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return "\(number)"
        case .number(let number): return "\(number)"
        case .string(let string):
            var json = JSONWriter()
            json.value(string)
            return String(decoding: json.bytes, as: UTF8.self)
        case .array: return "[]"
        case .object: return "{}"
        }
    }
}
