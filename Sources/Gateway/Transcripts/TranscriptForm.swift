import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// How a transcript is written.
enum TranscriptForm: String, CaseIterable, Sendable {
    /// An object with `thread` and `items`, as the API writes them.
    case json
    /// A line for each message.
    case text
    /// A page that needs nothing else, and runs nothing.
    case html

    /// As clients name it in `Accept`.
    fileprivate var mediaType: String {
        switch self {
        case .json: "application/json"
        case .text: "text/plain"
        case .html: "text/html"
        }
    }

    var contentType: String { self == .json ? mediaType : "\(mediaType); charset=utf-8" }
    fileprivate var fileEnding: String { self == .text ? "txt" : rawValue }

    /// How many bytes the form writes at most for one that the API writes: `&amp;`, `\u{7f}`.
    var greatestGrowth: Int { self == .json ? 1 : 6 }

    /// What the answer may load as a document: of a page, its own style.
    var policy: String {
        self == .html ? "\(TranscriptPage.policy); \(SecurityHeaders.dataPolicy)" : SecurityHeaders.dataPolicy
    }
}

extension Call {
    /// The form that the query names; otherwise the one that the client takes. Throws `invalidParameter`,
    /// `notAcceptable`.
    private var transcriptForm: TranscriptForm {
        get throws(Problem) {
            if query["format"] != nil { return try query.choice("format", default: .json) }
            let types = TranscriptForm.allCases.map(\.mediaType)
            let type = AcceptHeader(request.headers.all("Accept")).preferred(among: types)
            guard let form = TranscriptForm.allCases.first(where: { $0.mediaType == type }) else {
                throw Problem(.notAcceptable, "These forms are there: \(types.joined(separator: ", ")).")
            }
            return form
        }
    }
}

/// The zone in which a transcript's times are written: so far from UTC, the whole year.
struct UTCOffset: Sendable, Equatable {
    private let minutes: Int
    /// `Z`, or as in `+02:00`.
    let text: String

    static let utc = UTCOffset()

    private init() { (minutes, text) = (0, "Z") }

    /// Nil for anything but `+HH:MM` and `-HH:MM`, to fourteen hours.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes[3] == UInt8(ascii: ":"), [1, 2, 4, 5].allSatisfy({ 0x30...0x39 ~= bytes[$0] })
        else { return nil }
        let digits = bytes.map { Int($0) - 0x30 }
        let (hours, rest) = (digits[1] * 10 + digits[2], digits[4] * 10 + digits[5])
        guard rest < 60, hours * 60 + rest <= 14 * 60 else { return nil }
        minutes = (hours * 60 + rest) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
        self.text = text
    }

    /// As in RFC 3339, with milliseconds.
    func rfc3339(_ time: Timestamp) -> String { shifted(time).rfc3339(hasMilliseconds: true, zone: text) }

    /// Date and time of day, as people read them. The zone stands elsewhere.
    func words(_ time: Timestamp) -> String {
        shifted(time).rfc3339(hasMilliseconds: false, zone: "").replacing("T", with: " ")
    }

    private func shifted(_ time: Timestamp) -> Timestamp { time.advanced(bySeconds: minutes * 60) }
}

extension Call {
    /// The query parameters of a transcript.
    static let transcriptQuery = ["format", "utcOffset", Ticket.parameter]

    /// Answers with a whole thread, from its first message on, in the form that the client takes.
    ///
    /// A short one has its length; a long one is sent as it is read. Throws `notAcceptable`, `invalidParameter`, and
    /// what the reading of the first page throws.
    ///
    /// Throws `shareExceeded` when too many transcripts are being sent to this holder already, and `tooManyRequests` when
    /// all together are too many.
    ///
    /// - Parameters:
    ///   - holder: whose share of the memory for transcripts it takes.
    ///   - thread: reads the thread, and how many of its messages were removed.
    ///   - read: reads a page of its messages, replies among them.
    func transcript(
        for holder: Holder, _ thread: () async throws -> (Versioned, removed: Int),
        _ read: @escaping @Sendable (PageRequest) async throws -> PageBytes
    ) async throws -> HTTPResponse {
        let form = try transcriptForm
        let offset = try transcriptOffset(form)
        let share = core.transcripts.counter(of: holder)
        let memory = ByteCounter(limit: ByteBound.transcripts.bytes, within: share)
        guard memory.reserve(ByteBound.transcriptPage.bytes) else {
            throw Problem(share.refusal(of: ByteBound.transcriptPage.bytes), of: "bytes of transcripts")
        }
        let (resource, removed) = try await thread()
        let thread = resource.body
        var pages = TranscriptPages(form, read: read)
        let (messages, page) = try await pages.next()
        let tag = EntityTag(version: page.version, target: request.target, content: Array(form.rawValue.utf8) + thread)
        var headers = [
            ("ETag", tag.text), ("Parley-Cursor", cursor(page.offset).description), Self.revalidate, ("Vary", "Accept"),
        ]
        if isFresh(tag) { return HTTPResponse(status: 304, headers: headers) }
        let name = "transcript-\(parameters["thread"]).\(form.fileEnding)"
        headers += [
            ("Content-Type", form.contentType), ("Content-Security-Policy", form.policy),
            ("Content-Disposition", FileNameHeader.disposition(name, isShown: false)),
        ]
        var writer = TranscriptWriter(form, offset, removed: removed)
        let begun = [try writer.head(of: thread), try writer.add(messages)]
        guard !pages.isAtEnd else {
            let whole = begun + [writer.end(isComplete: true)]
            return HTTPResponse(status: 200, headers: headers, body: .bytes(whole.fitted))
        }
        return HTTPResponse(
            status: 200, headers: headers,
            body: .events(TranscriptStream(core, pages, writer, begun: begun.fitted, memory: memory)))
    }

    /// The transcript of a session's thread. A service that is remote is asked for all of its history first.
    func transcript(of thread: String, _ client: ChatClient) async throws -> HTTPResponse {
        _ = (try transcriptForm, try transcriptOffset(transcriptForm))
        if !client.isComplete {
            var request = PageRequest(limit: TranscriptPages.limit, cursor: nil)
            repeat {
                request.cursor = try await client.history(of: thread, replies: .all, page: request).next
            } while request.cursor != nil
        }
        return try await transcript(for: .named("session \(client.id)")) {
            (try await client.thread(thread), try await client.removedMessages(of: thread))
        } _: {
            try await client.history(of: thread, replies: .all, page: $0)
        }
    }

    /// Throws `invalidParameter`.
    private func transcriptOffset(_ form: TranscriptForm) throws(Problem) -> UTCOffset {
        guard let text = query["utcOffset"] else { return .utc }
        guard form != .json else { throw Problem.parameter("utcOffset", "times in JSON are always in UTC") }
        guard let offset = UTCOffset(text) else {
            throw Problem.parameter("utcOffset", "an offset such as +02:00 was expected, to 14 hours")
        }
        return offset
    }
}
