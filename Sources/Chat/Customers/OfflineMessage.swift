import ChatModel
import ChatStore

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
