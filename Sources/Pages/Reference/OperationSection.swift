import Formats
import Gateway

/// One operation as a section of a page: what it does, who may, what it takes and answers, and samples.
struct OperationSection {
    let document: APIDocument
    let operation: APIOperation
    /// The answers that every operation has; the start page tells of them.
    let shared: Set<String>
    private let tree: SchemaTree

    init(_ operation: APIOperation, of document: APIDocument, shared: Set<String>) {
        self.document = document
        self.operation = operation
        self.shared = shared
        tree = SchemaTree(document)
    }

    /// The schemas whose members the section shows or names.
    static func schemas(_ operation: APIOperation) -> [JSONValue] {
        operation.body.map(\.schema) + operation.answers.filter(\.isGood).flatMap(\.media).map(\.schema)
            + operation.events.map(\.schema)
    }

    var html: String {
        let id = HTMLPage.escape(operation.id)
        var html = """
            <section class="operation" id="\(id)" data-method="\(operation.method.rawValue)" \
            data-path="\(HTMLPage.escape(operation.path))"\(operation.isSocket ? " data-socket" : "")\
            \(operation.access.isEmpty ? "" : " data-closed")>
            <h2><a href="#\(id)">\(HTMLPage.escape(operation.summary))</a></h2>
            <p class="call"><span class="method">\(operation.method.rawValue)</span> \
            <code>\(HTMLPage.escape(operation.path))</code></p>

            """
        html += Markdown().html(operation.description)
        html += "<p class=\"access\">\(access) Operation <code>\(id)</code>.</p>\n"
        html += parameters + body + answers + problems + events
        if operation.hasSamples { html += samples }
        return html + "</section>\n"
    }

    private var access: String {
        guard !operation.access.isEmpty else { return "Open to everyone." }
        let names = operation.access.map { name in
            let link = "<a href=\"/docs#access\">\(Self.words(name))</a>"
            guard name == "key", let scope = operation.scope else { return link }
            return "\(link) with <code>\(HTMLPage.escape(scope))</code>"
        }
        return "For the \(names.joined(separator: ", "))."
    }

    /// `pageCookie` as "page cookie".
    static func words(_ name: String) -> String {
        HTMLPage.escape(name.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) })
    }

    private var parameters: String {
        guard !operation.parameters.isEmpty else { return "" }
        let rows = operation.parameters.map { one in
            var data = " data-name=\"\(HTMLPage.escape(one.name))\" data-in=\"\(one.place)\""
            if let example = one.example { data += " data-example=\"\(HTMLPage.escape(example))\"" }
            if let list = list(of: one) { data += " data-list=\"\(HTMLPage.escape(list))\"" }
            let isNeeded = one.isRequired || one.name == operation.needsOneOf.first
            if isNeeded { data += " data-needed" }
            return tree.row(
                name: one.name, place: one.place, schema: one.schema, need: one.isRequired ? "required" : nil,
                description: Markdown().inline(one.description), data: data)
        }
        let names = operation.needsOneOf.map { "<code>\(HTMLPage.escape($0))</code>" }
        let need = names.isEmpty ? "" : "<p>At least one of \(names.joined(separator: ", ")) is needed.</p>\n"
        return "<h3>Parameters</h3>\n\(need)<ul class=\"members parameters\">\n\(rows.joined())</ul>\n"
    }

    /// Where the ids that a parameter takes are listed.
    private func list(of parameter: APIOperation.Parameter) -> String? {
        let name = parameter.name
        if parameter.place == "path" { return document.list(of: name, in: operation.path) }
        guard name == operation.needsOneOf.first else { return nil }
        return document.operations.first { $0.path.hasSuffix("/{\(name)}") }
            .flatMap { document.list(of: name, in: $0.path) }
    }

    private var body: String {
        operation.body.map { media in
            let type = HTMLPage.escape(media.type)
            return "<h3>Body <code>\(type)</code></h3>\n<div class=\"body\" data-type=\"\(type)\">\n"
                + tree.html(media.schema) + examples(media, "Example") + "</div>\n"
        }.joined()
    }

    private func examples(_ media: APIOperation.Media, _ title: String) -> String {
        media.examples.map { example in
            let name = example.name == "example" ? "" : " “\(HTMLPage.escape(example.name))”"
            let text = example.value.string ?? PrettyJSON.text(example.value)
            return "<details class=\"example\"><summary>\(title)\(name)</summary>"
                + "<pre tabindex=\"0\">\(HTMLPage.escape(text))</pre></details>\n"
        }.joined()
    }

    private var answers: String {
        var html = "<h3>Answers</h3>\n"
        for answer in operation.answers where answer.isGood {
            html += "<div class=\"answer\"><p><strong>\(answer.status)</strong> "
            html += "\(Markdown().inline(answer.description))</p>\n"
            for media in answer.media {
                let words = [SchemaText(document: document).type(media.schema)]
                html += "<p class=\"type\"><code data-type>\(HTMLPage.escape(media.type))</code> "
                html += "<span>\(words.joined(separator: ", "))</span></p>\n"
                html += examples(media, "Example of \(HTMLPage.escape(media.type))")
            }
            if !answer.headers.isEmpty {
                let names = answer.headers.map { "<code>\(HTMLPage.escape($0))</code>" }
                html += "<p class=\"type\">Headers: \(names.joined(separator: " "))</p>\n"
            }
            html += "</div>\n"
        }
        return html
    }

    private var problems: String {
        let rows = operation.answers.filter { !$0.isGood }.map { answer in
            let isShared = shared.contains(answer.status)
            let codes = isShared ? answer.ownCodes : answer.codes
            if codes.isEmpty, isShared { return "" }
            let text =
                codes.isEmpty ? Markdown().inline(answer.description) : codes.map(Self.problem).joined(separator: " ")
            return "<li><strong>\(answer.status)</strong> \(text)</li>\n"
        }
        return """
            <h3>Problems</h3>
            <ul class="problems">
            \(rows.joined())<li><a href="/docs#every-operation">Those of every operation</a></li>
            </ul>

            """
    }

    /// A code, as a link to its page.
    static func problem(_ code: String) -> String {
        let code = HTMLPage.escape(code)
        return "<a href=\"/docs/problems/\(code)\"><code>\(code)</code></a>"
    }

    private var events: String {
        guard !operation.events.isEmpty else { return "" }
        let rows = operation.events.map { event in
            tree.row(
                name: event.name, schema: event.schema, need: nil,
                description: SchemaText(document: document).description(event.schema))
        }
        return "<h3>Events</h3>\n<ul class=\"members events\">\n\(rows.joined())</ul>\n"
    }

    private var samples: String {
        let id = HTMLPage.escape(operation.id)
        // A file comes in two forms. Each language has the one that is simpler there.
        let bodies = operation.body.prefix(1).flatMap { media in media.examples.map { (media, $0.name, $0.value) } }
        let requests =
            bodies.isEmpty
            ? [("", SampleRequest(operation, example: nil))]
            : bodies.map { ($0.1, SampleRequest(operation, example: ($0.0, $0.2))) }
        var html = "<fieldset class=\"samples\"><legend>Sample</legend>\n"
        for (index, language) in SampleLanguage.allCases.enumerated() {
            html += """
                <label><input type="radio" name="sample-\(id)" value="\(language.rawValue)"\(index == 0 ? " checked" : "")> \
                \(language.title)</label>

                """
        }
        for language in SampleLanguage.allCases {
            for (name, request) in requests {
                let title = requests.count > 1 ? "<p class=\"type\">“\(HTMLPage.escape(name))”</p>" : ""
                html +=
                    "<div class=\"sample\" data-language=\"\(language.rawValue)\">\(title)<pre tabindex=\"0\"><code>"
                html += "\(HTMLPage.escape(language.sample(request)))</code></pre></div>\n"
            }
        }
        return html + "</fieldset>\n"
    }
}
