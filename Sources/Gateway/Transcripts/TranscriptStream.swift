import ChatStore
import Formats
import MicroHTTP

/// Reads a thread's messages from the oldest on, page by page.
struct TranscriptPages: Sendable {
    /// Reads one page.
    let read: @Sendable (PageRequest) async throws -> PageBytes
    private var request = PageRequest(limit: Self.limit, cursor: nil, beginsAtOldest: true)
    private(set) var isAtEnd = false

    /// A message may have 64 KiB, and what is written of one page is in memory.
    static let limit = 50

    init(read: @escaping @Sendable (PageRequest) async throws -> PageBytes) { self.read = read }

    /// The next messages, oldest first, and the page that they are of.
    mutating func next() async throws -> (messages: [ArraySlice<UInt8>], page: PageBytes) {
        let page = try await read(request)
        let text = try JSONText(page.body + [UInt8(ascii: "}")])
        request.cursor = page.prev
        isAtEnd = page.prev == nil
        return ((text.root["items"]?.elements ?? []).reversed().map(\.bytes), page)
    }

    /// Nothing more comes, although there may be more.
    mutating func giveUp() { isAtEnd = true }
}

/// Sends a transcript as fast as its reader takes it: a page is read when the one before it is sent.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only. A task that reads a page has
/// copies, and gives back what it has made on the loop's thread.
final class TranscriptStream: EventSource, @unchecked Sendable {
    private let core: GatewayCore
    private var pages: TranscriptPages
    private var writer: TranscriptWriter
    /// What is to be sent next.
    private var ready: ArraySlice<UInt8>
    private(set) var isReading = false
    private var isEnded = false
    private var stream: (any StreamHandle)?

    /// - Parameter begun: what the first page has come to.
    init(_ core: GatewayCore, _ pages: TranscriptPages, _ writer: TranscriptWriter, begun: [UInt8]) {
        (self.core, self.pages, self.writer, ready) = (core, pages, writer, begun[...])
    }

    func opened(_ stream: EventStream) { attach(to: stream) }

    func attach(to stream: any StreamHandle) { self.stream = stream }

    func fill(_ out: inout EventBuffer) -> EventProgress {
        if ready.isEmpty { return isEnded ? .end : read() }
        let piece = ready.prefix(out.limit)
        out.append(piece)
        ready = ready.dropFirst(piece.count)
        return .more
    }

    private func read() -> EventProgress {
        if isReading { return .idle }
        isReading = true
        Task { [pages, writer, loop = core.life.loop] in
            var (pages, writer) = (pages, writer)
            var bytes: [UInt8]
            do {
                bytes = try writer.add(try await pages.next().messages)
                if pages.isAtEnd { bytes += writer.end(isComplete: true) }
            } catch {
                bytes = writer.end(isComplete: false)
                pages.giveUp()
            }
            let (read, written, made) = (pages, writer, bytes)
            loop?.execute { [self] in took(read, written, made) }
        }
        return .idle
    }

    private func took(_ pages: TranscriptPages, _ writer: TranscriptWriter, _ bytes: [UInt8]) {
        (self.pages, self.writer, ready) = (pages, writer, bytes[...])
        (isReading, isEnded) = (false, pages.isAtEnd)
        stream?.wake()
    }

    /// Nothing is between two pieces of a document.
    func heartbeat(_ out: inout EventBuffer) {}

    func draining(_ out: inout EventBuffer) {
        if !isEnded || !ready.isEmpty { out.append(writer.end(isComplete: false)) }
    }

    func closed(_ reason: StreamEnd) { stream = nil }
}
