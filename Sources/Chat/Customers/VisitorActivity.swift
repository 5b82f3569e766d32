import ChatModel
import ChatStore

/// What a customer does besides chatting, for the platform's analytics (the SDK's `AnalyticsProvider`).
public enum VisitorActivity: Sendable, Hashable {
    /// The customer opened a page (`viewPage`). It begins a visit or extends it, and ends the page that was open
    /// before.
    case pageViewed(Page)
    /// The customer left a page (`viewPageEnded`). Ignored unless it is the page that is open.
    case pageLeft(Page)
    case chatWindowOpened
    case conversion(type: String, value: Double)
    /// What the customer did with a proactive action, which the platform had shown.
    case proactiveAction(ProactiveOutcome, id: String, name: String, type: String)

    public struct Page: Sendable, Hashable {
        public var title: String
        public var url: String

        public init(title: String, url: String) {
            self.title = title
            self.url = url
        }
    }

    public enum ProactiveOutcome: String, Sendable, CaseIterable {
        case displayed, clicked, success, failed
    }
}

/// What the customer does besides chatting: the SDK's `AnalyticsProvider`.
extension ChatClient {
    /// Reports an activity to the platform. Needs no connection.
    ///
    /// Throws `illegalChatState` before the session is prepared, `unsupportedCapability`, `missingVisitId` before the
    /// first page view, `serverError` when the platform cannot be reached, `eventTimeout` after 10 s.
    public func record(_ activity: VisitorActivity) async throws(ChatError) {
        guard state.isAnalyticsAvailable else {
            throw ChatError(
                .illegalChatState, "The session is \(state.rawValue): the platform does not know the visitor yet.")
        }
        try ThreadRules.check(.analytics, on: channel)
        let account = account
        let record = try await store.read { try $0.account(account) }
        try await Deadline(clock: clock).run { [service] () throws(ChatError) in
            try await service.record(activity, of: record)
        }
    }
}
