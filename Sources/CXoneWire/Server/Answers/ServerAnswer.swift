/// An answer that has a type, by the platform's own names: the `postback` of a frame.
///
/// Written as all families of SDKs can read it: no `data` beside `postback` (web clients
/// would take it for the answer), `contactHistory` wherever web clients look for it.
public enum ServerAnswer: Sendable, Hashable {
    case consumerAuthorized(ConsumerAuthorized)
    /// Old servers call it `CustomerReconnected`.
    case consumerReconnected
    case tokenRefreshed(AccessToken)
    case threadListFetched([WireThread])
    case threadMetadataLoaded(ThreadMetadata)
    case threadRecovered(RecoveredThread)
    /// Nil when there is nothing to recover. Web clients need an error frame instead.
    case livechatRecovered(RecoveredThread?)
    case moreMessagesLoaded(MessagePage)
    case threadArchived
    case threadUpdated
    case transcriptSent
    case offlineMessageSent

    // What only web clients ask for.
    case authorizationTokenGenerated(token: String)
    case invitationToGroupChatCreated(code: String)
    case emailInvitationToGroupChatSent
    case groupChatJoined

    /// Another type: it counts as an acknowledgement.
    case unknown(type: String)
}

extension ServerAnswer {
    /// `eventType`
    public var type: String {
        switch self {
        case .consumerAuthorized: "ConsumerAuthorized"
        case .consumerReconnected: "ConsumerReconnected"
        case .tokenRefreshed: "TokenRefreshed"
        case .threadListFetched: "ThreadListFetched"
        case .threadMetadataLoaded: "ThreadMetadataLoaded"
        case .threadRecovered: "ThreadRecovered"
        case .livechatRecovered: "LivechatRecovered"
        case .moreMessagesLoaded: "MoreMessagesLoaded"
        case .threadArchived: "ThreadArchived"
        case .threadUpdated: "ThreadUpdated"
        case .transcriptSent: "TranscriptSent"
        case .offlineMessageSent: "OfflineMessageSent"
        case .authorizationTokenGenerated: "AuthorizationTokenGenerated"
        case .invitationToGroupChatCreated: "InvitationToGroupChatCreated"
        case .emailInvitationToGroupChatSent: "EmailInvitationToGroupChatSent"
        case .groupChatJoined: "GroupChatJoined"
        case .unknown(let type): type
        }
    }
}
