import Formats
import Gateway

/// The members of schemas, as lists. A member that has members itself names their schema, which the page shows once; the
/// page's script shows it in place.
struct SchemaTree {
    let document: APIDocument
    private let text: SchemaText

    init(_ document: APIDocument) {
        self.document = document
        text = SchemaText(document: document)
    }

    /// The members of a schema as a list. A schema without any is shown in words.
    func html(_ schema: JSONValue) -> String {
        let value = document.resolve(schema)
        guard text.isTree(value) else {
            let words = [text.type(schema)] + text.bounds(schema)
            return "<p class=\"type\">\(words.joined(separator: ", "))</p>\n"
        }
        var html = ""
        let parts = value["allOf"]?.array ?? []
        let choice = (value["oneOf"]?.array ?? value["anyOf"]?.array ?? []).filter { SchemaText.name($0) != nil }
        if !choice.isEmpty {
            html += "<p class=\"type\">One of \(choice.map(text.type).joined(separator: ", ")).</p>\n"
        }
        let rows = parts.flatMap(members) + members(.object(value.members ?? []))
        if !rows.isEmpty { html += "<ul class=\"members\">\n\(rows.joined())</ul>\n" }
        return html
    }

    /// A section for each schema that these name, and those that they name in turn, by name.
    func sections(_ schemas: [JSONValue]) -> String {
        reached(schemas).sorted().map { name in
            let schema = JSONValue.object([JSONMember(name: "$ref", value: .string("#/components/schemas/\(name)"))])
            let id = HTMLPage.escape(name)
            return """
                <section class="schema" id="schema-\(id)">
                <h3><a href="#schema-\(id)">\(id)</a></h3>
                <p>\(text.description(schema))</p>
                \(html(schema))</section>

                """
        }.joined()
    }

    /// The names of all members of these schemas and of those that they name.
    func memberNames(_ schemas: [JSONValue]) -> Set<String> {
        var names: Set<String> = []
        for schema in schemas { collect(schema, into: &names) }
        for name in reached(schemas) {
            let schema = JSONValue.object([JSONMember(name: "$ref", value: .string("#/components/schemas/\(name)"))])
            collect(document.resolve(schema), into: &names)
        }
        return names
    }

    private func collect(_ schema: JSONValue, into names: inout Set<String>) {
        guard schema["$ref"] == nil else { return }
        for member in schema["properties"]?.members ?? [] {
            names.insert(member.name)
            collect(member.value, into: &names)
        }
        for part in text.variants(schema) { collect(part, into: &names) }
    }

    private func reached(_ schemas: [JSONValue]) -> Set<String> {
        var names: Set<String> = []
        var waiting = schemas
        while let schema = waiting.popLast() {
            if let name = SchemaText.name(schema) {
                let value = document.resolve(schema)
                if text.isTree(value) {
                    guard names.insert(name).inserted else { continue }
                }
                waiting.append(value)
                continue
            }
            waiting += schema["properties"]?.members?.map(\.value) ?? []
            waiting += [schema["items"], schema["additionalProperties"]].compactMap(\.self) + text.variants(schema)
        }
        return names
    }

    private func members(_ schema: JSONValue) -> [String] {
        let value = document.resolve(schema)
        let required = Set(value["required"]?.array?.compactMap(\.string) ?? [])
        let inherited = schema["$ref"] == nil ? [] : (value["allOf"]?.array ?? []).flatMap(members)
        return inherited
            + (value["properties"]?.members ?? []).map { member in
                row(
                    name: member.name, schema: member.value, need: required.contains(member.name) ? "required" : nil,
                    description: text.description(member.value))
            }
    }

    /// One line of a list of members or parameters.
    ///
    /// - Parameter description: HTML.
    func row(
        name: String, place: String? = nil, schema: JSONValue, need: String?, description: String, data: String = ""
    ) -> String {
        let words = [place, text.type(schema)].compactMap(\.self) + text.bounds(schema)
        let mark = need.map { " <strong>\($0)</strong>" } ?? ""
        var html = "<li\(data)><code class=\"name\">\(HTMLPage.escape(name))</code> "
        html += "<span class=\"type\">\(words.joined(separator: ", "))</span>\(mark)"
        if !description.isEmpty { html += " <span class=\"text\">\(description)</span>" }
        if schema["$ref"] == nil, schema["properties"] != nil { html += self.html(schema) }
        return html + "</li>\n"
    }
}

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
    fileprivate func variants(_ value: JSONValue) -> [JSONValue] {
        ["allOf", "oneOf", "anyOf"].flatMap { value[$0]?.array ?? [] }
            .filter { $0["$ref"] != nil || $0["type"] != nil || $0["properties"] != nil }
    }

    /// Whether a schema has members to show.
    fileprivate func isTree(_ value: JSONValue) -> Bool {
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
