import Formats

/// What a schema allows, in words, as HTML.
struct SchemaText {
    let document: APIDocument

    /// The schemas with members that this one names: what ``type(_:)`` links to.
    func trees(in schema: JSONValue) -> [String] {
        if let name = Self.name(schema), isTree(document.resolve(schema)) { return [name] }
        let value = document.resolve(schema)
        let inner = [value["items"], value["additionalProperties"]].compactMap(\.self) + variants(value)
        return inner.flatMap(trees)
    }

    /// The name of the component to which a schema refers.
    static func name(_ schema: JSONValue) -> String? {
        schema["$ref"]?.string.flatMap { $0.split(separator: "/").last.map(String.init) }
    }

    /// The type: a link if it has members of its own.
    func type(_ schema: JSONValue) -> String {
        if let name = Self.name(schema), isTree(document.resolve(schema)) { return Self.link(name) }
        let value = document.resolve(schema)
        let variants = variants(value)
        if !variants.isEmpty, value["properties"] == nil { return variants.map(type).joined(separator: " or ") }
        if let types = value["type"]?.array { return types.compactMap(\.string).joined(separator: " or ") }
        switch value["type"]?.string {
        case "array": return "array of \(value["items"].map(type) ?? "anything")"
        case "object":
            return value["additionalProperties"]?.members.map { "object of \(type(.object($0)))" } ?? "object"
        case let name?: return name + (value["format"]?.string.map { ", \(HTMLPage.escape($0))" } ?? "")
        case nil: return value["enum"] == nil ? "anything" : "one of"
        }
    }

    /// What else a value must keep: bounds, pattern, choice, default.
    func bounds(_ schema: JSONValue) -> [String] {
        var words: [String] = []
        var value = document.resolve(schema)
        if let one = value["allOf"]?.array, one.count == 1 { value = document.resolve(one[0]) }
        words += Self.range(value["minimum"], value["maximum"], "")
        words += Self.range(value["minLength"], value["maxLength"], " characters")
        words += Self.range(value["minItems"], value["maxItems"], " items")
        words += Self.range(value["minProperties"], value["maxProperties"], " members")
        if let pattern = value["pattern"]?.string { words.append("matches \(Self.code(pattern))") }
        if let choice = value["enum"]?.array { words.append("one of \(choice.map(Self.code).joined(separator: " "))") }
        if let items = value["items"], trees(in: items).isEmpty { words += bounds(items).map { "each \($0)" } }
        if let fallback = value["default"] { words.append("default \(Self.code(fallback))") }
        return words
    }

    /// A text of the schema, or of what it refers to, as HTML.
    func description(_ schema: JSONValue) -> String {
        Markdown().inline(schema["description"]?.string ?? document.resolve(schema)["description"]?.string ?? "")
    }

    /// All alternatives and parts of a schema that are schemas themselves; those that only require members are not.
    func variants(_ value: JSONValue) -> [JSONValue] {
        ["allOf", "oneOf", "anyOf"].flatMap { value[$0]?.array ?? [] }
            .filter { $0["$ref"] != nil || $0["type"] != nil || $0["properties"] != nil }
    }

    /// Whether a schema has members to show.
    func isTree(_ value: JSONValue) -> Bool {
        value["properties"] != nil || variants(value).contains { isTree(document.resolve($0)) }
    }

    static func link(_ name: String) -> String {
        "<a class=\"schema\" href=\"#schema-\(HTMLPage.escape(name))\">\(HTMLPage.escape(name))</a>"
    }

    private static func code(_ text: String) -> String { "<code>\(HTMLPage.escape(text))</code>" }

    private static func code(_ value: JSONValue) -> String { code(value.string ?? PrettyJSON.text(value)) }

    private static func range(_ low: JSONValue?, _ high: JSONValue?, _ unit: String) -> [String] {
        func text(_ value: JSONValue) -> String { PrettyJSON.text(value) }
        return switch (low, high) {
        case (let low?, let high?) where low == high: ["exactly \(text(low))\(unit)"]
        case (let low?, let high?): ["\(text(low)) to \(text(high))\(unit)"]
        case (let low?, nil): ["at least \(text(low))\(unit)"]
        case (nil, let high?): ["at most \(text(high))\(unit)"]
        case (nil, nil): []
        }
    }
}
