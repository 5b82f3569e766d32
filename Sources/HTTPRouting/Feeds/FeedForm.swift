import MicroHTTP

/// The form in which a client gets a feed: how events are written, and whether the answer has an end. What comes, in
/// which order and with which ids, is the same in all forms.
package struct FeedForm: Sendable, Equatable {
    /// The media type, as the client names it in `Accept`.
    package let contentType: String
    package let framing: EventFraming
    /// Whether the answer is one page of the log. The other forms go on until somebody ends them.
    package private(set) var isPage = false

    package static let serverSentEvents = FeedForm(contentType: "text/event-stream", framing: .serverSent)
    package static let page = FeedForm(contentType: "application/json", framing: .item, isPage: true)
    package static let lines = ["application/jsonl", "application/x-ndjson"].map {
        FeedForm(contentType: $0, framing: .line)
    }

    /// The forms of the log's feeds. Who names none of them gets the first.
    package static let all = [serverSentEvents, page] + lines
    /// The same, for a request that means a page.
    package static let pageFirst = [page, serverSentEvents] + lines
    /// The forms of a collection's feed. It has no pages, because the collection itself is one.
    package static let streams = [serverSentEvents] + lines
}

extension Call {
    /// The form that the client asks for. Throws `notAcceptable` if it takes none of them.
    package func form(among forms: [FeedForm]) throws(Problem) -> FeedForm {
        let accept = AcceptHeader(request.headers.all("Accept"))
        let types = forms.map(\.contentType)
        guard let type = accept.preferred(among: types), let form = forms.first(where: { $0.contentType == type })
        else { throw Problem(.notAcceptable, "These forms are there: \(types.joined(separator: ", ")).") }
        return form
    }

    /// Where a client that comes back has stopped: the header `Last-Event-ID`, or ``KnownParameters/resumeName``; nil
    /// for one that says neither.
    package var lastEventID: String? {
        [request.headers["Last-Event-ID"], query[KnownParameters.resumeName]].lazy.compactMap { $0 }.first {
            !$0.isEmpty
        }
    }

    /// The head of a stream's answer. Proxies are to pass each event on at once. To HEAD it is the whole answer: a
    /// stream that never opens, because the length of none must not be told (RFC 9110, 8.6).
    package func streamHead(_ form: FeedForm) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", form.contentType), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
            ], body: request.method == "HEAD" ? .events(UnopenedFeed()) : .none)
    }
}

/// The stream that HEAD asks about. The server tells it that it is over, and calls nothing else.
private final class UnopenedFeed: EventSource {
    func opened(_ stream: EventStream) {}
    func fill(_ out: inout EventBuffer) -> EventProgress { .end }
    func heartbeat(_ out: inout EventBuffer) {}
    func draining(_ out: inout EventBuffer) {}
    func closed(_ reason: StreamEnd) {}
}
