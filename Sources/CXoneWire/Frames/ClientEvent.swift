/// What a client tells or asks: `payload.eventType` with its `data`, by the platform's own names.
///
/// The families of SDKs spell some names differently (`ReconnectCustomer` and `ReconnectConsumer`,
/// `SetContactCustomFields` and `SetConsumerContactCustomFields`). One case stands for both.
public enum ClientEvent: Sendable, Hashable {
    /// The first request of a session that is not secured; answered by ``ServerAnswer/consumerAuthorized(_:)``.
    case authorizeCustomer(AuthorizeCustomer)
    /// Authorizes by a stored access token (`ReconnectConsumer` of Android and web). Answered by
    /// ``ServerAnswer/consumerReconnected``.
    case reconnectCustomer(accessToken: String)
    /// Exchanges the access token; answered by ``ServerAnswer/tokenRefreshed(_:)``.
    case refreshToken(accessToken: String)
    /// All threads of the customer, without messages: ``ServerAnswer/threadListFetched(_:)``.
    case fetchThreadList
    /// The thread's agent and last message: ``ServerAnswer/threadMetadataLoaded(_:)``.
    case loadThreadMetadata(ThreadReference)
    /// A thread with its newest messages: ``ServerAnswer/threadRecovered(_:)``. Nil asks for whatever thread
    /// there is.
    case recoverThread(ThreadReference?)
    /// A live chat with its newest messages: ``ServerAnswer/livechatRecovered(_:)``. Nil asks for whatever chat
    /// there is.
    case recoverLivechat(ThreadReference?)
    /// The page of older messages that a scroll token leads to: ``ServerAnswer/moreMessagesLoaded(_:)``.
    case loadMoreMessages(LoadMoreMessages)
    /// Acknowledged; the message itself comes back as a `MessageCreated` push.
    case sendMessage(SendMessage)
    /// The welcome message, sent ahead of the first message of a thread.
    case sendOutbound(SendMessage)
    /// The customer types. Acknowledged, and told to agents.
    case senderTypingStarted(ThreadReference)
    case senderTypingEnded(ThreadReference)
    /// `MessageSeenByCustomer`, `MessageSeenByConsumer`: all up to the last message.
    case messageSeenByCustomer(ThreadReference)
    /// The thread's new name.
    case updateThread(ThreadReference)
    /// Ends a thread for the customer: ``ServerAnswer/threadArchived``.
    case archiveThread(ThreadReference)
    /// Ends a live chat. Acknowledged; the end itself is told by `CaseStatusChanged`.
    case endContact(ThreadReference, contactID: String?)
    /// Sets custom fields of the thread's contact.
    case setContactCustomFields(SetContactCustomFields)
    /// Sets custom fields of the customer.
    case setCustomerCustomFields([CustomField])
    /// Has the transcript mailed: ``ServerAnswer/transcriptSent``.
    case sendTranscript(SendTranscript)
    /// Runs an event handler that is configured on the platform. What it does comes as pushes.
    case executeTrigger(id: String)
    /// Of old Android clients; today the analytics' HTTP.
    case storeVisitorEvents([AnalyticsEvent])

    // What only web clients send.
    case sendOfflineMessage(SendOfflineMessage)
    /// What the customer has typed so far.
    case sendMessagePreview(ThreadReference, MessageContent)
    /// Asks for a token to fetch `url` with.
    case generateAuthorizationToken(ThreadReference, url: String)
    case createInvitationToGroupChat(contactID: String)
    case sendEmailInvitationToGroupChat(contactID: String, code: String, recipients: [String])
    case joinGroupChat(code: String)
    case leaveGroupChat(contactID: String)

    /// An event of another type; it is acknowledged and otherwise ignored.
    case unknown(type: String)
}

extension ClientEvent {
    /// Whether the frame's `action` is `register`; it is `chatWindowEvent` for all other events.
    var isRegistration: Bool {
        if case .authorizeCustomer = self { true } else { false }
    }

    /// Whether the iOS SDK writes the customer as `consumerIdentity`, and not as `customerIdentity`. For events
    /// that iOS does not have, the other SDKs decide.
    var usesConsumerIdentity: Bool {
        switch self {
        case .reconnectCustomer, .refreshToken, .sendOutbound, .endContact, .sendTranscript, .storeVisitorEvents,
            .sendOfflineMessage, .sendMessagePreview, .generateAuthorizationToken, .createInvitationToGroupChat,
            .sendEmailInvitationToGroupChat, .joinGroupChat, .leaveGroupChat:
            true
        default: false
        }
    }

    /// `eventType`, as the iOS SDK spells it; for ``unknown(type:)`` as it was received.
    public var type: String {
        switch self {
        case .authorizeCustomer: "AuthorizeCustomer"
        case .reconnectCustomer: "ReconnectCustomer"
        case .refreshToken: "RefreshToken"
        case .fetchThreadList: "FetchThreadList"
        case .loadThreadMetadata: "LoadThreadMetadata"
        case .recoverThread: "RecoverThread"
        case .recoverLivechat: "RecoverLivechat"
        case .loadMoreMessages: "LoadMoreMessages"
        case .sendMessage: "SendMessage"
        case .sendOutbound: "SendOutbound"
        case .senderTypingStarted: "SenderTypingStarted"
        case .senderTypingEnded: "SenderTypingEnded"
        case .messageSeenByCustomer: "MessageSeenByCustomer"
        case .updateThread: "UpdateThread"
        case .archiveThread: "ArchiveThread"
        case .endContact: "EndContact"
        case .setContactCustomFields: "SetContactCustomFields"
        case .setCustomerCustomFields: "SetCustomerCustomFields"
        case .sendTranscript: "SendTranscript"
        case .executeTrigger: "ExecuteTrigger"
        case .storeVisitorEvents: "StoreVisitorEvents"
        case .sendOfflineMessage: "SendOfflineMessage"
        case .sendMessagePreview: "SendMessagePreview"
        case .generateAuthorizationToken: "GenerateAuthorizationToken"
        case .createInvitationToGroupChat: "CreateInvitationToGroupChat"
        case .sendEmailInvitationToGroupChat: "SendEmailInvitationToGroupChat"
        case .joinGroupChat: "JoinGroupChat"
        case .leaveGroupChat: "LeaveGroupChat"
        case .unknown(let type): type
        }
    }
}

extension ClientEvent {
    /// Reads `payload.data` by the event's type, in the vocabulary of any family of SDKs. An absent `data` counts
    /// as empty: iOS omits it, the others send `{}`. An unknown type becomes ``unknown(type:)``; a known one with
    /// bad data throws.
    init(type: String, in payload: WireValue) throws(WireError) {
        do throws(WireError) {
            self = try ClientEvent(type: type, data: payload["data"] ?? .emptyObject)
        } catch {
            throw error.within("data")
        }
    }

    /// Reads the events that the mobile SDKs send. All spellings of an event's name are read; the SDKs differ in them.
    /// `AuthorizeConsumer` is read too: the web SDK declares it, although no SDK sends it.
    private init(type: String, data: WireValue) throws(WireError) {
        switch type {
        case "AuthorizeCustomer", "AuthorizeConsumer": self = .authorizeCustomer(try AuthorizeCustomer(data))
        case "ReconnectCustomer", "ReconnectConsumer": self = .reconnectCustomer(accessToken: try data.accessToken())
        case "RefreshToken": self = .refreshToken(accessToken: try data.accessToken())
        case "FetchThreadList": self = .fetchThreadList
        case "LoadThreadMetadata": self = .loadThreadMetadata(try data.required("thread"))
        case "RecoverThread": self = .recoverThread(try data.threadIfAny())
        case "RecoverLivechat": self = .recoverLivechat(try data.threadIfAny())
        case "LoadMoreMessages": self = .loadMoreMessages(try LoadMoreMessages(data))
        case "SendMessage": self = .sendMessage(try SendMessage(data))
        case "SendOutbound": self = .sendOutbound(try SendMessage(data))
        case "SenderTypingStarted": self = .senderTypingStarted(try data.required("thread"))
        case "SenderTypingEnded": self = .senderTypingEnded(try data.required("thread"))
        case "MessageSeenByCustomer", "MessageSeenByConsumer":
            self = .messageSeenByCustomer(try data.required("thread"))
        case "UpdateThread": self = .updateThread(try data.required("thread"))
        case "ArchiveThread": self = .archiveThread(try data.required("thread"))
        case "EndContact": self = .endContact(try data.required("thread"), contactID: try data.contactIDIfPresent())
        case "SetContactCustomFields", "SetConsumerContactCustomFields":
            self = .setContactCustomFields(try SetContactCustomFields(data))
        case "SetCustomerCustomFields", "SetConsumerCustomFields":
            self = .setCustomerCustomFields(try data.list("customFields"))
        case "SendTranscript": self = .sendTranscript(try SendTranscript(data))
        case "ExecuteTrigger":
            self = .executeTrigger(id: try data.inside("trigger") { value throws(WireError) in try value.id("id") })
        case "StoreVisitorEvents": self = .storeVisitorEvents(try data.list("visitorEvents"))
        default: self = try ClientEvent(webType: type, data: data)
        }
    }

    /// The events that only web clients send. Any other type becomes ``unknown(type:)`` and not an error, because a
    /// server acknowledges what it does not know.
    private init(webType type: String, data: WireValue) throws(WireError) {
        switch type {
        case "SendOfflineMessage": self = .sendOfflineMessage(try SendOfflineMessage(data))
        case "SendMessagePreview":
            self = .sendMessagePreview(try data.required("thread"), try data.required("messageContent"))
        case "GenerateAuthorizationToken":
            self = .generateAuthorizationToken(try data.required("thread"), url: try data.required("url"))
        case "CreateInvitationToGroupChat": self = .createInvitationToGroupChat(contactID: try data.contactID())
        case "SendEmailInvitationToGroupChat":
            self = .sendEmailInvitationToGroupChat(
                contactID: try data.contactID(), code: try data.invitationCode(),
                recipients: try data.recipients("recipients"))
        case "JoinGroupChat": self = .joinGroupChat(code: try data.invitationCode())
        case "LeaveGroupChat": self = .leaveGroupChat(contactID: try data.contactID())
        default: self = .unknown(type: type)
        }
    }

    /// Writes the member `data` as the iOS SDK does. Events without data write none.
    func writeData(to writer: inout WireWriter) {
        switch self {
        case .authorizeCustomer(let data): writer.member("data", data)
        case .reconnectCustomer(let token), .refreshToken(let token):
            writer.object("data") { $0.member("accessToken", AccessToken(token: token)) }
        case .fetchThreadList, .recoverThread(nil), .recoverLivechat(nil), .unknown: break
        case .recoverThread(let thread?), .recoverLivechat(let thread?), .loadThreadMetadata(let thread),
            .senderTypingStarted(let thread), .senderTypingEnded(let thread), .messageSeenByCustomer(let thread),
            .updateThread(let thread), .archiveThread(let thread):
            writer.object("data") { $0.member("thread", thread) }
        case .loadMoreMessages(let data): writer.member("data", data)
        case .sendMessage(let message): writer.object("data") { message.write(to: &$0, isOutbound: false) }
        case .sendOutbound(let message): writer.object("data") { message.write(to: &$0, isOutbound: true) }
        case .endContact(let thread, let contactID):
            writer.object("data") { writer in
                writer.member("thread", thread)
                if let contactID { writer.nested("contact", id: contactID) }
            }
        case .setContactCustomFields(let data): writer.member("data", data)
        case .setCustomerCustomFields(let fields): writer.member("data", customFields: fields)
        case .sendTranscript(let data): writer.member("data", data)
        case .executeTrigger(let id): writer.object("data") { $0.nested("trigger", id: id) }
        case .storeVisitorEvents(let events): writer.object("data") { $0.member("visitorEvents", events) }
        case .sendOfflineMessage(let data): writer.member("data", data)
        case .sendMessagePreview(let thread, let content):
            writer.object("data") { writer in
                writer.member("thread", thread)
                writer.member("messageContent", content)
            }
        case .generateAuthorizationToken(let thread, let url):
            writer.object("data") { writer in
                writer.member("thread", thread)
                writer.member("url", url)
            }
        case .createInvitationToGroupChat(let contactID), .leaveGroupChat(let contactID):
            writer.object("data") { $0.nested("contact", id: contactID) }
        case .sendEmailInvitationToGroupChat(let contactID, let code, let recipients):
            writer.object("data") { writer in
                writer.nested("contact", id: contactID)
                writer.object("invitation") { $0.member("code", code) }
                writer.member("recipients", recipients: recipients)
            }
        case .joinGroupChat(let code):
            writer.object("data") { $0.object("invitation") { $0.member("code", code) } }
        }
    }
}

extension WireValue {
    /// The text in `{"accessToken": {"token": ...}}`.
    fileprivate func accessToken() throws(WireError) -> String {
        let token: AccessToken = try required("accessToken")
        return token.token
    }

    /// The thread; nil as well for one without an id, such as Android's `{"client_type": "no_thread_id"}`.
    fileprivate func threadIfAny() throws(WireError) -> ThreadReference? {
        guard self["thread"]?["idOnExternalPlatform"] != nil else { return nil }
        return try required("thread")
    }

    /// The contact's id: from `contact`, `consumerContact` or `case`, in this order.
    func contactIDIfPresent() throws(WireError) -> String? {
        if let id = try nestedID("contact", or: "consumerContact") { return id }
        return try nestedID("case")
    }

    /// The contact's id where the event cannot do without it. Throws a ``WireError`` that names `contact`.
    func contactID() throws(WireError) -> String {
        guard let id = try contactIDIfPresent() else { throw missing("contact") }
        return id
    }

    /// The `code` in `invitation`, by which a group chat is joined.
    fileprivate func invitationCode() throws(WireError) -> String {
        try inside("invitation") { value throws(WireError) in try value.id("code") }
    }

    /// The addresses in `[{"idOnExternalPlatform"}]`; an absent member counts as empty.
    func recipients(_ name: StaticString, or alias: StaticString? = nil) throws(WireError) -> [String] {
        let recipients: [WireCustomer] = try list(name, or: alias)
        return recipients.map(\.id)
    }
}

extension WireWriter {
    /// Writes e-mail addresses as identities: `[{"idOnExternalPlatform": "bob@example.com"}]`.
    mutating func member(_ name: StaticString, recipients: [String]) {
        member(name, recipients.map { WireCustomer(id: $0) })
    }
}
