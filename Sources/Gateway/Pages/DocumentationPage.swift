import ChatModel
import Formats
import HTTPRouting

/// `/docs`: the contents of the guide, and the operations of the OpenAPI document with their summaries, parameters and
/// examples.
struct DocumentationPage {
    private let document: JSONValue
    private var page: HTMLPage

    var bytes: [UInt8] { page.bytes }

    init(_ document: JSONValue, guide: Guide) {
        self.document = document
        page = HTMLPage(title: document["info"]?["title"]?.string ?? "Parley")
        if let description = document["info"]?["description"]?.string { page.markdown(description) }
        if !guide.chapters.isEmpty { page.html += "<h2>Guide</h2>\n\(guide.contents)" }
        page.html += "<h2>Operations</h2>\n<p>The same for programs: <a href=\"/openapi.json\">/openapi.json</a></p>\n"
        let operations = self.operations
        contents(operations)
        for operation in operations { section(operation) }
        problems()
    }

    private struct Operation {
        var method: String
        var path: String
        var value: JSONValue
        var shared: [JSONValue]

        var id: String { value["operationId"]?.string ?? "" }
        var summary: String { value["summary"]?.string ?? "" }
        var parameters: [JSONValue] { shared + (value["parameters"]?.array ?? []) }
    }

    private var operations: [Operation] {
        var operations: [Operation] = []
        for path in document["paths"]?.members ?? [] {
            for member in path.value.members ?? [] where Method(rawValue: member.name.uppercased()) != nil {
                operations.append(
                    Operation(
                        method: member.name.uppercased(), path: path.name, value: member.value,
                        shared: path.value["parameters"]?.array ?? []))
            }
        }
        return operations
    }

    /// What a `$ref` within the document names.
    private func resolve(_ value: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.string, reference.hasPrefix("#/") else { return value }
        var target = document
        for name in reference.dropFirst(2).split(separator: "/") {
            guard let next = target[String(name)] else { return value }
            target = next
        }
        return target
    }

    private mutating func contents(_ operations: [Operation]) {
        page.html += "<ul>\n"
        for operation in operations {
            let name = HTMLPage.escape("\(operation.method) \(operation.path)")
            page.html +=
                "<li><a href=\"#\(HTMLPage.escape(operation.id))\"><code>\(name)</code></a> \(Markdown().inline(operation.summary))</li>\n"
        }
        page.html += "</ul>\n"
    }

    private mutating func section(_ operation: Operation) {
        let name = HTMLPage.escape("\(operation.method) \(operation.path)")
        page.html += "<h3 id=\"\(HTMLPage.escape(operation.id))\"><code>\(name)</code></h3>\n"
        page.markdown(operation.summary)
        if let description = operation.value["description"]?.string { page.markdown(description) }
        let parameters = operation.parameters.map(resolve)
        if !parameters.isEmpty {
            page.html += "<dl>\n"
            for parameter in parameters {
                let name = HTMLPage.escape(parameter["name"]?.string ?? "")
                let place = HTMLPage.escape(parameter["in"]?.string ?? "")
                let description = Markdown().inline(parameter["description"]?.string ?? "")
                page.html += "<dt><code>\(name)</code> (\(place))</dt><dd>\(description)</dd>\n"
            }
            page.html += "</dl>\n"
        }
        if let body = operation.value["requestBody"] { examples(resolve(body), "Request") }
        for response in operation.value["responses"]?.members ?? [] where response.name.hasPrefix("2") {
            examples(resolve(response.value), "Answer \(response.name)")
        }
    }

    private mutating func examples(_ content: JSONValue, _ title: String) {
        for media in content["content"]?.members ?? [] {
            var values: [JSONValue] = []
            if let example = media.value["example"] { values.append(example) }
            for example in media.value["examples"]?.members ?? [] {
                if let value = resolve(example.value)["value"] { values.append(value) }
            }
            guard let first = values.first else { continue }
            page.html += "<p>\(HTMLPage.escape(title)), <code>\(HTMLPage.escape(media.name))</code>:</p>\n"
            page.html += "<pre tabindex=\"0\">\(HTMLPage.escape(first.string ?? PrettyJSON.text(first)))</pre>\n"
        }
    }

    private mutating func problems() {
        page.html += "<h2>Problems</h2>\n<ul>\n"
        for kind in ProblemKind.all.values.sorted(by: { $0.code < $1.code }) {
            page.html +=
                "<li><a href=\"/docs/problems/\(kind.code)\"><code>\(kind.code)</code></a> \(HTMLPage.escape(kind.title))</li>\n"
        }
        page.html += "</ul>\n"
    }
}
