import Chat
import ChatModel
import ChatStore
import CXoneWire

/// Who types, in both directions. The end is told where nobody reports it: after a message, a close, a disconnect.
extension CXoneConnection {
    /// Tells the agent that the customer types, or has stopped. Not awaited, and not before the first message, because
    /// the platform does not know the thread yet.
    ///
    /// - Parameter text: sent as a preview, which the platform shows to agents if its channel is set so.
    func reportTyping(_ isTyping: Bool, text: String?, in thread: String) async throws(ChatError) {
        let number = account.number
        guard let record = try await store.read({ try $0.thread(thread, of: number) }) else {
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
            try await link.tell(.sendMessagePreview(ThreadReference(id: thread), .text(text)))
        }
    }

    private func tellPlatform(_ isTyping: Bool, in thread: String) async throws(ChatError) {
        let reference = ThreadReference(id: thread)
        try await link.tell(isTyping ? .senderTypingStarted(reference) : .senderTypingEnded(reference))
    }

    /// Tells the platform that the customer types no more, where it was told that they do. A failure is ignored: a
    /// platform that is away shows no typing.
    ///
    /// - Parameter thread: nil for all threads.
    func endOwnTyping(in thread: String? = nil) async {
        let ended = typing.withLock { book in
            (thread.map { [$0] } ?? book.threads(of: .customer)).filter { book.end(.customer, in: $0) != nil }
        }
        for thread in ended { try? await tellPlatform(false, in: thread) }
    }

    /// `SenderTypingStarted`, `SenderTypingEnded` of an agent. It is told live and not stored. Without an agent
    /// it is the customer's own, and ignored.
    func take(_ typing: SenderTyping, isTyping: Bool) async {
        let (number, thread) = (account.number, typing.thread.id)
        guard let agent = typing.agent, (try? await store.read { try $0.thread(thread, of: number) }) ?? nil != nil
        else { return }
        let event = TypingEvent(threadID: thread, isTyping: isTyping, author: Author(Agent(agent)))
        self.typing.withLock { book in
            if isTyping {
                book.begin(.agent(event.author.id), in: thread, of: 0, event)
            } else {
                _ = book.end(.agent(event.author.id), in: thread)
            }
        }
        store.feed.publish(event, to: [.account(number)])
    }

    /// An agent has sent a message, and so types no more.
    func endTyping(of agent: WireAgent, in thread: String) {
        tellEnd(of: typing.withLock { $0.end(.agent(Author(Agent(agent)).id), in: thread) }.map { [$0] } ?? [])
    }

    /// The thread is closed: nobody types in it any more.
    func endAllTyping(in thread: String) { tellEnd(of: typing.withLock { $0.endAll(in: thread) }) }

    /// Tells the sessions of ends that the platform has not told. The customer's own reports are not among them.
    func tellEnd(of reports: [TypingEvent?]) {
        for var event in reports.compactMap(\.self) {
            event.isTyping = false
            store.feed.publish(event, to: [.account(account.number)])
        }
    }
}
