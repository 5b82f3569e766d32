import ChatModel
import Formats

/// A message as assistants see it. What a customer wrote is in `customerText` alone. So is what the system says, for
/// its welcome may repeat a customer's name.
struct MessageView {
    let message: Message
    /// Named in each message where messages of several chats are together.
    var chat: ChatHandle?

    private var isQuoted: Bool { message.author.kind == .customer || message.author.kind == .system }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        if let chat { json.member("chat", chat.text) }
        json.member("message", MessageHandle.text(message.id))
        json.member("at", message.createdAt)
        json.member("from", message.author.kind.rawValue)
        json.member("type", message.type.rawValue)
        if let parent = message.parentID { json.member("replyTo", MessageHandle.text(parent)) }
        if message.type == .quickReplies || message.type == .listPicker { buttons(&json) }
        let cut = message.text.map(QuotedText.cut)
        if isQuoted {
            json.name("customerText")
            json.beginObject()
            json.member("name", message.author.name.map(QuotedText.name))
            json.member("text", cut?.text)
            json.member("postback", message.postback.map { QuotedText.cut($0).text })
            attachments(&json)
            json.endObject()
        } else {
            json.member("author", message.author.name.map(QuotedText.name))
            json.member("text", cut?.text)
            attachments(&json)
        }
        if cut?.isCut == true { json.member("isCut", true) }
        json.endObject()
    }

    /// The texts of the answers that are offered.
    private func buttons(_ json: inout JSONWriter) {
        json.name("buttons")
        json.beginArray()
        for button in message.content?.buttons ?? [] { json.value(QuotedText.name(button.text)) }
        json.endArray()
    }

    /// Files are named, and never fetched.
    private func attachments(_ json: inout JSONWriter) {
        if message.attachments.isEmpty { return }
        json.name("attachments")
        json.beginArray()
        for file in message.attachments {
            json.beginObject()
            json.member("id", QuotedText.name(file.id))
            json.member("name", QuotedText.name(file.name))
            json.member("mimeType", QuotedText.name(file.mimeType))
            json.member("size", file.size)
            json.endObject()
        }
        json.endArray()
    }
}

extension RichContent {
    /// The answers among which a customer chooses; none where there are no buttons.
    var buttons: [ReplyButton] {
        switch self {
        case .quickReplies(let content): content.buttons
        case .listPicker(let content): content.buttons
        case .richLink, .timePicker: []
        }
    }
}
