import Chat
import ChatModel
import ChatStore
import CXoneWire
import Synchronization

/// Who types, in both directions. The end is told where nobody reports it: after a message, a close, a disconnect.
final class PlatformTyping: Sendable {
    private let account: ConnectedAccount

    /// Who types: the customer as the platform was told, agents as the sessions were told.
    private enum Typist: Hashable, Sendable {
        case customer
        case agent(String)
    }
    /// The reports of agents are there to be ended.
    private let typing = Mutex(TypingBook<String, Typist, TypingEvent?>(limit: 100, limitOfOne: 100))

    init(_ account: ConnectedAccount) { self.account = account }

    /// Tells the agent that the customer types, or has stopped. Not awaited, and not before the first message, because
    /// the platform does not know the thread yet.
    ///
    /// - Parameter text: sent as a preview, which the platform shows to agents if its channel is set so.
    func reportTyping(_ isTyping: Bool, text: String?, in thread: String) async throws(ChatError) {
        let number = account.number
        guard let record = try await account.store.read({ try $0.thread(thread, of: number) }) else {
            throw .unknownThread(thread)
        }
        guard try ThreadRules.takesTyping(isTyping, record.thread), record.thread.state != .pending else { return }
        typing.withLock { book in
            if isTyping {
                book.begin(.customer, in: thread, of: 0, nil)
            } else {
                _ = book.end(.customer, in: thread)
            }
        }
        try await tellPlatform(isTyping, in: thread)
        if isTyping, let text {
            try await account.link.send(.sendMessagePreview(ThreadReference(id: thread), .text(text)))
        }
    }

    private func tellPlatform(_ isTyping: Bool, in thread: String) async throws(ChatError) {
        let reference = ThreadReference(id: thread)
        try await account.link.send(isTyping ? .senderTypingStarted(reference) : .senderTypingEnded(reference))
    }

    /// Tells the platform that the customer types no more, where it was told that they do. A failure is ignored: a
    /// platform that is away shows no typing.
    ///
    /// - Parameter thread: nil for all threads.
    func endOwn(in thread: String? = nil) async {
        let ended = typing.withLock { book in
            (thread.map { [$0] } ?? book.threads(of: .customer)).filter { book.end(.customer, in: $0) != nil }
        }
        for thread in ended { try? await tellPlatform(false, in: thread) }
    }

    /// `SenderTypingStarted`, `SenderTypingEnded` of an agent. It is told live and not stored. Without an agent
    /// it is the customer's own, and ignored.
    func show(_ typing: SenderTyping, isTyping: Bool) async {
        let (number, thread) = (account.number, typing.thread.id)
        guard let agent = typing.agent,
            (try? await account.store.read { try $0.thread(thread, of: number) }) ?? nil != nil
        else { return }
        let event = TypingEvent(threadID: thread, isTyping: isTyping, author: Author(Agent(agent)))
        self.typing.withLock { book in
            if isTyping {
                book.begin(.agent(event.author.id), in: thread, of: 0, event)
            } else {
                _ = book.end(.agent(event.author.id), in: thread)
            }
        }
        account.store.feed.publish(event, to: [.account(number)])
    }

    /// An agent has sent a message, and so types no more.
    func end(of agent: WireAgent, in thread: String) {
        publishEnd(of: typing.withLock { $0.end(.agent(Author(Agent(agent)).id), in: thread) }.map { [$0] } ?? [])
    }

    /// The thread is closed: nobody types in it any more.
    func endAll(in thread: String) { publishEnd(of: typing.withLock { $0.endAll(in: thread) }) }

    /// The connection is gone: agents are not heard any more.
    func endAll() { publishEnd(of: typing.withLock { $0.endAll(of: 0) }) }

    /// Tells the sessions of ends that the platform has not told. The customer's own reports are not among them.
    private func publishEnd(of reports: [TypingEvent?]) {
        for var event in reports.compactMap(\.self) {
            event.isTyping = false
            account.store.feed.publish(event, to: [.account(account.number)])
        }
    }
}
