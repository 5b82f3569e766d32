import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// One request on its way through a route of the gateway.
package typealias Call = HTTPRouting.Call<GatewayCore>

/// One operation of the gateway's API.
package typealias Route = HTTPRouting.Route<GatewayCore>

extension Identity {
    /// Whether a session's own token asks: then what it writes counts for the quotas of its customer. The gateway's token
    /// stands for whoever runs it.
    package var isCounted: Bool { if case .session = self { true } else { false } }
}

/// What handlers find in a call, besides the request.
extension Call {
    /// The objects that all routes share.
    package var core: GatewayCore { context }

    /// What the caller may do, besides what belongs to a session's own token.
    package var rights: Rights { core.rights(of: identity) }

    /// Whose share the places of the request come from; see ``Credentials/sender(of:_:)``.
    package var sender: Holder { Credentials(core: core).sender(of: request, identity) }

    /// The receipt that an operation stores in its transaction; nil without an `Idempotency-Key` and on routes that do
    /// not store one themselves.
    var receipt: Receipt? {
        key.map { Receipt(scope: $0.scope, fingerprint: $0.fingerprint, holder: $0.holder) }
    }

    /// The cursor of the log's present end. Take it before reading a state: whoever follows from there misses no later
    /// change.
    var headCursor: Cursor { Cursor(epoch: core.store.feed.epoch, offset: core.store.feed.head) }

    /// The cursor of an offset in the present log.
    func cursor(_ offset: Int64) -> Cursor { Cursor(epoch: core.store.feed.epoch, offset: offset) }

    /// The session in the path, which the gate has restored; this counts as a use of it. Throws `unknownSession`.
    func client() throws(ChatError) -> ChatClient {
        let id = parameters["session"]
        return try used(core.sessions.client(id), id)
    }

    /// The session with this id, restored if nobody has used it since the start; this counts as a use of it. Throws
    /// `unknownSession`.
    func session(_ id: String) async throws(ChatError) -> ChatClient { try used(await core.sessions.session(id), id) }

    /// The same if the session is in memory, and not on its way there; nil otherwise.
    func keptSession(_ id: String) -> ChatClient? {
        guard let client = core.sessions.client(id), !client.isReturning else { return nil }
        client.noteUse()
        return client
    }

    private func used(_ client: ChatClient?, _ id: String) throws(ChatError) -> ChatClient {
        guard let client else { throw ChatError.unknownSession(id) }
        client.noteUse()
        return client
    }
}

extension ChatError {
    static func unknownSession(_ id: String) -> ChatError { ChatError(.unknownSession, "There is no session \(id).") }
}

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

/// The answers to a request for a page that the store keeps: 200 and 304. They are kept with the page, and hold as long
/// as target and cursor stay the same.
final class PageAnswers: Sendable {
    private let target: [UInt8]
    private let offset: Int64
    private let tag: EntityTag
    private let tagText: String
    private let whole: PreparedResponse
    private let unchanged: PreparedResponse

    fileprivate init(_ page: PageBytes, to call: Call) {
        let target = call.request.target
        tag = EntityTag(version: page.version, target: target)
        tagText = tag.text
        self.target = Array(target.utf8)
        offset = page.offset
        let vary = BearerSharing.covers(call.route) ? [BearerSharing.vary] : []
        let headers = call.headers(of: page, tag) + vary
        whole = SecurityHeaders.prepared(
            headers: [("Content-Type", "application/json")] + headers, body: call.body(of: page))
        unchanged = SecurityHeaders.prepared(headers: headers, body: [])
    }

    fileprivate func isFor(_ page: PageBytes, _ request: HTTPRequest) -> Bool {
        offset == page.offset && request.hasTarget(target)
    }

    func answer(to call: Call) -> HTTPResponse {
        call.isFresh(tag, text: tagText)
            ? HTTPResponse(status: 304, body: .prepared(unchanged)) : HTTPResponse(status: 200, body: .prepared(whole))
    }
}

extension Call {
    /// The answers that are kept with the page; made anew if those are for another target or cursor. Nil for a page of
    /// another origin, whose answers have more headers.
    private func pageAnswers(_ page: PageBytes, _ form: PageForm) -> PageAnswers? {
        if request.headers["Origin"] != nil { return nil }
        if let kept = form.value as? PageAnswers, kept.isFor(page, request) { return kept }
        let answers = PageAnswers(page, to: self)
        form.value = answers
        return answers
    }
}
