import Formats
import HTTPRouting

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
    let body: [Media]
    let answers: [Answer]
    /// What a stream carries: the events by name, with the schemas of their data.
    let events: [(name: String, schema: JSONValue)]
    /// Whether it opens a WebSocket, and so is no request that ends.
    let isSocket: Bool

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
