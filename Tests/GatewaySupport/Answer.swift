/// An answer as a test looks at it.
package struct Answer: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: String

    package init(status: Int, headers: [(name: String, value: String)], body: String) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    package subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A request as a test makes it.
package struct Request: Sendable {
    package var method: String
    package var path: String
    package var headers: [(String, String)]
    package var body: String?
    /// For a stream: the names of the events after which reading ends.
    package var events: [String] = []

    package init(
        method: String, path: String, headers: [(String, String)], body: String? = nil, events: [String] = []
    ) {
        (self.method, self.path, self.headers, self.body, self.events) = (method, path, headers, body, events)
    }
}
