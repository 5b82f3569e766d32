/// An answer as a test looks at it.
struct Answer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: String

    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A request as a test makes it.
struct Request: Sendable {
    var method: String
    var path: String
    var headers: [(String, String)]
    var body: String?
    /// For a stream: the names of the events after which reading ends.
    var events: [String] = []
}
