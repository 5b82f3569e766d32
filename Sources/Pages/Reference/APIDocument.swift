import Formats
import HTTPRouting

/// The OpenAPI document as the reference reads it: tags, operations, and the components that they name.
struct APIDocument: Sendable {
    struct Tag: Sendable {
        let name: String
        let description: String
        let operations: [APIOperation]
    }

    let title: String
    /// Markdown.
    let description: String
    /// In the document's order; each has operations.
    private(set) var tags: [Tag] = []
    /// What lets a request in, by name, with Markdown that describes it.
    let accessSchemes: [(name: String, description: String)]
    /// Components by their reference, such as `#/components/schemas/Message`.
    private let components: [String: JSONValue]

    var operations: [APIOperation] { tags.flatMap(\.operations) }

    init(_ root: JSONValue) {
        title = root["info"]?["title"]?.string ?? "Parley"
        description = root["info"]?["description"]?.string ?? ""
        var components: [String: JSONValue] = [:]
        for kind in root["components"]?.members ?? [] {
            for one in kind.value.members ?? [] { components["#/components/\(kind.name)/\(one.name)"] = one.value }
        }
        self.components = components
        accessSchemes = (root["components"]?["securitySchemes"]?.members ?? []).map {
            ($0.name, $0.value["description"]?.string ?? "")
        }
        var found: [String: [APIOperation]] = [:]
        var names = (root["tags"]?.array ?? []).compactMap { $0["name"]?.string }
        for path in root["paths"]?.members ?? [] {
            for member in path.value.members ?? [] {
                guard let method = Method(rawValue: member.name.uppercased()) else { continue }
                let operation = APIOperation(
                    method, path.name, member.value, shared: path.value["parameters"]?.array ?? [], of: root,
                    resolve: { Self.resolve($0, components) })
                if found[operation.tag] == nil, !names.contains(operation.tag) { names.append(operation.tag) }
                found[operation.tag, default: []].append(operation)
            }
        }
        tags = names.compactMap { name in
            guard let operations = found[name] else { return nil }
            let tag = root["tags"]?.array?.first { $0["name"]?.string == name }
            return Tag(name: name, description: tag?["description"]?.string ?? "", operations: operations)
        }
    }

    /// What a `$ref` names; a value without one is itself.
    func resolve(_ value: JSONValue) -> JSONValue { Self.resolve(value, components) }

    /// The path of the list whose items' ids a path parameter takes: what stands before the parameter, if a GET there
    /// answers with `items`.
    func list(of parameter: String, in path: String) -> String? {
        let place = "/" + path.split(separator: "/").prefix { $0 != "{\(parameter)}" }.joined(separator: "/")
        let operation = operations.first { $0.method == .get && $0.path == place }
        let schema = operation?.answers.first { $0.status == "200" }?.media.first?.schema
        return schema.map(resolve)?["properties"]?["items"] == nil ? nil : place
    }

    private static func resolve(_ value: JSONValue, _ components: [String: JSONValue]) -> JSONValue {
        var value = value
        while let reference = value["$ref"]?.string, let target = components[reference] { value = target }
        return value
    }
}

/// One operation of the OpenAPI document, with all that it refers to except schemas.
struct APIOperation: Sendable {
    struct Parameter: Sendable {
        let name: String
        /// `path`, `query` or `header`.
        let place: String
        let isRequired: Bool
        /// Markdown.
        let description: String
        let schema: JSONValue
        /// As it stands in a path or a query; several values with commas between them.
        let example: String?
    }

    /// A body in one of its forms.
    struct Media: Sendable {
        let type: String
        let schema: JSONValue
        let examples: [(name: String, value: JSONValue)]
    }

    struct Answer: Sendable {
        /// Three digits, or `default`.
        let status: String
        /// Markdown.
        let description: String
        let headers: [String]
        let media: [Media]
        /// The codes of problems that this operation may answer with under this status.
        let codes: [String]
        /// Those of ``codes`` that only some operations have.
        let ownCodes: [String]

        var isGood: Bool { ["1", "2", "3"].contains(status.prefix(1)) }
    }

    let method: HTTPRouting.Method
    let path: String
    let id: String
    let tag: String
    let summary: String
    /// Markdown.
    let description: String
    let parameters: [Parameter]
    /// Parameters of which a request needs at least one.
    let needsOneOf: [String]
    /// Names of the schemes, of which one must let the request in. Empty: the operation is open to everyone.
    let access: [String]
    /// The scope that a key needs; nil where any will do, or none.
    let scope: String?
    let body: [Media]
    let answers: [Answer]
    /// What a stream carries: the events by name, with the schemas of their data.
    let events: [(name: String, schema: JSONValue)]
    /// Whether it opens a WebSocket, and so is no request that ends.
    let isSocket: Bool

    /// Whether samples show it: a program can send it with a token, its body is JSON or a form, and its answer is no picture.
    var hasSamples: Bool {
        !isSocket && access != ["pageCookie"]
            && !answers.contains { $0.isGood && $0.media.contains { $0.type.hasPrefix("image/") } }
            && (body.isEmpty || body.contains { $0.type == "application/json" || $0.type == "multipart/form-data" })
    }

    init(
        _ method: HTTPRouting.Method, _ path: String, _ value: JSONValue, shared: [JSONValue], of root: JSONValue,
        resolve: (JSONValue) -> JSONValue
    ) {
        self.method = method
        self.path = path
        let id = value["operationId"]?.string ?? ""
        let tag = value["tags"]?.array?.first?.string ?? "other"
        self.id = id
        self.tag = tag
        summary = value["summary"]?.string ?? ""
        description = value["description"]?.string ?? ""
        parameters = (shared + (value["parameters"]?.array ?? [])).map { Self.parameter(resolve($0)) }
        needsOneOf = (value["x-needs-one-of"]?.array ?? []).compactMap(\.string)
        let security = (value["security"] ?? root["security"])?.array ?? []
        access = security.compactMap { $0.members?.first?.name }
        scope = security.lazy.compactMap { $0["key"]?.array?.first?.string }.first
        body = Self.media(value["requestBody"].map(resolve)?["content"], resolve)
        events = (value["x-events"]?.members ?? []).map { ($0.name, $0.value) }
        isSocket = value["x-socket"] != nil
        let (known, scope) = (root["x-problem-codes"], root["x-problem-scope"])
        answers = (value["responses"]?.members ?? []).map { member in
            let answer = resolve(member.value)
            let text = answer["description"]?.string ?? ""
            let codes = Self.code(in: text).filter { code in
                guard known?[code] != nil else { return false }
                guard let places = scope?[code]?.array else { return true }
                return places.compactMap(\.string).contains {
                    $0 == id || $0 == tag || $0.hasPrefix("{") && path.contains($0)
                }
            }
            return Answer(
                status: member.name, description: text, headers: answer["headers"]?.members?.map(\.name) ?? [],
                media: Self.media(answer["content"], resolve), codes: codes,
                ownCodes: codes.filter { scope?[$0] != nil })
        }
    }

    /// The words of a text between backticks, each once.
    private static func code(in text: String) -> [String] {
        var words: [String] = []
        for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where index % 2 == 1 && !words.contains(String(part)) {
            words.append(String(part))
        }
        return words
    }

    private static func parameter(_ value: JSONValue) -> Parameter {
        Parameter(
            name: value["name"]?.string ?? "", place: value["in"]?.string ?? "",
            isRequired: value["required"]?.bool ?? false, description: value["description"]?.string ?? "",
            schema: value["schema"] ?? .object([]), example: value["example"].map(text))
    }

    private static func text(_ example: JSONValue) -> String {
        switch example {
        case .string(let text): text
        case .array(let items): items.map(text).joined(separator: ",")
        default: PrettyJSON.text(example)
        }
    }

    private static func media(_ content: JSONValue?, _ resolve: (JSONValue) -> JSONValue) -> [Media] {
        (content?.members ?? []).map { media in
            var examples: [(name: String, value: JSONValue)] = (media.value["examples"]?.members ?? []).compactMap {
                example in
                resolve(example.value)["value"].map { (example.name, $0) }
            }
            if let example = media.value["example"] { examples.append(("example", example)) }
            return Media(type: media.name, schema: media.value["schema"] ?? .object([]), examples: examples)
        }
    }
}
