import Formats
import MicroHTTP

/// How routes answer. Headers that every answer has are added later, in one place.
extension Call {
    /// A JSON value.
    @inlinable
    package func json(_ bytes: [UInt8], status: Int = 200, headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")] + headers, body: .bytes(bytes))
    }

    /// A JSON value that a closure writes.
    @inlinable
    package func json(
        status: Int = 200, headers: [(String, String)] = [], _ write: (inout JSONWriter) -> Void
    ) -> HTTPResponse {
        var json = JSONWriter()
        write(&json)
        return self.json(json.bytes, status: status, headers: headers)
    }

    @inlinable
    package func noContent(headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: 204, headers: headers)
    }

    /// The neighbouring pages (RFC 8288), as absolute paths.
    package func links(next: String?, prev: String?) -> String? {
        var links: [String] = []
        for (cursor, relation) in [(next, "next"), (prev, "prev")] {
            guard let cursor else { continue }
            links.append("<\(request.path)?\(query.replacing(cursor: cursor))>; rel=\"\(relation)\"")
        }
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }

    /// Data of one reader: may be kept, must be asked about.
    @inlinable
    package static var revalidate: (String, String) { ("Cache-Control", "private, no-cache") }
}
