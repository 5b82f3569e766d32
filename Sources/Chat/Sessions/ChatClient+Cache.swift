import ChatModel
import ChatStore

/// The cache of a remote service, as a session sees it (SyncManager's `resumeSynchronize`, `pauseSynchronize`, `clearCache`).
extension ChatClient {
    /// How complete the store's messages are.
    public var messageHistory: any MessageHistory { history ?? CompleteHistory() }

    /// Whether more of the account's threads may come.
    public var threadHistory: any ThreadHistory { history ?? CompleteHistory() }

    private var history: (any MessageHistory & ThreadHistory)? {
        cache.map { ChunkedHistory(store: store, account: $0) }
    }

    /// Stops the background's work, or lets it go on. What the connection tells is written all the same.
    ///
    /// Nothing happens on the embedded service: nothing is synchronized.
    public func setSynchronization(isPaused: Bool) { cache?.setPaused(isPaused, session: id) }

    /// Empties the account's views; on a remote service also the cached rows behind them. Unsent messages stay.
    ///
    /// The synchronization begins anew. On the embedded service the rows are the truth and stay.
    public func clearCache() async throws(ChatError) {
        let result: Result<Void, ChatError>
        do throws(ChatError) { result = .success(try await cache?.clear() ?? ()) } catch { result = .failure(error) }
        // Also when only a part was cleared: the synchronization was stopped, and goes on.
        remote.notices.post(.cleared(account: account))
        cache?.beginAnew()
        try result.get()
    }
}
