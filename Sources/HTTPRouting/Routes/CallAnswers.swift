import Formats
import MicroHTTP

/// How routes answer. Headers that every answer has are added later, in one place.
extension Call {
    /// An answer with JSON that is already encoded. The bytes are not checked.
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

    /// 204, for operations that have nothing to show.
    @inlinable
    package func noContent(headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: 204, headers: headers)
    }

    /// The value of `Link` with the neighbouring pages (RFC 8288), as absolute paths with the request's query and
    /// another cursor; nil when there are no neighbours.
    package func links(next: String?, prev: String?) -> String? {
        var links: [String] = []
        for (cursor, relation) in [(next, "next"), (prev, "prev")] {
            guard let cursor else { continue }
            links.append("<\(request.path)?\(query.replacing(cursor: cursor))>; rel=\"\(relation)\"")
        }
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }

    /// `Cache-Control` for data of one reader: the client may store the answer, and must revalidate it before each use.
    @inlinable
    package static var revalidate: (String, String) { ("Cache-Control", "private, no-cache") }
}
