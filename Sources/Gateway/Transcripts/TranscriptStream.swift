import Bounds
import ChatStore
import Formats
import MicroHTTP

/// Reads a thread's messages from the oldest on, page by page.
struct TranscriptPages: Sendable {
    /// Reads one page.
    let read: @Sendable (PageRequest) async throws -> PageBytes
    private var request = PageRequest(
        limit: Self.limit, cursor: nil, beginsAtOldest: true, bytes: ByteBound.transcriptPage.bytes)
    private(set) var isAtEnd = false

    /// What is written of one page is in memory until it is sent, so a page ends by its bytes as well.
    static let limit = 50

    init(_ form: TranscriptForm, read: @escaping @Sendable (PageRequest) async throws -> PageBytes) {
        self.read = read
        // It counts as it is sent.
        request.bytes /= form.greatestGrowth
    }

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

/// Sends a transcript as fast as its reader takes it: a page is read when the one before it is sent. What it holds is
/// counted, and given back when the reader leaves.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only. A task that reads a page has
/// copies, and gives back what it has made on the loop's thread.
final class TranscriptStream: EventSource, @unchecked Sendable {
    private let core: GatewayCore
    private var pages: TranscriptPages
    private var writer: TranscriptWriter
    /// What is to be sent next.
    private var ready: ArraySlice<UInt8> = []
    /// Counts what is to be sent; nil when the transcript is over.
    private var memory: ByteCounter?
    private(set) var isReading = false
    private var isEnded = false
    private var stream: (any StreamHandle)?

    /// - Parameters:
    ///   - begun: what the first page has come to.
    ///   - memory: has room for a page already.
    init(
        _ core: GatewayCore, _ pages: TranscriptPages, _ writer: TranscriptWriter, begun: [UInt8], memory: ByteCounter
    ) {
        (self.core, self.pages, self.writer, self.memory) = (core, pages, writer, memory)
        hold(begun)
    }

    /// A page that is longer than its place, because it is one great message, counts in full all the same.
    private func hold(_ bytes: [UInt8]) {
        guard let memory else { return }
        ready = bytes[...]
        let size = max(bytes.count, ByteBound.transcriptPage.bytes)
        if !memory.hold(exactly: size) { memory.reserveAnyway(size - memory.used) }
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
            var pieces: [[UInt8]]
            do {
                pieces = [try writer.add(try await pages.next().messages)]
                if pages.isAtEnd { pieces.append(writer.end(isComplete: true)) }
            } catch {
                pieces = [writer.end(isComplete: false)]
                pages.giveUp()
            }
            let (read, written, made) = (pages, writer, pieces.fitted)
            loop?.execute { [self] in took(read, written, made) }
        }
        return .idle
    }

    private func took(_ pages: TranscriptPages, _ writer: TranscriptWriter, _ bytes: [UInt8]) {
        (self.pages, self.writer) = (pages, writer)
        hold(bytes)
        (isReading, isEnded) = (false, pages.isAtEnd)
        stream?.wake()
    }

    /// Nothing is between two pieces of a document.
    func heartbeat(_ out: inout EventBuffer) {}

    func draining(_ out: inout EventBuffer) {
        if !isEnded || !ready.isEmpty { out.append(writer.end(isComplete: false)) }
    }

    func closed(_ reason: StreamEnd) { (stream, ready, memory) = (nil, [], nil) }
}
