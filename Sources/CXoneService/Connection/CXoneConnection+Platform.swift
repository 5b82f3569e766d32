import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Synchronization

/// History, sending and lookups: what the account's synchronization and its outbox ask for.
extension CXoneConnection: RemotePlatform {
    var platform: (any RemotePlatform)? { self }

    // MARK: History

    /// Answers a question for history from the platform's pages (``ScrollHistory``). Throws `unknownThread`, and
    /// what ``PlatformLink/ask(_:_:)`` throws.
    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        let number = account.number
        let known = try await store.read { try $0.thread(thread, of: number) }
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
            marks: service.histories.marks(of: thread, account: account.number),
            newest: { [self] () throws(ChatError) in
                if let fresh = state.withLock({ $0.freshPages.remove(thread) }) { return fresh }
                return try await newestPage(of: thread)
            },
            more: { [self] mark throws(ChatError) in
                let reader = await reader
                let request = LoadMoreMessages(
                    scrollToken: mark.token, thread: ThreadReference(id: thread),
                    oldestMessageTime: Timestamp(milliseconds: mark.oldest))
                return try await link.ask(.loadMoreMessages(request)) { (frame) throws(ChatError) -> ScrollPage in
                    guard case .answer(.moreMessagesLoaded(let page), _) = frame else { throw Self.unexpected }
                    return ScrollPage(page.messages, token: page.scrollToken, for: reader)
                }
            })
    }

    private func newestPage(of thread: String) async throws(ChatError) -> ScrollPage {
        let reader = await reader
        let reference = ThreadReference(id: thread)
        let event: ClientEvent = mode == .liveChat ? .recoverLivechat(reference) : .recoverThread(reference)
        return try await link.ask(event) { (frame) throws(ChatError) -> ScrollPage in
            switch frame {
            case .answer(.threadRecovered(let recovered), _), .answer(.livechatRecovered(let recovered?), _):
                return ScrollPage(recovered, for: reader)
            // The platform has no live chat any more. The messages of the former chat stay in the store.
            case .answer(.livechatRecovered(nil), _), .acknowledgement:
                return ScrollPage(messages: [], oldest: nil, token: "")
            default: throw Self.unexpected
            }
        }
    }

    /// Notes the end of a page that came with an answer, so that older pages can be read from there.
    func mark(_ page: ScrollPage, of thread: String) {
        guard let oldest = page.oldest else { return }
        service.histories.marks(of: thread, account: account.number).add(
            ScrollMark(token: page.token, oldest: oldest, edge: page.messages.filter { $0.milliseconds == oldest }))
    }

    /// Always empty: the platform has no log of changes. Changes come as pushes only.
    func messageChanges(of thread: String, since position: ChangePosition) async throws(ChatError) -> MessageChanges {
        MessageChanges(updated: [], removed: [], position: position, hasMore: false)
    }

    /// Always an empty page: the platform's answer is written into the store when it comes, in its order among the
    /// pushes. So the caller has nothing to merge.
    func threads(after token: String?) async throws(ChatError) -> ThreadPage {
        let isFresh = state.withLock { state in
            defer { state.hasFreshList = false }
            return state.hasFreshList
        }
        if !isFresh, token == nil {
            if mode == .multithread {
                _ = try await loadThreads()
            } else {
                do throws(ChatError) {
                    _ = try await recoverThread()
                } catch {
                    guard error.code == .recoveringThreadFailed else { throw error }
                }
            }
            state.withLock { $0.hasFreshList = false }
        }
        return ThreadPage(threads: [], next: nil, changes: nil)
    }

    /// Always empty: the platform has no log of changes.
    func threadChanges(since token: String) async throws(ChatError) -> ThreadChanges {
        ThreadChanges(updated: [], removed: [], token: token, hasMore: false)
    }

    /// Looks for a message by its id, from the newest page backwards: at most 50 pages more, and not further back
    /// than 10 minutes before it was sent. Nil: the platform does not have it there. The outbox asks this before
    /// it sends again after a lost connection.
    func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage? {
        let number = account.number
        let sentAt = try await store.read { transaction in
            try transaction.thread(thread, of: number).flatMap {
                try transaction.outgoing(requestID, in: $0)?.message.createdAt
            }
        }
        let reader = await reader
        var page: ScrollPage
        do throws(ChatError) {
            page = try await newestPage(of: thread)
        } catch {
            // The thread does not exist there: its first message never arrived.
            guard error.code == .recoveringThreadFailed else { throw error }
            return nil
        }
        // Older messages cannot be the one: 10 minutes allow for clocks that differ.
        let earliest = (sentAt?.milliseconds ?? now.milliseconds) - 600_000
        for _ in 0..<50 {
            if let found = page.messages.first(where: { $0.message.id == requestID }) { return found }
            guard !page.token.isEmpty, let oldest = page.oldest, oldest > earliest else { return nil }
            let request = LoadMoreMessages(
                scrollToken: page.token, thread: ThreadReference(id: thread),
                oldestMessageTime: Timestamp(milliseconds: oldest))
            page = try await link.ask(.loadMoreMessages(request)) { (frame) throws(ChatError) -> ScrollPage in
                guard case .answer(.moreMessagesLoaded(let page), _) = frame else { throw Self.unexpected }
                return ScrollPage(page.messages, token: page.scrollToken, for: reader)
            }
        }
        return nil
    }

    // MARK: Sending

    /// Sends a message: first the welcome message if the thread is new, then its files, then the message under
    /// its own id. Returns the message as the platform has it. Throws `eventTimeout`, `notConnected`, the refusals of
    /// `upload`, and the platform's error.
    func send(_ outgoing: OutgoingMessage) async throws(ChatError) -> SentMessage {
        let (message, record) = (outgoing.message, outgoing.thread)
        if record.thread.state == .pending { try await sendWelcome(ahead: record) }
        let attachments = try await upload(message.attachments)
        let content = MessageContent.text(message.text ?? "", postback: message.postback)
        let delivery = Delivery()
        state.withLock { $0.deliveries[message.id] = delivery }
        defer { state.withLock { if $0.deliveries[message.id] === delivery { $0.deliveries[message.id] = nil } } }
        let event = try await outbound(
            content, id: message.id, attachments: attachments, to: record, from: outgoing.device)
        let sent = try await deliver(event, as: message, delivery)
        await endOwnTyping(in: record.thread.id)
        return sent
    }

    /// Sends the event and waits for the push of the message, which has the platform's time. A send that was
    /// acknowledged but not pushed within 10 s is fetched by id. If the history lacks it as well, the message is
    /// returned as it was sent. Throws `eventTimeout` without an acknowledgement.
    private func deliver(
        _ event: ClientEvent, as message: Message, _ delivery: Delivery
    ) async throws(ChatError) -> SentMessage {
        let link = try link
        let acknowledged = Acknowledged()
        // `delivery` gets whichever comes first: the message's push, a refusal, or the end of the time limit.
        let copy = "copy of \(message.id)"
        try link.requests.wait(for: copy, handle: nil) { error in
            let isSent = error.code == .eventTimeout && acknowledged.value.load(ordering: .relaxed)
            delivery.give(isSent ? .success(nil) : .failure(error))
        }
        defer { link.requests.forget(copy) }
        try await link.ask(event) { answer in
            switch answer {
            case .success: acknowledged.value.store(true, ordering: .relaxed)
            case .failure(let error): delivery.give(.failure(error))
            }
        }
        if let copy = try await delivery.value().get() { return copy }
        do throws(ChatError) {
            if let copy = try await self.message(sentAs: message.id, in: message.threadID) { return .told(copy) }
        } catch {
            guard error.code != .notConnected else { throw error }
        }
        var sent = message
        sent.status = .sent
        return .told(RemoteMessage(sent))
    }

    /// The `SendMessage` event, with the fields of customer and contact, the device's fingerprint and a token
    /// that is good now. Throws what renewing the token throws.
    func outbound(
        _ content: MessageContent, id: String, attachments: [WireAttachment] = [], to record: ThreadRecord,
        from device: PlatformDevice?
    ) async throws(ChatError) -> ClientEvent {
        let token = try await messageToken()
        let fingerprint = try await service.fingerprint(of: account, device: device.map(AccountState.Device.init))
        let thread = record.thread
        return .sendMessage(
            SendMessage(
                thread: ThreadReference(id: thread.id, name: thread.name), content: content, id: id,
                customerFields: service.fieldTimes.wire(
                    record.owner.customFields, of: FieldTimes.Owner(account: account.number),
                    otherwise: account.createdAt),
                contactFields: service.fieldTimes.wire(
                    thread.customFields, of: FieldTimes.Owner(account: account.number, thread: thread.id),
                    otherwise: thread.createdAt),
                attachments: attachments, fingerprint: fingerprint, accessToken: token))
    }

    /// Sends a message that neither side is shown, and waits for its acknowledgement only. Throws
    /// `unknownThread`, and what ``PlatformLink/ask(_:)`` throws.
    func sendHidden(_ content: MessageContent, to thread: String) async throws(ChatError) {
        let number = account.number
        let (found, device) = try await store.read {
            (try $0.thread(thread, of: number), try $0.deviceForPlatform(of: number))
        }
        guard let record = found else { throw .unknownThread(thread) }
        try await link.ask(
            try await outbound(content, id: store.environment.makeID(), to: record, from: device))
    }

    /// Sends the welcome message that the customer saw (`SendOutbound`), so that the platform's transcript begins
    /// with it. It keeps its id here: its push is then recognized, and not shown twice. Nothing is sent if the
    /// thread has none.
    private func sendWelcome(ahead record: ThreadRecord) async throws(ChatError) {
        guard let welcome = record.thread.lastMessage, welcome.direction == .toClient, welcome.author.kind == .system,
            let message = try await store.read({ try $0.message(welcome.id, in: record)?.message }),
            let text = message.text
        else { return }
        let owner = FieldTimes.Owner(account: account.number, thread: record.thread.id)
        try await link.tell(
            .sendOutbound(
                SendMessage(
                    thread: ThreadReference(id: record.thread.id), content: .text(text), id: message.id,
                    contactFields: service.fieldTimes.wire(
                        record.thread.customFields, of: owner, otherwise: record.thread.createdAt),
                    fingerprint: .parley)))
    }
}

/// Whether the platform has acknowledged a send whose push has not come yet.
private final class Acknowledged: Sendable {
    let value = Atomic<Bool>(false)
}
