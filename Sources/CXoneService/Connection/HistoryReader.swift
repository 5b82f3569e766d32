import Bounds
import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Synchronization

/// Reads the platform's history of threads.
final class HistoryReader: Sendable {
    private let account: ConnectedAccount
    private let fresh = Mutex(FreshPages())

    init(_ account: ConnectedAccount) { self.account = account }

    /// Keeps a thread's newest page for the first question.
    func keepFresh(_ page: ScrollPage, of thread: String) { fresh.withLock { $0.keep(page, of: thread) } }

    /// Answers a question for history from the platform's pages (``ScrollHistory``). Throws `unknownThread`, and
    /// what ``PlatformLink/ask(_:_:)`` throws.
    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        let number = account.number
        let known = try await account.store.read { try $0.thread(thread, of: number) }
        guard let known else { throw .unknownThread(thread) }
        // The platform does not know it before its first message.
        guard known.thread.state != .pending else {
            return HistoryPage(messages: [], hasPrevious: false, hasNext: false)
        }
        return try await history(of: thread).page(query)
    }

    /// The thread's pages: the newest one by a recover request, older ones by `LoadMoreMessages`.
    private func history(of thread: String) -> ScrollHistory {
        ScrollHistory(
            marks: account.service.histories.marks(of: thread, account: account.number),
            newest: { [self] () throws(ChatError) in
                if let page = fresh.withLock({ $0.remove(thread) }) { return page }
                return try await newestPage(of: thread)
            },
            more: { [self] mark throws(ChatError) in
                let reader = await account.reader
                let request = LoadMoreMessages(
                    scrollToken: mark.token, thread: ThreadReference(id: thread),
                    oldestMessageTime: Timestamp(milliseconds: mark.oldest))
                return try await account.link.ask(.loadMoreMessages(request)) {
                    (frame) throws(ChatError) -> ScrollPage in
                    guard case .answer(.moreMessagesLoaded(let page), _) = frame else {
                        throw ConnectedAccount.unexpected
                    }
                    return ScrollPage(page.messages, token: page.scrollToken, for: reader)
                }
            })
    }

    private func newestPage(of thread: String) async throws(ChatError) -> ScrollPage {
        let reader = await account.reader
        let reference = ThreadReference(id: thread)
        let event: ClientEvent = account.mode == .liveChat ? .recoverLivechat(reference) : .recoverThread(reference)
        return try await account.link.ask(event) { (frame) throws(ChatError) -> ScrollPage in
            switch frame {
            case .answer(.threadRecovered(let recovered), _), .answer(.livechatRecovered(let recovered?), _):
                return ScrollPage(recovered, for: reader)
            // The platform has no live chat any more. The messages of the former chat stay in the store.
            case .answer(.livechatRecovered(nil), _), .acknowledgement:
                return ScrollPage(messages: [], oldest: nil, token: "")
            default: throw ConnectedAccount.unexpected
            }
        }
    }

    /// Notes the end of a page that came with an answer, so that older pages can be read from there.
    func mark(_ page: ScrollPage, of thread: String) {
        guard let oldest = page.oldest else { return }
        account.service.histories.marks(of: thread, account: account.number).add(
            ScrollMark(token: page.token, oldest: oldest, edge: page.messages.filter { $0.milliseconds == oldest }))
    }

    /// Looks for a message by its id, from the newest page backwards: at most 50 pages more, and not further back
    /// than 10 minutes before it was sent. Nil: the platform does not have it there. The outbox asks this before
    /// it sends again after a lost connection.
    func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage? {
        let number = account.number
        let sentAt = try await account.store.read { transaction in
            try transaction.thread(thread, of: number).flatMap {
                try transaction.outgoing(requestID, in: $0)?.message.createdAt
            }
        }
        let reader = await account.reader
        var page: ScrollPage
        do throws(ChatError) {
            page = try await newestPage(of: thread)
        } catch {
            // The thread does not exist there: its first message never arrived.
            guard error.code == .recoveringThreadFailed else { throw error }
            return nil
        }
        // Older messages cannot be the one: 10 minutes allow for clocks that differ.
        let earliest = (sentAt?.milliseconds ?? account.now.milliseconds) - 600_000
        for _ in 0..<50 {
            if let found = page.messages.first(where: { $0.message.id == requestID }) { return found }
            guard !page.token.isEmpty, let oldest = page.oldest, oldest > earliest else { return nil }
            let request = LoadMoreMessages(
                scrollToken: page.token, thread: ThreadReference(id: thread),
                oldestMessageTime: Timestamp(milliseconds: oldest))
            page = try await account.link.ask(.loadMoreMessages(request)) { (frame) throws(ChatError) -> ScrollPage in
                guard case .answer(.moreMessagesLoaded(let page), _) = frame else { throw ConnectedAccount.unexpected }
                return ScrollPage(page.messages, token: page.scrollToken, for: reader)
            }
        }
        return nil
    }
}

/// The newest pages of threads, read on connecting and not used yet. The first question for a thread's history takes its
/// page instead of asking the platform again.
struct FreshPages {
    /// By thread.
    private(set) var pages = RecentlyUsed<String, ScrollPage>(limit: limit)

    /// The most pages. The history of a thread whose page made room is read from the platform.
    static let limit = 16

    /// A great page is not kept: it is read once more.
    mutating func keep(_ page: ScrollPage, of thread: String) {
        if page.byteCount <= ByteBound.freshPage.bytes { pages[thread] = page }
    }

    mutating func remove(_ thread: String) -> ScrollPage? { pages.remove(thread) }
}

extension ScrollPage {
    init(_ recovered: RecoveredThread, for reader: MessageReader) {
        self.init(recovered.messages, token: recovered.scrollToken, for: reader)
    }

    /// - Parameters:
    ///   - messages: newest first, as the platform sends them; hidden ones are left out of the page.
    ///   - token: leads to the next older page; empty at the end of the history.
    init(_ messages: [WireMessage], token: String, for reader: MessageReader) {
        self.messages = messages.reversed().compactMap { RemoteMessage($0, for: reader) }.ascending
        oldest = messages.map(\.time.milliseconds).min()
        self.token = token
    }
}
