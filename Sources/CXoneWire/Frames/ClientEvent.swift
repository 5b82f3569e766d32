/// What a client tells or asks, by the platform's own names.
///
/// Where the families of SDKs spell a name differently (`ReconnectCustomer` and `ReconnectConsumer`,
/// `SetContactCustomFields` and `SetConsumerContactCustomFields`), one case stands for both.
public enum ClientEvent: Sendable, Hashable {
    /// Answered by ``ServerAnswer/consumerAuthorized(_:)``. Not sent on secured sessions.
    case authorizeCustomer(AuthorizeCustomer)
    /// `ReconnectCustomer` of iOS, `ReconnectConsumer` of the others; the access token.
    case reconnectCustomer(accessToken: String)
    /// The access token that is to be replaced.
    case refreshToken(accessToken: String)
    case fetchThreadList
    case loadThreadMetadata(ThreadReference)
    /// Nil for "whatever thread there is".
    case recoverThread(ThreadReference?)
    /// Nil for "whatever thread there is".
    case recoverLivechat(ThreadReference?)
    case loadMoreMessages(LoadMoreMessages)
    case sendMessage(SendMessage)
    /// The welcome message, sent ahead of the first message of a thread.
    case sendOutbound(SendMessage)
    case senderTypingStarted(ThreadReference)
    case senderTypingEnded(ThreadReference)
    /// `MessageSeenByCustomer`, `MessageSeenByConsumer`: all up to the last message.
    case messageSeenByCustomer(ThreadReference)
    /// The thread's new name.
    case updateThread(ThreadReference)
    case archiveThread(ThreadReference)
    case endContact(ThreadReference, contactID: String?)
    case setContactCustomFields(SetContactCustomFields)
    case setCustomerCustomFields([CustomField])
    case sendTranscript(SendTranscript)
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
    /// `action` is `register` for it.
    var isRegistration: Bool {
        if case .authorizeCustomer = self { true } else { false }
    }

    /// Whether the iOS SDK names the customer `consumerIdentity`. For events that it does not have: whether the other
    /// SDKs do.
    var usesConsumerIdentity: Bool {
        switch self {
        case .reconnectCustomer, .refreshToken, .sendOutbound, .endContact, .sendTranscript, .storeVisitorEvents,
            .sendOfflineMessage, .sendMessagePreview, .generateAuthorizationToken, .createInvitationToGroupChat,
            .sendEmailInvitationToGroupChat, .joinGroupChat, .leaveGroupChat:
            true
        default: false
        }
    }

    /// `eventType`, as the iOS SDK spells it.
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
