import ChatModel
import ChatStore

/// The cache of a remote service, as a session sees it (SyncManager's `resumeSynchronize`, `pauseSynchronize`,
/// `clearCache`).
extension ChatClient {
    /// Tells where the store's messages may be incomplete.
    public var messageHistory: any MessageHistory { history ?? CompleteHistory() }

    /// Tells whether the service may have more of the account's threads than the store.
    public var threadHistory: any ThreadHistory { history ?? CompleteHistory() }

    private var history: (any MessageHistory & ThreadHistory)? {
        cache.map { ChunkedHistory(store: store, account: $0) }
    }

    /// Stops the background's work over this session's connection, or lets it go on. Live events of the connection are
    /// written in both cases.
    ///
    /// Does nothing on the embedded service, where nothing is synchronized.
    public func setSynchronization(isPaused: Bool) { cache?.setPaused(isPaused, session: id) }

    /// Empties the account's views, and on a remote service also removes the cached rows behind them. Unsent messages
    /// stay. Then the synchronization begins anew. On the embedded service the rows are no cache, and stay.
    ///
    /// Throws `storageFailed`. The synchronization begins anew also then.
    public func clearCache() async throws(ChatError) {
        let result: Result<Void, ChatError>
        do throws(ChatError) { result = .success(try await cache?.clear() ?? ()) } catch { result = .failure(error) }
        // Also when only a part was cleared: the synchronization was stopped, and must begin again.
        remote.notices.post(.cleared(account: account))
        cache?.beginAnew()
        try result.get()
    }
}
