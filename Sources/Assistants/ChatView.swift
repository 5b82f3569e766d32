import ChatModel
import ChatStore
import Formats

/// A chat as assistants see it. Its name, its fields and its last line come from the customer.
struct ChatView {
    let thread: ChatThread
    let channel: String
    let customer: Customer
    /// Whose chats are `mine`; nil on the customer's side.
    var agent: Agent?
    /// What the desk alone sees: the names of its tags, and until when it is snoozed.
    var (tags, snoozedUntil): ([String], Timestamp?) = ([], nil)

    /// - Parameters:
    ///   - desk: the thread's JSON as the desk reads it, with channel and customer.
    ///   - names: what the desk's tags are called, by their ids.
    init(desk json: JSONValue, agent: Agent, tags names: [String: String]) throws {
        thread = try ChatThread(json: json)
        channel = try json.requiredString("channel")
        customer = try Customer(json: json["customer"] ?? .null)
        self.agent = agent
        tags = (json["tags"]?.array ?? []).compactMap { $0.string.flatMap { names[$0] } }
        snoozedUntil = json["snooze"]?["until"]?.string.flatMap(Timestamp.init(rfc3339:))
    }

    init(thread: ChatThread, channel: String, customer: Customer) {
        (self.thread, self.channel, self.customer) = (thread, channel, customer)
    }

    var handle: ChatHandle { ChatHandle(channel: channel, customer: customer.id, thread: thread.id) }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("chat", handle.text)
        json.member("channel", channel)
        json.member("state", thread.state == .closed ? "closed" : "open")
        if let agent {
            json.member("isWaiting", thread.waitingSince != nil && thread.state != .closed)
            json.member("isMine", thread.agent?.id == agent.id)
            json.member("unread", thread.deskUnreadCount)
        }
        if let taken = thread.agent { json.member("agent", QuotedText.name(taken.name ?? taken.id)) }
        if let position = thread.queuePosition { json.member("queuePosition", position) }
        if let since = thread.waitingSince { json.member("waitingSince", since) }
        if !tags.isEmpty { json.member("tags", texts: tags.map(QuotedText.name)) }
        if let snoozedUntil { json.member("snoozedUntil", snoozedUntil) }
        if agent != nil { json.member("latest", thread.lastMessage.map { MessageHandle.text($0.id) }) }
        json.member("lastActivityAt", thread.lastActivityAt)
        if let last = thread.lastMessage {
            json.member("lastFrom", last.author.kind.rawValue)
            if !last.isQuoted { json.member("lastText", last.text.map { QuotedText.cut($0).text }) }
        }
        json.name("customerText")
        json.beginObject()
        json.member("name", customer.fullName.map(QuotedText.name))
        json.member("topic", thread.name.map(QuotedText.name))
        if let last = thread.lastMessage, last.isQuoted {
            json.member("lastText", last.text.map { QuotedText.cut($0).text })
        }
        QuotedText.encode(fields: thread.customFields.sorted { $0.key < $1.key }, to: &json)
        json.endObject()
        json.endObject()
    }
}

extension MessagePreview {
    fileprivate var isQuoted: Bool { author.kind == .customer || author.kind == .system }
}

extension PageBytes {
    /// The page's items as values.
    func values() throws -> [JSONValue] { try JSONParser.parse(body + [UInt8(ascii: "}")])["items"]?.array ?? [] }
}
