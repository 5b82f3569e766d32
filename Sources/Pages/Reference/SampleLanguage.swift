import Formats

/// A language of the samples. One function makes all samples of a language.
enum SampleLanguage: String, CaseIterable, Sendable {
    case curl, javascript, python, parley

    var title: String {
        switch self {
        case .curl: "curl"
        case .javascript: "JavaScript"
        case .python: "Python"
        case .parley: "parley api"
        }
    }

    /// A program that runs as it stands, in a folder with `parley.js`, where `parley` is on the path.
    func sample(_ request: SampleRequest) -> String {
        switch self {
        case .curl: Self.curlCommand(request)
        case .javascript: Self.javaScriptProgram(request)
        case .python: Self.pythonProgram(request)
        case .parley: Self.parleyCommand(request)
        }
    }

    private static func curlCommand(_ request: SampleRequest) -> String {
        var parts = [request.isStream ? "curl -sN" : "curl -s"]
        let usual = if case .none = request.body { "GET" } else { "POST" }
        if request.method != usual { parts[0] += " -X \(request.method)" }
        parts[0] += " \(shell(SampleRequest.origin + request.path))"
        if request.needsToken { parts.append("-H \"Authorization: Bearer $(parley token)\"") }
        switch request.body {
        case .none: break
        case .json(let value):
            parts += ["-H 'Content-Type: application/json'", "-d \(shell(short(value)))"]
        case .file(let text):
            parts.append("-F \(shell("file=\(text);filename=note.txt;type=text/plain"))")
        }
        return parts.joined(separator: " \\\n  ")
    }

    private static func javaScriptProgram(_ request: SampleRequest) -> String {
        var lines: [String] = []
        let origin = "'\(SampleRequest.origin)'"
        let (method, path) = ("'\(request.method)'", "'\(request.path)'")
        if request.needsToken { lines.append("import { execFileSync } from 'node:child_process';") }
        if request.isJSON { lines.append("import { Parley } from './parley.js';") }
        if !lines.isEmpty { lines.append("") }
        if request.needsToken {
            lines.append("const token = execFileSync('parley', ['token'], { encoding: 'utf8' }).trim();")
        }
        guard request.isJSON else {
            let options = [
                request.method == "GET" ? nil : "method: \(method)",
                request.needsToken ? "headers: { Authorization: `Bearer ${token}` }" : nil,
            ].compactMap(\.self)
            let more = options.isEmpty ? "" : ", { \(options.joined(separator: ", ")) }"
            lines.append("const answer = await fetch('\(SampleRequest.origin)\(request.path)'\(more));")
            lines.append("console.log(answer.status, await answer.text());")
            return lines.joined(separator: "\n")
        }
        lines.append("const parley = new Parley({ baseURL: \(origin)\(request.needsToken ? ", token" : "") });")
        if request.isStream {
            lines.append("for await (const event of parley.stream(\(path))) console.log(event.type, event.data);")
            return lines.joined(separator: "\n")
        }
        var call = "await parley.request(\(method), \(path)"
        switch request.body {
        case .none: call += ")"
        case .json(let value): call += ", {\n  body: \(PrettyJSON.text(value).replacingLines("\n  ")),\n})"
        case .file(let text):
            lines.append("const file = new Blob([\(PrettyJSON.text(.string(text)))], { type: 'text/plain' });")
            call = "await parley.upload(\(path), file, { name: 'note.txt' })"
        }
        lines.append(request.hasAnswer ? "console.log(\(call));" : "\(call);")
        return lines.joined(separator: "\n")
    }

    private static func pythonProgram(_ request: SampleRequest) -> String {
        var lines: [String] = []
        var headers: [String] = []
        var data = ""
        var imports = ["urllib.request"]
        if request.needsToken {
            imports.append("subprocess")
            headers.append("\"Authorization\": f\"Bearer {token}\"")
        }
        switch request.body {
        case .none: break
        case .json(let value):
            imports.append("json")
            headers.append("\"Content-Type\": \"application/json\"")
            data = ", data=json.dumps(body).encode()"
            lines.append("body = \(literal(value, indent: ""))")
        case .file(let text):
            headers += [
                "\"Content-Type\": \"text/plain\"", "\"Content-Disposition\": 'attachment; filename=\"note.txt\"'",
            ]
            data = ", data=\(PrettyJSON.text(.string(text))).encode()"
        }
        if request.needsToken {
            lines.insert("token = subprocess.check_output([\"parley\", \"token\"], text=True).strip()", at: 0)
        }
        lines.insert("import \(imports.sorted().joined(separator: ", "))\n", at: 0)
        let address = PrettyJSON.text(.string(SampleRequest.origin + request.path))
        if !headers.isEmpty { lines.append("headers = {\(headers.joined(separator: ", "))}") }
        let options = (headers.isEmpty ? "" : ", headers=headers") + data
        lines.append("request = urllib.request.Request(\(address), method=\"\(request.method)\"\(options))")
        lines.append("with urllib.request.urlopen(request) as answer:")
        if request.isStream {
            lines += ["    for line in answer:", "        print(line.decode(), end=\"\", flush=True)"]
        } else if request.hasAnswer {
            lines.append("    print(answer.read().decode())")
        } else {
            lines.append("    print(answer.status)")
        }
        return lines.joined(separator: "\n")
    }

    private static func parleyCommand(_ request: SampleRequest) -> String {
        var words = ["parley", "api"]
        switch request.body {
        case .none:
            if request.method != "GET" { words.append(request.method) }
            words.append(shell(request.path))
        case .json(.object(let members)) where !members.isEmpty:
            if request.method != "POST" { words.append(request.method) }
            words.append(shell(request.path))
            for member in members {
                let field =
                    member.value.string.map { "\(member.name)=\($0)" } ?? "\(member.name):=\(compact(member.value))"
                words.append("-f \(shell(field))")
            }
        case .json(let value):
            words = ["echo", shell(compact(value)), "|"] + words
            words += [request.method, shell(request.path), "--input -"]
        case .file(let text):
            words = ["printf %s", shell(text), "|"] + words
            words += [request.method, shell(request.path), "--input - --content-type text/plain"]
        }
        return words.joined(separator: " ")
    }

    /// A word of a shell's command, in single quotes if it needs them.
    private static func shell(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:=,@%+".utf8.contains(byte)
            }
        }
        if isPlain, !text.isEmpty { return text }
        return CurlLine.quoted(text)
    }

    private static func compact(_ value: JSONValue) -> String {
        switch value {
        case .array(let items): "[\(items.map(compact).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(PrettyJSON.text(.string($0.name))):\(compact($0.value))" }.joined(separator: ","))}"
        default: PrettyJSON.text(value)
        }
    }

    /// On one line if it is short.
    private static func short(_ value: JSONValue) -> String {
        let text = compact(value)
        return text.utf8.count <= 72 ? text : PrettyJSON.text(value)
    }

    /// A JSON value as a literal of Python.
    private static func literal(_ value: JSONValue, indent: String) -> String {
        let inner = indent + "    "
        return switch value {
        case .null: "None"
        case .bool(let flag): flag ? "True" : "False"
        case .array(let items) where !items.isEmpty:
            "[\n\(items.map { inner + literal($0, indent: inner) + ",\n" }.joined())\(indent)]"
        case .object(let members) where !members.isEmpty:
            "{\n"
                + members.map {
                    "\(inner)\(PrettyJSON.text(.string($0.name))): \(literal($0.value, indent: inner)),\n"
                }.joined() + "\(indent)}"
        default: PrettyJSON.text(value)
        }
    }
}

extension String {
    /// The same lines with another end between them.
    fileprivate func replacingLines(_ end: String) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
    }
}

/// The request that the samples of an operation show: its path and query from the document's examples, its body from one
/// named example.
struct SampleRequest: Sendable {
    /// What stands for the gateway's own address in pages that are made once. ``ReferencePages`` puts in the address
    /// that the reader used.
    static let origin = "http://127.0.0.1:8787"

    enum Body: Sendable {
        case none
        case json(JSONValue)
        /// A file, as text; its name in the samples is note.txt.
        case file(String)
    }

    let method: String
    /// With the query, percent-encoded.
    let path: String
    let body: Body
    let needsToken: Bool
    /// Whether the answer does not end.
    let isStream: Bool
    /// Whether the answer is JSON or nothing.
    let isJSON: Bool
    let hasAnswer: Bool

    /// - Parameter example: the body; nil for none.
    init(_ operation: APIOperation, example: (media: APIOperation.Media, value: JSONValue)?) {
        method = operation.method.rawValue
        var path = operation.path
        var query: [String] = []
        for parameter in operation.parameters {
            let example = parameter.example ?? ""
            if parameter.place == "path" {
                path = path.split(separator: "/", omittingEmptySubsequences: false)
                    .map { $0 == "{\(parameter.name)}" ? example.percentEncoded : String($0) }.joined(separator: "/")
            } else if parameter.place == "query", parameter.isRequired || parameter.name == operation.needsOneOf.first {
                query.append("\(parameter.name)=\(example.percentEncoded)")
            }
        }
        self.path = query.isEmpty ? path : path + "?" + query.joined(separator: "&")
        if let example {
            let file = example.value["file"]?.string ?? ""
            body = example.media.type == "application/json" ? .json(example.value) : .file(file)
        } else {
            body = .none
        }
        needsToken = !operation.access.isEmpty
        let isStream = !operation.events.isEmpty
        self.isStream = isStream
        let good = operation.answers.first { $0.isGood }
        let media = good?.media ?? []
        hasAnswer = !media.isEmpty
        let isDone = good?.status.hasPrefix("2") == true
        isJSON = isStream || isDone && media.allSatisfy { $0.type == "application/json" }
    }
}
