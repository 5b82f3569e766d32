import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats

/// Messages of the customer.
extension SandboxSession {
    /// Sends a customer's message. The first message of a thread makes the thread.
    ///
    /// Returns what this client is told in addition to the log's events: hidden messages, which are not stored,
    /// and a message that was sent before. Throws `invalidParameter` for content other than text and for bad ids,
    /// `unknownAttachment`, and what the embedded service throws.
    func send(_ message: SendMessage) async throws(ChatError) -> [PushEvent] {
        try check(message)
        let me = try known()
        try await noteDevice(message.fingerprint, of: me.account)
        let text: String
        switch message.content.body {
        case .text(let body), .postback(let body): text = body
        default: throw ChatError(.invalidParameter, "A customer can send only text.")
        }
        if message.isPlain {
            do throws(ChatError) {
                return try await send(try draft(message, text), to: message.thread.id, by: me)
            } catch {
                guard error.code == .unknownThread else { throw error }
            }
        }
        let channel = try await channel()
        let known = try await thread(message.thread.id)
        let isHidden =
            message.content.parameters.isHidden || (known == nil && channel.mode == .liveChat && Self.begins(text))
        if let answer = InactivityAnswer(postback: message.content.postback) {
            _ = try await me.connection.answerInactivity(answer, in: message.thread.id, receipt: nil)
            return try await echo(message)
        }
        var drafted = message.contactFields.values
        if let known {
            drafted = drafted.filter { known.customFields[$0.key] != $0.value }
            if !drafted.isEmpty { _ = try await me.connection.setCustomFields(drafted, of: known.id) }
        }
        let fields = message.customerFields.values.filter { !$0.value.isEmpty }
        if !fields.isEmpty, try await hasNews(fields) { _ = try await me.connection.setCustomerCustomFields(fields) }
        let draft = isHidden ? nil : try draft(message, text)
        if known == nil {
            let name = channel.mode == .multithread ? message.thread.name.flatMap { $0.isEmpty ? nil : $0 } : nil
            let greeting = greetings.removeValue(forKey: message.thread.id)
            _ = countRemembered()
            _ = try await me.connection.createThread(
                ThreadDraft(id: message.thread.id, name: name, customFields: drafted, greeting: greeting),
                receipt: nil)
            try await rememberIDs(thread: message.thread.id, messages: greeting.map { [$0.id] } ?? [])
        }
        guard let draft else { return try await echo(message) }
        try await sandbox.claim(draft.attachments, for: me.account)
        return try await send(draft, to: message.thread.id, by: me)
    }

    private func send(
        _ draft: MessageDraft, to thread: String, by me: Identity
    ) async throws(ChatError) -> [PushEvent] {
        if let id = draft.id { try await noteNew(message: id, in: thread) }
        let outcome = try await me.connection.send(draft, to: thread, receipt: nil)
        // The first one was told already, but perhaps this client did not hear it.
        return await outcome.kind == .ok ? try repeated(outcome, in: thread) : []
    }

    /// Takes a welcome message that the client has shown (`SendOutbound`). A new thread will begin with it; in a
    /// known thread it is sent as a message of the system.
    func greet(_ message: SendMessage) async throws(ChatError) {
        try check(message)
        let me = try known()
        guard case .text(let text) = message.content.body else {
            throw ChatError(.invalidParameter, "A welcome message must be a text.")
        }
        guard let known = try await thread(message.thread.id) else {
            try MessageDraft(text: text).check()
            // A client has one such thread at a time; more are of no use to it.
            greetings = [message.thread.id: ThreadDraft.Greeting(id: message.id, text: text)]
            if !countRemembered() {
                greetings = [:]
                close(.tryAgainLater)
            }
            return
        }
        // It is repeated: the thread has begun with it, or has had it since.
        if try await isGreeting(message.id, text, in: known.id) { return }
        try await noteNew(message: message.id, in: known.id)
        let thread = DeskThread(id: known.id, channel: face.channel, customer: me.key.customer)
        let draft = MessageDraft(id: message.id, text: text, isAdmin: true)
        try draft.check()
        _ = try await sandbox.desk.send(draft, as: Agent(id: "system"), to: thread, under: AnswerTerms(), receipt: nil)
    }

    /// Whether the thread has this text of the system's under the id.
    private func isGreeting(_ id: String, _ text: String, in thread: String) async throws(ChatError) -> Bool {
        let account = try known().account
        return try await sandbox.store.read { transaction in
            guard let record = try transaction.thread(thread, of: account),
                let message = try transaction.storedMessage(id, in: record)?.message
            else { return false }
            return message.author.kind == .system && message.text.hasSameBytes(as: text)
        }
    }

    /// Registers the device that a message names, unless nothing about it has changed.
    private func noteDevice(_ fingerprint: DeviceFingerprint?, of account: Int64) async throws(ChatError) {
        guard let visitor, let news = DeviceNews(fingerprint),
            news != deviceNews || news != sandbox.visitorDevices.news(of: visitor)
        else { return }
        try await sandbox.apply(news, of: visitor, account: account, on: face)
        deviceNews = news
    }

    /// Throws `invalidParameter` for ids that the API does not allow.
    func check(_ message: SendMessage) throws(ChatError) {
        guard Identifier.isValid(message.thread.id), Identifier.isValid(message.id) else {
            throw ChatError(.invalidParameter, "Ids are \(Identifier.rule).")
        }
    }

    /// The message as the embedded service takes it. An empty text beside files or a postback counts as none. Throws
    /// `unknownAttachment` for a URL that is no link of the sandbox.
    private func draft(_ message: SendMessage, _ text: String) throws(ChatError) -> MessageDraft {
        var files: [String] = []
        for attachment in message.attachments {
            guard let id = FileLink.attachment(attachment.url, brand: sandbox.ids.brand) else {
                throw ChatError(.unknownAttachment, "An attachment's url was not issued by this sandbox.")
            }
            files.append(id)
        }
        let isBare = text.isEmpty && (!files.isEmpty || message.content.postback != nil)
        let draft = MessageDraft(
            id: message.id, text: isBare ? nil : text, attachments: files, postback: message.content.postback)
        try draft.check()
        return draft
    }

    /// Whether a field differs from the stored one. SDKs can send the customer's fields with each message, and writing
    /// them unchanged would add an event to the log each time.
    private func hasNews(_ fields: [String: String]) async throws(ChatError) -> Bool {
        let account = try known().account
        let now = try await sandbox.store.read { try $0.account(account).customFields }
        return fields.contains { now[$0.key] != $0.value }
    }

    /// Pushes a hidden message back to the customer's clients, as the platform does. It is not stored.
    private func echo(_ message: SendMessage) async throws(ChatError) -> [PushEvent] {
        guard let thread = try await thread(message.thread.id) else { return [] }
        let now = sandbox.store.environment.now(), context = try await context(of: thread.id, messages: [])
        let event = PushEvent.messageCreated(
            created(
                WireMessage(
                    id: message.id, serverID: sandbox.ids.message(message.id, in: thread.id),
                    threadID: context.ids.thread(thread.id), serverThreadID: sandbox.ids.thread(thread.id),
                    content: message.content, createdAt: now, preciseCreatedAt: now, direction: .inbound,
                    authorCustomer: WireCustomer(context.customer)),
                thread, context.ids))
        sandbox.tellOthers(event, of: frameByteCount, than: self)
        return [event]
    }

    /// The `MessageCreated` of a message that was stored before under the same id.
    private func repeated(_ outcome: Outcome, in id: String) async throws(ChatError) -> [PushEvent] {
        guard let thread = try await thread(id), let message = try? Message(canonicalJSON: outcome.body) else {
            return []
        }
        let context = try await context(of: id, messages: [message.id])
        return [.messageCreated(created(WireMessage(message, context), thread, context.ids))]
    }

    /// The opening of a live chat by clients that do not mark it.
    private static func begins(_ text: String) -> Bool {
        ["begin conversation", "__begin live chat conversation"].contains(text.lowercased())
    }
}

extension SendMessage {
    /// Whether nothing but a text is to be stored, if the thread is known: then the message needs no look at it first.
    fileprivate var isPlain: Bool {
        contactFields.isEmpty && customerFields.isEmpty && attachments.isEmpty && !content.parameters.isHidden
            && content.postback == nil
    }
}

extension InactivityAnswer {
    /// The answer in a popup button's postback; nil for any other postback.
    init?(postback: String?) {
        guard let postback, let json = try? JSONParser.parse(Array(postback.utf8)),
            json["type"]?.string == "sessionExpiration",
            let isExpired = json["isExpired"]?.bool
        else { return nil }
        self = isExpired ? .expire : .refresh
    }
}
