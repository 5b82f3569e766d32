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
