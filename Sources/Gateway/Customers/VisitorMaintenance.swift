import Chat
import ChatModel
import ChatStore

/// What is done from time to time for customers who have come by themselves.
extension GatewayApplication {
    /// Milliseconds without use after which a visitor's session goes from memory.
    private static let rest: Int64 = 3_600_000

    /// Removes conversations that channels keep no longer, and then the anonymous customers who have nothing left here.
    /// Call it about once an hour.
    ///
    /// - Throws: when the database fails; the next call goes on.
    public func keepRetention() async throws(ChatError) {
        let (store, now) = (core.store, core.environment.now())
        for channel in try await store.read({ try $0.channels(of: VisitorRoutes.service) }) {
            guard let days = channel.visitors?.retentionDays, days > 0 else { continue }
            try await store.removeThreads(
                ofService: VisitorRoutes.service, channel: channel.id,
                closedBefore: now.advanced(byMilliseconds: -Int64(days) * 86_400_000))
        }
        try await store.removeForsakenAccounts(ofService: VisitorRoutes.service, prefix: Visitors.prefix)
    }

    /// Lets go of customers' sessions in memory that nobody uses.
    func restSessions() async throws(ChatError) {
        try await core.sessions.rest(unusedSince: core.environment.now().advanced(byMilliseconds: -Self.rest))
    }
}
