import Chat
import ChatModel
import Formats
import HTTPRouting

/// How assistants name a chat: one opaque word, which is good for every tool, and says nothing by itself. Customers
/// choose ids, so ids are not shown.
struct ChatHandle: Sendable, Hashable {
    let channel: String
    let customer: String
    let thread: String

    init(channel: String, customer: String, thread: String) {
        self.channel = channel
        self.customer = customer
        self.thread = thread
    }

    /// Nil for a text that ``text`` does not write.
    init?(_ text: String) {
        guard text.utf8.count <= 1024, let bytes = Base64URL.decode(text),
            let words = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = words.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(channel: parts[0], customer: parts[1], thread: parts[2])
        guard self.text == text else { return nil }
    }

    /// base64url of channel, customer and thread, with zero bytes between them, which no id has.
    var text: String { Base64URL.encode([channel, customer, thread].joined(separator: "\0").utf8) }

    /// The address of the chat as a resource.
    var uri: String { Self.scheme + text }
    static let scheme = "parley://chats/"

    /// Nil for another address.
    init?(uri: String) {
        guard uri.hasPrefix(Self.scheme) else { return nil }
        self.init(String(uri.dropFirst(Self.scheme.count)))
    }

    /// As the desk names it.
    var atDesk: DeskThread { DeskThread(id: thread, channel: channel, customer: customer) }
}

/// How assistants name a message: as with chats, its id is not shown.
enum MessageHandle {
    static func text(_ id: String) -> String { Base64URL.encode(id.utf8) }

    /// Nil for a text that is none.
    static func id(_ text: String) -> String? {
        guard let bytes = Base64URL.decode(text), let id = String(validating: bytes, as: UTF8.self),
            Identifier.isValid(id)
        else { return nil }
        return id
    }
}

extension ObjectReader {
    /// The member `chat`; a chat that is none, and a fault reported, when it is wrong.
    mutating func chat() -> ChatHandle {
        let none = ChatHandle(channel: "", customer: "", thread: "")
        guard let text = required("chat")?.string else {
            reject("chat", "the handle of a chat was expected, as list_chats gives it")
            return none
        }
        return handle(text, "chat") ?? none
    }

    /// The same where it may be missing.
    mutating func optionalChat() -> ChatHandle? {
        optionalString("chat", length: 1...1024).flatMap { handle($0, "chat") }
    }

    private mutating func handle(_ text: String, _ name: String) -> ChatHandle? {
        let handle = ChatHandle(text)
        if handle == nil { reject(name, "no such handle was given out") }
        return handle
    }

    /// The id of a message that a member names by its handle.
    mutating func optionalMessage(_ name: String) -> String? {
        guard let text = optionalString(name, length: 1...1024) else { return nil }
        let id = MessageHandle.id(text)
        if id == nil { reject(name, "no such handle was given out") }
        return id
    }

    /// `confirm` has to be true.
    mutating func confirmed() {
        if required("confirm")?.bool != true { reject("confirm", "must be true: this ends the chat for its customer") }
    }
}
