import ChatModel
import ChatStore

/// What the customer does beside talking: the SDK's `AnalyticsProvider`, and `ConnectionProvider.executeTrigger`.
extension ChatClient {
    /// Tells the platform what the customer does, with a connection or without one.
    ///
    /// Throws `illegalChatState` before the session is prepared, `unsupportedCapability`, `missingVisitId` before the first
    /// page view, `serverError` when the platform cannot be reached, `eventTimeout`.
    public func record(_ activity: VisitorActivity) async throws(ChatError) {
        guard state.isAnalyticsAvailable else {
            throw ChatError(.illegalChatState, "The session is \(state.rawValue): nobody knows the visitor yet.")
        }
        try ThreadRules.check(.analytics, on: channel)
        let account = account
        let record = try await store.read { try $0.account(account) }
        try await Deadline(clock: clock).run { [service] () throws(ChatError) in try await service.record(activity, of: record) }
    }

    /// Has the platform run one of its triggers. Throws `notConnected`, `unsupportedCapability`.
    public func executeTrigger(_ id: String) async throws(ChatError) {
        try ThreadRules.check(.triggers, on: channel)
        try await connection.perform { (connection) throws(ChatError) in try await connection.executeTrigger(id) }
    }
}
