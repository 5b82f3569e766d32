import Chat
import ChatModel
import ChatStore
import Synchronization

/// Tells who types, and tells the end where nobody reports it.
///
/// Typing is live only. What was reported is kept in memory until its end.
final class TypingReports: Sendable {
    /// Who types, with the store's number of an account.
    enum Typist: Hashable, Sendable {
        case account(Int64)
        case agent(String)
    }

    /// What has to be told after a commit.
    enum End: Sendable, Equatable {
        /// Somebody has sent a message to the thread, or has left it.
        case of(Typist, thread: Int64)
        /// The thread was closed.
        case all(thread: Int64)
    }

    /// One report, as each side hears it.
    struct Report: Sendable {
        var event: TypingEvent
        /// The accounts that hear of it.
        var accounts: [Int64]
        /// The desk's copy; nil if the desk does not hear of it.
        var desk: TypingEvent?
    }

    /// Reports that are kept in all, and of one connection or of the desk.
    static let limit = 10_000, limitOfOne = 1000
    /// The holder of what agents report: they have no connections.
    static let desk = 0

    private let feed: EventFeed
    private let book = Mutex(TypingBook<Int64, Typist, Report>(limit: limit, limitOfOne: limitOfOne))
    private let holders = Atomic<Int>(desk)

    init(feed: EventFeed) { self.feed = feed }

    /// Names a new connection.
    func newHolder() -> Int { holders.add(1, ordering: .relaxed).newValue }

    /// Tells what somebody has reported of a thread.
    func report(_ report: Report, by typist: Typist, in thread: Int64, of holder: Int) {
        book.withLock { book in
            if report.event.isTyping {
                // The end has no text.
                var kept = report
                kept.desk?.text = nil
                book.begin(typist, in: thread, of: holder, kept)
            } else {
                _ = book.end(typist, in: thread)
            }
        }
        publish(report)
    }

    /// Tells the ends of what is still reported.
    func endReports(_ ends: [End]) {
        guard !ends.isEmpty else { return }
        tellEnd(
            of: book.withLock { book in
                ends.flatMap { end in
                    switch end {
                    case .of(let typist, let thread): book.end(typist, in: thread).map { [$0] } ?? []
                    case .all(let thread): book.endAll(in: thread)
                    }
                }
            })
    }

    /// A connection is closed.
    func leave(_ holder: Int) { tellEnd(of: book.withLock { $0.endAll(of: holder) }) }

    private func tellEnd(of reports: [Report]) {
        for var report in reports {
            report.event.isTyping = false
            report.desk?.isTyping = false
            publish(report)
        }
    }

    private func publish(_ report: Report) {
        if let desk = report.desk {
            let owner = desk.channel.flatMap { channel in
                desk.customer.map { ThreadOwner(channel: channel, customer: $0.id) }
            }
            feed.publish(desk, to: [.desk], owner: owner)
        }
        if !report.accounts.isEmpty { feed.publish(report.event, to: report.accounts.map { .account($0) }) }
    }
}
