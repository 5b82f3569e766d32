import ChatModel
import CXoneWire
import Formats

/// What is needed to write a message for one client, besides the message itself.
struct WireContext: Sendable {
    let ids: ClientIDs
    /// `http://host:port`, as the client reaches the gateway.
    let base: String
    /// Whose client it is: the author of the thread's own messages.
    let customer: Customer
}

extension WireMessage {
    /// The message as the platform tells it. The server's ids are derived from ours, so they are the same each
    /// time. A customer's message that was seen counts as read by the agent.
    init(_ message: Message, _ context: WireContext) {
        let isOwn = message.direction == .toAgent
        let seenAt = message.status == .seen ? message.seenAt ?? message.updatedAt : nil
        self.init(
            id: context.ids.message(message.id, in: message.threadID),
            serverID: context.ids.stable.message(message.id, in: message.threadID),
            threadID: context.ids.thread(message.threadID),
            serverThreadID: context.ids.stable.thread(message.threadID), content: MessageContent(message),
            createdAt: message.createdAt, preciseCreatedAt: message.createdAt,
            direction: isOwn ? .inbound : .outbound,
            attachments: message.attachments.map { WireAttachment($0, context) },
            agentStatistics: isOwn ? MessageStatistics(seenAt: seenAt, readAt: seenAt) : MessageStatistics(),
            customerStatistics: isOwn ? MessageStatistics() : MessageStatistics(seenAt: seenAt),
            authorAgent: WireAgent(message.author, context.ids.stable),
            authorCustomer: WireCustomer(message.author, context.customer),
            hasAdditionalContent: false)
    }
}

extension MessageContent {
    /// The content in the platform's shapes. The text of rich content becomes its fallback text.
    init(_ message: Message) {
        let text = message.text ?? ""
        switch message.content {
        case .quickReplies(let content):
            self.init(
                .quickReplies(
                    CXoneWire.QuickReplies(
                        title: content.title, buttons: content.buttons.map(CXoneWire.ReplyButton.init))),
                fallbackText: text)
        case .listPicker(let content):
            self.init(
                .listPicker(
                    CXoneWire.ListPicker(
                        title: content.title, text: content.text,
                        buttons: content.buttons.map(CXoneWire.ReplyButton.init))),
                fallbackText: text)
        case .richLink(let content):
            self.init(
                .richLink(
                    CXoneWire.RichLink(
                        title: content.title, url: content.url,
                        media: WireMedia(
                            fileName: content.fileName ?? "", url: content.fileURL ?? "",
                            mimeType: content.mimeType ?? ""))),
                fallbackText: text)
        case .timePicker(let content):
            self.init(
                .timePicker(
                    CXoneWire.TimePicker(
                        title: content.title, sheetTitle: content.sheetTitle,
                        slots: content.timeSlots.map {
                            .init(id: $0.id, duration: $0.duration, startTime: $0.startTime)
                        })),
                fallbackText: text)
        case nil:
            self = .text(text, postback: message.postback)
        }
    }
}

extension CXoneWire.ReplyButton {
    /// A button without an icon's URL has no icon, even if it names a file.
    init(_ button: ChatModel.ReplyButton) {
        let icon = button.iconURL.map {
            WireMedia(fileName: button.iconName ?? "", url: $0, mimeType: button.iconMimeType ?? "")
        }
        self.init(text: button.text, description: button.description, postback: button.postback, icon: icon)
    }
}

extension WireAttachment {
    /// The link works for whoever has it, and for good. A picture is its own preview.
    init(_ attachment: Attachment, _ context: WireContext) {
        let url = FileLink.url(attachment.id, brand: context.ids.stable.brand, base: context.base)
        self.init(
            url: url, friendlyName: attachment.name, mimeType: attachment.mimeType, fileName: attachment.name,
            id: attachment.id, permanentURL: url,
            previewURL: attachment.mimeType.hasPrefix("image/") ? url : nil)
    }
}

extension WireCustomer {
    /// The customer as the store has it. What is not known is left out.
    init(_ customer: Customer) {
        self.init(
            id: customer.id, firstName: customer.firstName, lastName: customer.lastName, image: customer.imageURL)
    }

    /// The customer who wrote; nil for other authors. Of another member of the thread only one name is known, and
    /// written as the first name.
    init?(_ author: Author, _ customer: Customer) {
        guard author.kind == .customer else { return nil }
        if author.id == customer.id { self.init(customer) } else { self.init(id: author.id, firstName: author.name) }
    }
}

extension WireAgent {
    /// The agent under a number derived from its id, because the SDKs read only numbers.
    init(_ agent: Agent, _ ids: StableIDs) { self.init(id: agent.id, name: agent.name, isBot: agent.isBot, ids) }

    /// The author of a message; nil for customers and for the system, whose messages have no `authorUser`.
    init?(_ author: Author, _ ids: StableIDs) {
        switch author.kind {
        case .agent, .bot: self.init(id: author.id, name: author.name, isBot: author.kind == .bot, ids)
        case .customer, .system: return nil
        }
    }

    /// Splits the one name that we have: the last word becomes the surname.
    private init(id: String, name: String?, isBot: Bool, _ ids: StableIDs) {
        let words = (name ?? id).split(separator: " ")
        let first = words.count > 1 ? words.dropLast().joined(separator: " ") : String(words.first ?? "")
        self.init(
            id: ids.agent(id), firstName: first, lastName: words.count > 1 ? String(words.last ?? "") : "", isBot: isBot
        )
    }
}
