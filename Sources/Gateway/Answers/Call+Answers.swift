import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// How routes answer with what the chat keeps: resources, pages, and what an operation did.
extension Call {
    /// One resource with its entity tag and the cursor from which to follow it; 304 when the client has this version.
    ///
    /// - Parameter hasNames: whether the answer shows customers' present names, which the resource's version does not
    ///   cover.
    func resource(_ resource: Versioned, hasNames: Bool = false) -> HTTPResponse {
        let tag = EntityTag(version: resource.version, target: request.target, content: hasNames ? resource.body : [])
        let headers = [("ETag", tag.text), ("Parley-Cursor", cursor(resource.offset).description), Self.revalidate]
        if isFresh(tag) { return HTTPResponse(status: 304, headers: headers) }
        return json(resource.body, headers: headers)
    }

    /// A resource whose version is a hash of all that it has (``ContentVersion``); 304 when the client has it.
    func resource(_ json: [UInt8], version: Int64) -> HTTPResponse {
        let tag = EntityTag(version: version, target: request.target)
        let headers = [("ETag", tag.text), Self.revalidate]
        if isFresh(tag) { return HTTPResponse(status: 304, headers: headers) }
        return self.json(json, headers: headers)
    }

    /// A page of a list with its entity tag, its cursor and the links to its neighbours; 304 when the client has it.
    /// The page comes without its last member and brace, which are added here.
    ///
    /// - Parameter hasNames: whether the answer shows customers' present names, which the list's version does not
    ///   cover.
    func page(_ page: PageBytes, hasNames: Bool = false) -> HTTPResponse {
        if let form = page.form, !hasNames, let answers = pageAnswers(page, form) { return answers.answer(to: self) }
        let tag = EntityTag(version: page.version, target: request.target, content: hasNames ? page.body : [])
        let headers = headers(of: page, tag)
        return isFresh(tag) ? HTTPResponse(status: 304, headers: headers) : json(body(of: page), headers: headers)
    }

    func headers(of page: PageBytes, _ tag: EntityTag) -> [(String, String)] {
        var headers = [("ETag", tag.text), ("Parley-Cursor", cursor(page.offset).description), Self.revalidate]
        if let link = links(next: page.next, prev: page.prev) { headers.append(("Link", link)) }
        return headers
    }

    func body(of page: PageBytes) -> [UInt8] {
        let cursor = cursor(page.offset).description
        var body = page.body
        body.reserveCapacity(body.count + cursor.utf8.count + 16)
        body.append(contentsOf: ",\"cursor\":\"".utf8)
        body.append(contentsOf: cursor.utf8)
        body.append(contentsOf: "\"}".utf8)
        return body
    }

    /// The result of a writing operation: 201 with `Location`, 200, or 204. With a version it has an entity tag, whose
    /// version `If-Match` takes for the next change.
    func outcome(_ outcome: Outcome) -> HTTPResponse {
        var headers = outcome.version.map { [version($0)] } ?? []
        switch outcome.kind {
        case .created:
            headers.append(("Location", route.location(self, outcome.id)))
            return json(outcome.body, status: 201, headers: headers)
        case .ok: return json(outcome.body, headers: headers)
        case .none: return noContent()
        }
    }

    /// The entity tag of a resource that was written, as a GET of it without a query has it.
    func version(_ version: Int64) -> (String, String) { ("ETag", EntityTag(version: version, target: "").text) }
}
