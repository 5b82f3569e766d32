import Chat
import ChatModel
import ChatStore
import Crypto
import CXoneWire
import Formats

extension RemoteMessage {
    /// A message of the platform as the store takes it. Nil for hidden messages, for popups, and for ids that the
    /// API does not allow. The attachments' sizes are 0: the platform does not tell them.
    init?(_ wire: WireMessage, for reader: MessageReader) {
        guard !wire.isHidden(in: reader.mode), Identifier.isValid(wire.id) else { return nil }
        let time = wire.time
        let direction: MessageDirection = wire.direction == .inbound ? .toAgent : .toClient
        var message = Message(
            id: wire.id, threadID: wire.threadID, createdAt: time, direction: direction,
            author: reader.author(of: wire),
            text: nil, status: .delivered)
        let shown = Self.shown(wire.content)
        (message.type, message.text, message.content) = (shown.type, shown.text, shown.content)
        // A rich message's own postbacks are its buttons'.
        if shown.content == nil, direction == .toAgent { message.postback = wire.content.postback }
        if message.postback != nil, message.text?.isEmpty == true { message.text = nil }
        var previews: [Preview] = []
        message.attachments = wire.attachments.enumerated().map { index, file in
            func id(_ name: String) -> String {
                Identifier.attachment(name, of: wire.id, thread: wire.threadID, account: reader.account.number)
            }
            var attachment = Attachment(
                id: id("\(index)"), name: file.friendlyName, mimeType: file.mimeType, size: 0)
            // A picture may be its own preview.
            if let url = file.previewURL, !url.isEmpty, url != file.url {
                attachment.previewID = id("\(index) preview")
                previews.append(
                    Preview(
                        Attachment(
                            id: id("\(index) preview"), name: file.friendlyName, mimeType: Self.pictureType(of: url),
                            size: 0), url: url))
            }
            return attachment
        }
        if message.type == .text, !message.attachments.isEmpty {
            message.type = .file
            if message.text?.isEmpty == true { message.text = nil }
        }
        // Agents have seen it once it is read; customers tell `seenAt` alone.
        let seenAt = direction == .toAgent ? wire.agentStatistics.readAt : wire.customerStatistics.seenAt
        if let seenAt {
            message.status = .seen
            message.seenAt = seenAt
            message.updatedAt = max(time, seenAt)
        }
        self.init(message, fileURLs: wire.attachments.map(\.url), previews: previews)
    }

    /// The wire does not tell it. Browsers look at the bytes of a picture.
    private static func pictureType(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let types = [".png": "image/png", ".gif": "image/gif", ".webp": "image/webp"]
        return types.first { path.hasSuffix($0.key) }?.value ?? "image/jpeg"
    }

    private static func shown(_ content: MessageContent) -> (type: MessageType, text: String?, content: RichContent?) {
        switch content.body {
        case .text(let text), .postback(let text): return (.text, text, nil)
        case .quickReplies(let wire):
            return (
                .quickReplies, content.fallbackText ?? wire.title,
                .quickReplies(
                    ChatModel.QuickReplies(title: wire.title, buttons: wire.buttons.map(ChatModel.ReplyButton.init)))
            )
        case .listPicker(let wire):
            return (
                .listPicker, content.fallbackText ?? wire.title,
                .listPicker(
                    ChatModel.ListPicker(
                        title: wire.title, text: wire.text, buttons: wire.buttons.map(ChatModel.ReplyButton.init)))
            )
        case .richLink(let wire):
            let media = wire.media.url.isEmpty ? nil : wire.media
            return (
                .richLink, content.fallbackText ?? wire.title,
                .richLink(
                    ChatModel.RichLink(
                        title: wire.title, url: wire.url, fileName: media?.fileName.nonempty, fileURL: media?.url,
                        mimeType: media?.mimeType.nonempty))
            )
        case .timePicker(let wire):
            return (
                .timePicker, content.fallbackText ?? wire.title,
                .timePicker(
                    ChatModel.TimePicker(
                        title: wire.title, sheetTitle: wire.sheetTitle,
                        timeSlots: wire.slots.map { slot in
                            ChatModel.TimePicker.Slot(
                                id: slot.id, duration: slot.duration, startTime: slot.startTime)
                        }))
            )
        case .inactivityPopup(let popup): return (.unknown, popup.title, nil)
        case .unknown(let unknown): return (.unknown, unknown.displayText(fallbackText: content.fallbackText), nil)
        }
    }
}

/// For whom messages are read: it decides their authors and which are hidden.
struct MessageReader: Sendable {
    var account: AccountRecord
    /// The customer's id on the platform.
    var customerID: String
    var mode: ChatMode

    /// An agent if the message names one. Outbound messages without an agent are the system's. Inbound ones are
    /// the account's customer's, unless they name another id, as in group chats.
    func author(of wire: WireMessage) -> Author {
        if let agent = wire.authorAgent { return Author(Agent(agent)) }
        if wire.direction == .outbound { return Author(id: "system", kind: .system) }
        guard let customer = wire.authorCustomer, customer.id != customerID else { return Author(account.customer) }
        return Author(
            Customer(id: customer.id, firstName: customer.firstName?.cutToName, lastName: customer.lastName?.cutToName))
    }
}

extension WireMessage {
    /// Whether the message is neither shown nor counted: marked as hidden, a popup, a bare postback, or the first
    /// message of a live chat that only starts it.
    func isHidden(in mode: ChatMode) -> Bool {
        if content.parameters.isHidden { return true }
        switch content.body {
        case .inactivityPopup, .postback: return true
        // Other families of SDKs begin a live chat without the mark.
        case .text(let text): return mode == .liveChat && direction == .inbound && Self.openings.contains(text)
        default: return false
        }
    }

    private static let openings: Set<String> = [
        "Begin Conversation", "Begin conversation", "__Begin Live Chat Conversation",
    ]
}

extension WireCustomer {
    /// The customer's names and picture, as each request tells them.
    ///
    /// - Parameter id: the customer's on the platform.
    init(_ customer: Customer, id: String) {
        self.init(
            id: id, firstName: customer.firstName, lastName: customer.lastName, image: customer.imageURL)
    }

    /// `image`, if pages may show it.
    var picture: String? { image.flatMap { CustomerDraft.isImage($0) ? $0 : nil } }
}

extension Agent {
    init(_ wire: WireAgent) {
        let name = [wire.firstName, wire.lastName].filter { !$0.isEmpty }.joined(separator: " ")
        self.init(
            id: wire.id, name: (name.isEmpty ? wire.nickname : name)?.cutToName, isBot: wire.isBot || wire.isSurvey)
    }
}

extension ChatModel.ReplyButton {
    init(_ wire: CXoneWire.ReplyButton) {
        self.init(
            text: wire.text, description: wire.description, postback: wire.postback,
            iconName: wire.icon?.fileName.nonempty,
            iconURL: wire.icon?.url.nonempty, iconMimeType: wire.icon?.mimeType.nonempty)
    }
}

extension String {
    /// The wire has an empty text for what is not there.
    fileprivate var nonempty: String? { isEmpty ? nil : self }

    /// A platform's name of a person or a thread, cut to what names have here: 256 code points.
    var cutToName: String {
        utf8.count <= 256 ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(256)))
    }
}

extension ChatModel.InactivityPopup {
    init(_ wire: CXoneWire.InactivityPopup) {
        self.init(
            title: wire.title, message: [wire.text, wire.callToAction].filter { !$0.isEmpty }.joined(separator: " "),
            startedAt: wire.startedAt, numberOfSeconds: wire.numberOfSeconds,
            refreshButton: Button(id: wire.refresh.id, text: wire.refresh.text, postback: wire.refresh.postback),
            expireButton: Button(id: wire.expire.id, text: wire.expire.text, postback: wire.expire.postback))
    }
}

extension Identifier {
    /// The id of a file of the platform: the same each time, and good for a file's name whatever the platform's ids
    /// are.
    ///
    /// - Parameter name: of the file in the message: its place.
    static func attachment(_ name: String, of message: String, thread: String, account: Int64) -> String {
        let digest = SHA256.hash(data: Array("\(account)\n\(thread)\n\(message)\n\(name)".utf8))
        return "r" + Hexadecimal.encode(digest.prefix(16))
    }
}

extension Channel {
    /// A channel as the API shows it (the SDK's `ChannelConfiguration`). Live chat excludes the capabilities of
    /// many threads; only live chats can be offline.
    init(_ configuration: WireChannelConfiguration, id: String) {
        let mode: ChatMode =
            configuration.isLiveChat
            ? .liveChat : configuration.settings.hasMultipleThreadsPerEndUser ? .multithread : .singlethread
        var capabilities = CXoneService.capabilities
        if mode != .multithread { capabilities.subtract([.threads, .rename, .archive]) }
        if mode != .liveChat { capabilities.subtract([.liveChat, .offlineMessages]) }
        if !configuration.settings.isTypingPreviewed { capabilities.remove(.typingPreview) }
        if !configuration.settings.isTranscriptAllowed { capabilities.remove(.transcript) }
        self.init(
            id: id, name: configuration.name ?? id, mode: mode, capabilities: capabilities,
            fileRestrictions: FileRestrictions(configuration.settings.fileRestrictions))
        if let isOnline = configuration.availability?.isOnline { self.isOnline = isOnline || mode != .liveChat }
        if let form = configuration.survey, !form.fields.isEmpty {
            preChatSurvey = PreChatSurvey(name: form.name, fields: form.fields.map(CustomFieldDefinition.init))
        }
    }
}

extension MenuItem {
    /// Nil for an entry that a message could not carry, or that has no label.
    init?(_ item: PersistentMenu.Item) {
        guard !item.label.isEmpty, item.label.unicodeScalars.count <= Self.maximumLabelLength,
            (item.postback ?? "").unicodeScalars.count <= Self.maximumPostbackLength, Identifier.isValid(item.id)
        else { return nil }
        self.init(id: item.id, label: item.label, postback: item.postback.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension FileRestrictions {
    /// Malformed MIME types, which real configurations contain, are left out. The size, in MiB on the wire, is
    /// limited to what the gateway itself takes. Without restrictions attachments are off.
    init(_ wire: WireFileRestrictions?) {
        guard let wire else {
            self = FileRestrictions(isAttachmentsEnabled: false, maximumSize: 0, allowedTypes: [])
            return
        }
        let size = Int64(max(0, min(wire.allowedFileSize, 1 << 20))) << 20
        self.init(
            isAttachmentsEnabled: wire.isAttachmentsEnabled,
            maximumSize: min(size, FileRestrictions.embedded.maximumSize),
            allowedTypes: wire.allowedFileTypes.map(\.mimeType).filter { type in
                let parts = type.split(separator: "/", omittingEmptySubsequences: false)
                return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            })
    }
}

extension CustomFieldDefinition {
    init(_ field: SurveyField) {
        let (kind, options): (Kind, [SurveyOption]) =
            switch field.kind {
            case .text: (.text, [])
            case .email: (.email, [])
            case .list(let options): (.list, options)
            case .tree(let options): (.tree, options)
            }
        self.init(
            ident: field.ident, label: field.label, kind: kind, isRequired: field.isRequired,
            options: options.map { Option(id: $0.name, label: $0.label, parentID: $0.parentID) })
    }
}

extension ChatError {
    /// Maps the platform's `errorCode` to a code of the API. Unknown codes become `serverError`. The detail has
    /// the code only: the platform's own text may contain anything.
    init(_ error: OperationError) {
        let code: Code =
            switch error.code {
            case .customerAuthorizationFailed, .consumerAuthorizationFailed, .customerReconnectionFailed,
                .consumerReconnectionFailed:
                .customerAssociationFailure
            case .tokenRefreshingFailed: .tokenRefreshFailed
            case .recoveringThreadFailed, .recoveringLivechatFailed: .recoveringThreadFailed
            case .sendingTranscriptFailed: .sendTranscriptFailed
            case .inconsistentData: .invalidData
            case .sdkVersionNotSupported: .sdkVersionNotSupported
            default: .serverError
            }
        // The platform's own sentence may hold anything; its name for the failure is enough.
        let name = error.code.rawValue.filter { $0.isASCII && $0.isLetter }.prefix(64)
        self.init(code, "The platform refused: \(name.isEmpty ? "an unnamed error" : String(name)).")
    }
}

extension ErrorCode {
    /// Whether the sessions are told of the error even if a request waits for it (the SDK's `onError`,
    /// `onTokenRefreshFailed`).
    var concernsSession: Bool {
        [.customerAuthorizationFailed, .consumerAuthorizationFailed, .inconsistentData, .tokenRefreshingFailed]
            .contains(self)
    }
}
