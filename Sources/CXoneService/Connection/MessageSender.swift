import Chat
import ChatModel
import ChatStore
import CXoneWire
import Synchronization

/// Sends the customer's messages to the platform.
final class MessageSender: Sendable {
    private let account: ConnectedAccount
    private let tokens: PlatformTokens
    private let files: FileSender
    private let typing: PlatformTyping

    /// The end of a send: the pushed message, or why there is none.
    private typealias SendWord = Answer<Result<SentMessage, ChatError>>
    /// Sends that wait for the push of their message, by the message's id.
    private let sends = Mutex<[String: SendWord]>([:])

    init(_ account: ConnectedAccount, tokens: PlatformTokens, typing: PlatformTyping) {
        self.account = account
        self.tokens = tokens
        self.typing = typing
        files = FileSender(account: account)
    }

    /// Sends a message: first the welcome message if the thread is new, then its files, then the message under
    /// its own id. Waits for the push of the message, which has the platform's time. Throws `notConnected`, the refusals
    /// of `upload`, and the platform's error; `eventTimeout` when the task is cancelled.
    func send(_ outgoing: OutgoingMessage, _ progress: SendProgress) async throws(ChatError) -> SentMessage {
        let (message, record) = (outgoing.message, outgoing.thread)
        if record.thread.state == .pending { try await sendWelcome(ahead: record) }
        let attachments = try await files.upload(message.attachments)
        let event = try await outbound(
            .text(message.text ?? "", postback: message.postback), id: message.id, attachments: attachments,
            to: record, from: outgoing.device)
        // Gets whichever comes first: the message's push, a refusal, or the end of the connection.
        let word = SendWord()
        sends.withLock { $0[message.id] = word }
        defer { sends.withLock { if $0[message.id] === word { $0[message.id] = nil } } }
        let link = try account.link
        guard progress.mayWrite(nil) else { throw ChatError(.notConnected, "The message is not awaited any more.") }
        let request = try await account.link.ask(event, limit: nil) { answer in
            switch answer {
            case .success: progress.acknowledged()
            case .failure(let error): word.resolve(.failure(error))
            }
        }
        defer { link.requests.forget(request) }
        let sent = try await word.valueUnlessCancelled()?.get()
        await typing.endOwn(in: record.thread.id)
        guard let sent else { throw ChatError(.eventTimeout, "The platform has not told of the message yet.") }
        return sent
    }

    /// The `SendMessage` event, with the fields of customer and contact, the device's fingerprint and a token
    /// that is good account.now. Throws what renewing the token throws.
    private func outbound(
        _ content: MessageContent, id: String, attachments: [WireAttachment] = [], to record: ThreadRecord,
        from device: PlatformDevice?
    ) async throws(ChatError) -> ClientEvent {
        let token = try await tokens.messageToken()
        let fingerprint = try await account.service.fingerprint(
            of: account.record, device: device.map(AccountState.Device.init))
        let thread = record.thread
        return .sendMessage(
            SendMessage(
                thread: ThreadReference(id: thread.id, name: thread.name), content: content, id: id,
                customerFields: account.service.fieldTimes.wire(
                    record.owner.customFields, of: FieldTimes.Owner(account: account.number),
                    otherwise: account.record.createdAt),
                contactFields: account.service.fieldTimes.wire(
                    thread.customFields, of: FieldTimes.Owner(account: account.number, thread: thread.id),
                    otherwise: thread.createdAt),
                attachments: attachments, fingerprint: fingerprint, accessToken: token))
    }

    /// Sends a message that neither side is shown, and waits for its acknowledgement only. Throws
    /// `unknownThread`, and what ``PlatformLink/ask(_:)`` throws.
    func sendHidden(_ content: MessageContent, to thread: String) async throws(ChatError) {
        let number = account.number
        let (found, device) = try await account.store.read {
            (try $0.thread(thread, of: number), try $0.deviceForPlatform(of: number))
        }
        guard let record = found else { throw .unknownThread(thread) }
        try await account.link.ask(
            try await outbound(content, id: account.store.environment.makeID(), to: record, from: device))
    }

    /// Sends the welcome message that the customer saw (`SendOutbound`), so that the platform's transcript begins
    /// with it. It keeps its id here: its push is then recognized, and not shown twice. Nothing is sent if the
    /// thread has none.
    private func sendWelcome(ahead record: ThreadRecord) async throws(ChatError) {
        guard let welcome = record.thread.lastMessage, welcome.direction == .toClient, welcome.author.kind == .system,
            let message = try await account.store.read({ try $0.message(welcome.id, in: record)?.message }),
            let text = message.text
        else { return }
        let owner = FieldTimes.Owner(account: account.number, thread: record.thread.id)
        try await account.link.send(
            .sendOutbound(
                SendMessage(
                    thread: ThreadReference(id: record.thread.id), content: .text(text), id: message.id,
                    contactFields: account.service.fieldTimes.wire(
                        record.thread.customFields, of: owner, otherwise: record.thread.createdAt),
                    fingerprint: .parley)))
    }

    /// The push of a message has come, and is written. A send of this id ends.
    func end(_ message: String, _ sent: SentMessage) {
        sends.withLock { $0.removeValue(forKey: message) }?.resolve(.success(sent))
    }

    /// No push will come any more: all sends end.
    func endAll(_ error: ChatError) {
        let waiting = sends.withLock { sends in
            defer { sends = [:] }
            return sends.values
        }
        for word in waiting { word.resolve(.failure(error)) }
    }
}
