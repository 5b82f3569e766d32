import Formats

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
