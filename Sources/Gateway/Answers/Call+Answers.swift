import Chat
import ChatModel
import ChatStore
import Formats
import MicroHTTP

/// How routes answer. Headers that every answer has are added later, in one place.
extension Call {
    /// A JSON value.
    public func json(_ bytes: [UInt8], status: Int = 200, headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")] + headers, body: .bytes(bytes))
    }

    /// A JSON value that a closure writes.
    public func json(status: Int = 200, headers: [(String, String)] = [], _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        var json = JSONWriter()
        write(&json)
        return self.json(json.bytes, status: status, headers: headers)
    }

    public func noContent(headers: [(String, String)] = []) -> HTTPResponse { HTTPResponse(status: 204, headers: headers) }

    /// One resource with its tag and the cursor to follow it from; 304 when the client has it.
    ///
    /// - Parameter hasNames: it shows customers by the names that they have now, which its version does not count.
    public func resource(_ resource: Versioned, hasNames: Bool = false) -> HTTPResponse {
        let tag = EntityTag(version: resource.version, target: request.target, content: hasNames ? resource.body : [])
        let headers = [("ETag", tag.text), ("Parley-Cursor", cursor(resource.offset).description), Self.revalidate]
        if isFresh(tag) { return HTTPResponse(status: 304, headers: headers) }
        return json(resource.body, headers: headers)
    }

    /// A page of a list: its bytes, the cursor and the closing brace.
    ///
    /// - Parameter hasNames: it shows customers by the names that they have now, which its version does not count.
    public func page(_ page: PageBytes, hasNames: Bool = false) -> HTTPResponse {
        let tag = EntityTag(version: page.version, target: request.target, content: hasNames ? page.body : [])
        let cursor = cursor(page.offset).description
        var headers = [("ETag", tag.text), ("Parley-Cursor", cursor), Self.revalidate]
        if let link = links(next: page.next, prev: page.prev) { headers.append(("Link", link)) }
        if isFresh(tag) { return HTTPResponse(status: 304, headers: headers) }
        var body = page.body
        body.reserveCapacity(body.count + cursor.utf8.count + 16)
        body.append(contentsOf: ",\"cursor\":\"".utf8)
        body.append(contentsOf: cursor.utf8)
        body.append(contentsOf: "\"}".utf8)
        return json(body, headers: headers)
    }

    /// The neighbouring pages (RFC 8288), as absolute paths.
    func links(next: String?, prev: String?) -> String? {
        var links: [String] = []
        for (cursor, relation) in [(next, "next"), (prev, "prev")] {
            guard let cursor else { continue }
            links.append("<\(request.path)?\(query.replacing(cursor: cursor))>; rel=\"\(relation)\"")
        }
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }

    /// What an operation did: 201 with `Location`, 200, or 204.
    public func outcome(_ outcome: Outcome) -> HTTPResponse {
        switch outcome.kind {
        case .created: json(outcome.body, status: 201, headers: [("Location", route.location(self, outcome.id))])
        case .ok: json(outcome.body)
        case .none: noContent()
        }
    }

    /// Data of one reader: may be kept, must be asked about.
    static let revalidate = ("Cache-Control", "private, no-cache")
}
