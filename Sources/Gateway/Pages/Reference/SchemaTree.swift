import Formats

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
