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

/// What a customer leaves on a live chat channel where nobody is there (CXone's offline message). It belongs to no thread;
/// the platform answers by e-mail.
public struct OfflineMessage: Sendable, Hashable {
    public var name: String
    public var email: String
    public var text: String

    public init(name: String, email: String, text: String) {
        self.name = name
        self.email = email
        self.text = text
    }

    /// Throws `textTooLong`, and `invalidParameter` for a name that is too long or an address that is none.
    public func check() throws(ChatError) {
        guard name.unicodeScalars.count <= CustomerDraft.maximumNameLength else {
            throw ChatError(
                .invalidParameter, "A name has at most \(CustomerDraft.maximumNameLength) characters.", pointer: "/name"
            )
        }
        try ThreadRules.checkTranscript(to: email)
        try MessageDraft(text: text).check()
    }
}

extension ChatClient {
    /// Leaves a message for agents who are away. It needs no connection, because the channel is offline then; the service
    /// makes one of its own.
    ///
    /// Throws `illegalChatState` before the session is prepared, `unsupportedCapability`, `invalidParameter`,
    /// `serverError` when the platform refuses it or cannot be reached, `eventTimeout` after 10 s. After that error the
    /// platform may have the message.
    public func leave(_ message: OfflineMessage) async throws(ChatError) {
        guard state.isAnalyticsAvailable else {
            throw ChatError(.illegalChatState, "The session is \(state.rawValue): its channel is not known yet.")
        }
        try ThreadRules.check(.offlineMessages, on: channel)
        try message.check()
        let (account, channel) = (account, channel)
        let record = try await store.read { try $0.account(account) }
        try await Deadline(clock: clock).run { [service] () throws(ChatError) in
            try await service.leave(message, of: record, channel: channel)
        }
    }

    /// The menu of the session's channel, from which the customer may choose at any time.
    ///
    /// Throws `unsupportedCapability`, `serverError` and `eventTimeout` when the platform does not tell it.
    public func menu() async throws(ChatError) -> [MenuItem] {
        try ThreadRules.check(.menu, on: channel)
        let channel = channel.id
        return try await Deadline(clock: clock).run { [service] () throws(ChatError) in
            try await service.menu(of: channel)
        }
    }
}
