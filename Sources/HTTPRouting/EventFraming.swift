import MicroHTTP

/// How an event is written.
package enum EventFraming: Sendable, Hashable {
    /// As Server-Sent Events (WHATWG HTML, 9.2).
    case serverSent
    /// As a JSON object in a line of its own: `{"id":"..","type":"..","data":{..}}`.
    case line
    /// As the same object in an array: with a comma before each but the first.
    case item
}

/// Writes events.
extension EventBuffer {
    /// Appends one event if there is room for it.
    ///
    /// - Parameters:
    ///   - id: empty for an ephemeral event, which is written without one, so that a client does not resume from it.
    ///   - data: a JSON object without line breaks.
    ///   - concerns: members, without braces, that go in front of the object's own.
    /// - Returns: false when it did not fit; nothing was appended then.
    package mutating func appendEvent(
        id: [UInt8], type: String, data: [UInt8], concerns: [UInt8] = [], as framing: EventFraming
    ) -> Bool {
        guard room(for: 32 + id.count + type.utf8.count + data.count + concerns.count) else { return false }
        beginEvent(id: id, type: type, as: framing)
        if concerns.isEmpty {
            append(data)
        } else {
            append("{")
            append(concerns)
            if data.count > 2 { append(",") }
            append(data.dropFirst())
        }
        endEvent(as: framing)
        return true
    }

    /// Appends an event about the stream itself, even when the buffer has no room left: the buffer grows then. Such
    /// events are few and small.
    package mutating func append(aside type: String, id: [UInt8], data: [UInt8], as framing: EventFraming) {
        beginEvent(id: id, type: type, as: framing)
        append(data)
        endEvent(as: framing)
    }

    /// Tells the client after how many milliseconds to reconnect when the stream breaks (the field `retry`). Only
    /// Server-Sent Events can say it.
    ///
    /// An event has to follow in this buffer, because the field stands in its block: some readers take a block that has
    /// only this field for an event without data.
    package mutating func appendRetry(_ milliseconds: Int, as framing: EventFraming) {
        if framing == .serverSent { append("retry: \(milliseconds)\n") }
    }

    /// Ids and types have no characters that JSON would escape.
    private mutating func beginEvent(id: [UInt8], type: String, as framing: EventFraming) {
        switch framing {
        case .serverSent:
            if !id.isEmpty {
                append("id: ")
                append(id)
                append("\n")
            }
            append("event: ")
            append(type)
            append("\ndata: ")
        case .line, .item:
            append(framing == .item && count > 0 ? ",{" : "{")
            if !id.isEmpty {
                append("\"id\":\"")
                append(id)
                append("\",")
            }
            append("\"type\":\"")
            append(type)
            append("\",\"data\":")
        }
    }

    private mutating func endEvent(as framing: EventFraming) {
        switch framing {
        case .serverSent: append("\n\n")
        case .line: append("}\n")
        case .item: append("}")
        }
    }
}

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

    private init(contentType: String, framing: EventFraming, isPage: Bool = false) {
        self.contentType = contentType
        self.framing = framing
        self.isPage = isPage
    }

    /// The form that an answer has; nil for an answer that is no stream.
    package init?(of answer: HTTPResponse) {
        let type = answer.headers.first { $0.0 == "Content-Type" }?.1
        guard let form = Self.streams.first(where: { $0.contentType == type }) else { return nil }
        self = form
    }
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
