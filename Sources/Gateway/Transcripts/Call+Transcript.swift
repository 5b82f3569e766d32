import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

extension Call {
    /// The query parameters of a transcript.
    static let transcriptQuery = ["format", "utcOffset"]

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
        guard memory.take(ByteBound.transcriptPage.bytes) else {
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
