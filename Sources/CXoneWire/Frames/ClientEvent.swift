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
