import ChatModel
import ChatStore

/// Pages of a thread's messages where the store may have only a part of them.
extension ChatClient {
    /// Whether the store has every message of the account's threads, so that ``messages(of:replies:page:)`` misses
    /// none.
    public var isComplete: Bool { cache == nil }

    /// A page of a thread's messages, newest first. Where the store's rows end, the service is asked for more, for up
    /// to 10 s.
    ///
    /// The first page also has the account's own messages that are pending or failed (``UnsentMessages``).
    ///
    /// A page never shows rows from the other side of a hole. When the service did not deliver in time, the page is
    /// shorter than its limit and has a `next`. Throws `unknownThread`. Throws `notConnected`, `eventTimeout` when the
    /// page would be empty although the history goes on.
    public func history(
        of thread: String, replies: ReplyFilter, page request: PageRequest
    ) async throws(ChatError) -> PageBytes {
        guard let cache else { return try await messages(of: thread, replies: replies, page: request) }
        let history = ChunkedHistory(store: store, account: cache)
        var read = try await read(thread, replies, request, history)
        if !read.page.isFull, read.bound != nil {
            let begun = read
            let extended = try await Deadline(clock: clock).first { [self] () throws(ChatError) in
                try await extend(begun, of: thread, replies, request, history)
            }
            if let extended { read = extended } else { read = try await self.read(thread, replies, request, history) }
        }
        guard read.page.count == 0, read.bound != nil else { return read.page }
        throw cache.source == nil
            ? ChatError(.notConnected, "The service has more of the history, but the session is not connected to it.")
            : ChatError(.eventTimeout, "The service has more of the history, but did not deliver it in time.")
    }

    /// Asks the service for more until the page is full or nothing more comes.
    private func extend(
        _ begun: HistoryRead, of thread: String, _ replies: ReplyFilter, _ request: PageRequest,
        _ history: ChunkedHistory
    ) async throws(ChatError) -> HistoryRead {
        var read = begun
        // Each turn must bring something; otherwise it ends.
        while !read.page.isFull, let edge = read.bound {
            await history.extend(thread: read.thread, read.direction, beyond: edge)
            let again = try await self.read(thread, replies, request, history)
            let isStuck = again.bound == edge && again.page.count == read.page.count
            read = again
            if isStuck { break }
        }
        return read
    }

    private struct HistoryRead: Sendable {
        var page: PageBytes
        var thread: Int64
        var direction: FetchDirection
        /// Where a hole begins; nil if nothing is missing of the times that are asked for.
        var bound: MessagePosition?
    }

    private func read(
        _ thread: String, _ replies: ReplyFilter, _ request: PageRequest, _ history: ChunkedHistory
    ) async throws(ChatError) -> HistoryRead {
        let account = account
        return try await store.read { transaction in
            guard let record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            let place = try request.place(in: record, replies: replies)
            let extent = history.extent(try transaction.chunks(of: record.number), around: place.position)
            let hole = place.isOlder ? extent.low : extent.high
            let bound = request.times.hole(hole, isOlder: place.isOlder)
            var page = try transaction.messagePage(of: record, replies: replies, within: bound, request)
            if request.cursor == nil {
                let own = try transaction.outgoingMessages(of: account, thread: thread)
                page.body += UnsentMessages(own.map(\.message), replies).members
            }
            return HistoryRead(
                page: page, thread: record.number, direction: place.isOlder ? .previous : .next, bound: bound)
        }
    }
}
