import Bounds
import Chat
import ChatModel
import ChatStore
import Crypto
import Formats
import HTTPClientPort
import SendbirdWire
import Synchronization

/// Sends the customer's messages, each once.
///
/// The platform promises nothing about a message that arrives twice. So each carries the id that Parley has given it,
/// and after a lost answer it is looked for before it is sent again.
final class MessageSender: Sendable {
    private let account: ConnectedUser
    private let history: HistoryPages
    private let attempts: SendAttempts

    /// How often a file is in memory on its way: by itself, and in the body of the call.
    private static let copies = 2
    /// How much earlier than it was stored here a message may have been sent, by the platform's clock: in milliseconds.
    private static let clockDifference: Int64 = 600_000

    init(_ account: ConnectedUser, history: HistoryPages, attempts: SendAttempts) {
        (self.account, self.history, self.attempts) = (account, history, attempts)
    }

    /// Sends a message, and returns what the platform made of it. Throws `invalidParameter` for several files, or for a
    /// text with a file; `unknownParent`, `storageFailed`, and the platform's refusal. Throws `serverError`,
    /// `eventTimeout`, `notConnected` where the message may have arrived.
    func send(_ outgoing: OutgoingMessage, _ progress: SendProgress) async throws(ChatError) -> SentMessage {
        let (message, thread) = (outgoing.message, outgoing.thread.thread.id)
        let line = message.attachments.isEmpty ? nil : account.client.client.uploads
        let holder = Holder.named("account \(account.number)")
        do {
            try await line?.enter(holder)
        } catch is CancellationError {
            throw ChatError(.notConnected, "The call to the platform was cancelled.")
        } catch {
            throw ChatError(.serverError, "Too many files are on their way to the platform.")
        }
        defer { line?.leave(holder) }
        let (memory, held) = (
            account.client.client.memory, message.attachments.reduce(0) { $0 + Self.copies * Int($1.size) }
        )
        guard memory.reserve(held) else {
            throw ChatError(.tooManyUnsent, "There is no room in memory for one more file on its way.")
        }
        defer { memory.giveBack(held) }
        let call = try await call(for: message, in: outgoing.thread)
        // What never went out is no attempt.
        var hasBegun = false
        defer { if hasBegun { attempts.ended(message.id, of: account.number) } }
        do throws(SendbirdFailure) {
            let sent = try await account.client.ask(call, .deed, as: SendbirdMessage.self) {
                hasBegun = progress.mayWrite(message.attachments.isEmpty ? nil : call.patience)
                return hasBegun
            }
            guard let read = await read(sent, of: message.id, in: thread) else {
                throw .open(ChatError(.serverError, "The platform's answer tells of another message."))
            }
            return .told(read)
        } catch {
            // Taken to mean that the platform has had this message before.
            if error.code == .existsAlready { throw ChatError(.serverError, "The platform has the message already.") }
            throw ChatError(error, about: error.isNotFound ? .thread(thread) : .message(message.id))
        }
    }

    /// Nil for an answer that tells of another message.
    private func read(_ sent: SendbirdMessage, of id: String, in thread: String) async -> RemoteMessage? {
        let reader = await account.reader
        guard sent.channelURL.isEmpty || sent.channelURL == thread, sent.sender?.id == account.user,
            [nil, id].contains(reader.requestID(of: sent))
        else { return nil }
        return reader.read(sent, in: thread)
    }

    private func call(for message: Message, in record: ThreadRecord) async throws(ChatError) -> SendbirdCall {
        let (request, thread) = (try await request(for: message, in: record), record.thread.id)
        guard let file = message.attachments.first else { return .send(request, to: thread) }
        guard message.attachments.count == 1, message.text == nil else {
            throw ChatError(
                .invalidParameter, "On this platform a message is a text, or one file.", pointer: "/attachments")
        }
        let descriptor = try await account.store.openFile(of: file)
        guard let bytes = await FileBody.read(descriptor, count: Int(file.size)) else {
            throw ChatError(.storageFailed, "A file could not be read.")
        }
        let form = MessageForm(request, name: file.name, type: file.mimeType, file: bytes)
        return .send(form, boundary: "parley-" + account.store.environment.makeID(), to: thread)
    }

    private func request(for message: Message, in record: ThreadRecord) async throws(ChatError) -> SendMessage {
        let text = message.text ?? ""
        guard text.unicodeScalars.count <= SendbirdBound.messageText else {
            throw ChatError(
                .textTooLong, "The platform takes at most \(SendbirdBound.messageText) characters.", pointer: "/text")
        }
        var request = SendMessage(
            message.attachments.isEmpty ? .text : .file, userID: account.user, text: message.text)
        request.customType = message.customType
        if let parent = message.parentID {
            let remote = try await account.store.read { try $0.remoteID(parent, in: record) } ?? parent
            guard let id = Int64(remote) else {
                throw ChatError(.unknownParent, "The platform has no message \(parent).", pointer: "/parentId")
            }
            request.parentID = id
            request.isReplyToChannel = message.alsoInThread
        }
        request.extras = [SendbirdExtra(key: MessageReader.idKey, values: [message.id])]
        request.deduplicationID = Self.deduplicationID(
            application: account.application, user: account.user, thread: record.thread.id, message: message.id)
        return request
    }

    /// Two sends of one message have the same; no other message of the application has it.
    static func deduplicationID(application: String, user: String, thread: String, message: String) -> String {
        var json = JSONWriter()
        json.beginArray()
        for text in [application, thread, user, message] { json.value(text) }
        json.endArray()
        return Base64URL.encode(SHA256.hash(data: json.bytes))
    }

    /// The message that the platform has under an id; nil if it has none, and will have none of the attempts that were
    /// made. It may be at the last one for some seconds, so that "none" is said only after those.
    func message(sentAs id: String, in thread: String) async throws(ChatError) -> RemoteMessage? {
        let number = account.number
        let storedAt = try await account.store.read { transaction in
            try transaction.thread(thread, of: number).flatMap {
                try transaction.outgoing(id, in: $0)?.message.createdAt
            }
        }
        let since = (storedAt ?? account.store.environment.now()).advanced(byMilliseconds: -Self.clockDifference)
        if let found = try await find(id, in: thread, since) { return found }
        guard let settled = attempts.alarm(id, of: number) else { return nil }
        guard (try? await settled()) != nil else {
            throw ChatError(.notConnected, "The question to the platform was cancelled.")
        }
        return try await find(id, in: thread, since)
    }

    private func find(_ id: String, in thread: String, _ since: Timestamp) async throws(ChatError) -> RemoteMessage? {
        var place = attempts.place(id, of: account.number) ?? since.milliseconds
        do throws(ChatError) {
            let found = try await history.message(sentAs: id, in: thread, since: &place)
            attempts.setPlace(nil, id, of: account.number)
            return found
        } catch {
            // What may still arrive has a later time, by a clock that may be another.
            let latest = account.store.environment.now().milliseconds - Self.clockDifference
            attempts.setPlace(min(place, latest), id, of: account.number)
            // Where there is no thread there is no message.
            if error.code == .unknownThread { return nil }
            throw error
        }
    }
}
