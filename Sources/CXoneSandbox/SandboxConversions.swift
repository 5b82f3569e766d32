import Chat
import ChatModel
import CXoneWire
import Formats
import SandboxKit

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

extension WireMessage {
    /// The message by which the platform asks a silent customer. Only the customer's clients see it. Its id
    /// depends on the popup, so that sending it again does not show it twice.
    init(_ popup: ChatModel.InactivityPopup, in thread: ChatThread, _ ids: ClientIDs) {
        let content = CXoneWire.InactivityPopup(
            id: "p1", title: popup.title, text: popup.message, callToAction: "", startedAt: popup.startedAt,
            numberOfSeconds: popup.numberOfSeconds, refresh: .init(popup.refreshButton),
            expire: .init(popup.expireButton))
        self.init(
            id: ids.stable.uuid("popup\n\(popup.refreshButton.id)"), threadID: ids.thread(thread.id),
            serverThreadID: ids.stable.thread(thread.id),
            content: MessageContent(.inactivityPopup(content), fallbackText: popup.title), createdAt: popup.startedAt,
            preciseCreatedAt: popup.startedAt, direction: .outbound)
    }
}

extension CXoneWire.InactivityPopup.Button {
    /// The postback stays as it is: a client sends it back, and ``InactivityAnswer`` reads it.
    init(_ button: ChatModel.InactivityPopup.Button) {
        self.init(id: button.id, text: button.text, postback: button.postback)
    }
}

extension WireThread {
    /// - Parameter unreadCount: the customer's unread messages; nil: not known.
    init(_ thread: ChatThread, channel: SandboxChannel, _ ids: ClientIDs, unreadCount: Int? = nil) {
        self.init(
            id: ids.thread(thread.id), serverID: ids.stable.thread(thread.id), channelID: channel.id,
            name: thread.name ?? "",
            canAddMoreMessages: thread.canAddMoreMessages, createdAt: thread.createdAt, updatedAt: thread.updatedAt,
            unseenByCustomer: unreadCount, unseenByAgent: thread.deskUnreadCount)
    }
}

extension WireContact {
    /// The thread's contact, open or closed; nil for a thread that never had one.
    init?(_ thread: ChatThread, _ ids: ClientIDs) {
        guard let id = thread.contactID else { return nil }
        self.init(
            id: id, threadID: ids.thread(thread.id), status: thread.contactStatus, statusUpdatedAt: thread.updatedAt,
            createdAt: thread.createdAt, customFields: [CustomField](thread.customFields, updatedAt: thread.updatedAt))
    }
}

extension ChatThread {
    /// `closed`, else `open` with an agent and `new` without one. The sandbox uses no other status.
    var contactStatus: ContactStatus {
        if contactClosedAt != nil || state == .closed { return .closed }
        return agent == nil ? .new : .open
    }

    /// Whether the platform would know the thread: it has a message, or a contact in a live chat. Clients hear of
    /// no other thread.
    var isOnPlatform: Bool { state != .pending && (lastMessage != nil || contactID != nil) }
}

extension [CustomField] {
    /// Sorted by name. Our fields have no times of their own, so all get the same one.
    init(_ fields: [String: String], updatedAt: Timestamp) {
        self = fields.sorted { $0.key < $1.key }.map {
            CustomField(ident: $0.key, value: $0.value, updatedAt: updatedAt)
        }
    }

    /// By name; of a name that comes twice the last value counts.
    var values: [String: String] { Dictionary(map { ($0.ident, $0.value) }) { _, last in last } }
}

extension WireChannelConfiguration {
    /// - Parameter family: for whom: what is answered where there is no live chat to recover is announced here.
    init(_ channel: Channel, as face: SandboxChannel, for family: ClientFamily, _ ids: StableIDs) {
        let survey = channel.preChatSurvey.flatMap { survey in
            survey.fields.isEmpty
                ? nil
                : PreContactForm(
                    id: ids.uuid("survey\n\(channel.id)"), name: survey.name, channelIDs: [face.id],
                    fields: survey.fields.map(SurveyField.init))
        }
        self.init(
            name: channel.name, idOnExternalPlatform: String(face.id.dropFirst("chat_".count)),
            isLiveChat: channel.mode == .liveChat, isAuthorizationEnabled: face.authorization.isOAuth,
            availability: WireAvailability(isOnline: channel.isOnline),
            settings: CXoneWire.ChannelSettings(
                hasMultipleThreadsPerEndUser: channel.mode == .multithread, isProactiveChatEnabled: true,
                isTranscriptAllowed: true, isTypingPreviewed: true, securedSessions: face.authorization.isSecured,
                fileRestrictions: WireFileRestrictions(channel.fileRestrictions),
                features: [
                    "securedSessions": face.authorization.isSecured, "isProactiveChatEnabled": true,
                    "isRecoverLivechatDoesNotFailEnabled": family.takesEmptyLivechat, "liveChatLogoHidden": false,
                ]),
            survey: survey)
    }
}

extension WirePushNotifications {
    /// - Parameter face: how the app knows the channel.
    init(_ offer: PushOffer, channel face: SandboxChannel) {
        self.init(
            isActive: offer.isActive, title: offer.title, body: offer.body,
            deepLink: offer.deepLink.replacing("{channelId}", with: face.id))
    }
}

extension WireFileRestrictions {
    init(_ restrictions: FileRestrictions) {
        self.init(
            allowedFileSize: Int(max(1, restrictions.maximumSize >> 20)),
            allowedFileTypes: restrictions.allowedTypes.flatMap(Self.types).map {
                FileType(mimeType: $0, description: $0)
            },
            isAttachmentsEnabled: restrictions.isAttachmentsEnabled)
    }

    /// Clients know wildcards such as `image/*`, but not `*/*`, which is therefore written as all of those.
    private static func types(_ type: String) -> [String] {
        type == "*/*" ? ["application/*", "audio/*", "image/*", "text/*", "video/*"] : [type]
    }
}

extension SurveyField {
    init(_ field: CustomFieldDefinition) {
        let options = field.options.map { SurveyOption(name: $0.id, label: $0.label, parentID: $0.parentID) }
        let kind: Kind =
            switch field.kind {
            case .text: .text
            case .email: .email
            case .list: .list(options)
            case .tree: .tree(options)
            }
        self.init(ident: field.ident, label: field.label, isRequired: field.isRequired, kind: kind)
    }
}

/// The family of SDKs that a client belongs to. The families differ in which answers they understand.
enum ClientFamily: Sendable, Hashable {
    case ios, android, web

    /// From `sdkPlatform`. A client that does not tell it counts as iOS, whose protocol is the reference.
    init(_ platform: String?) {
        switch platform?.lowercased() {
        case "android": self = .android
        case "web": self = .web
        default: self = .ios
        }
    }

    /// Whether `LivechatRecovered` without data says that there is nothing; the others want an error.
    var takesEmptyLivechat: Bool { self == .ios }
    /// Whether the error codes of sending and changing threads are known; iOS takes an unknown one for success.
    var knowsAllErrorCodes: Bool { self != .ios }
}
