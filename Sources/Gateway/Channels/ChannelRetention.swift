import Chat
import ChatModel
import ChatStore
import Formats

/// How long channels keep conversations (`visitors.retentionDays`).
extension GatewayApplication {
    /// Removes conversations that channels keep no longer, and then the anonymous customers who have nothing left here.
    /// Call it about once an hour.
    ///
    /// - Throws: when the database fails; the next call goes on.
    public func applyRetention() async throws(ChatError) {
        let (store, now) = (core.store, core.environment.now())
        for channel in try await store.read({ try $0.channels(of: VisitorRoutes.service) }) {
            guard let days = channel.visitors?.retentionDays, days > 0 else { continue }
            try await store.removeThreads(
                ofService: VisitorRoutes.service, channel: channel.id,
                closedBefore: now.advanced(byMilliseconds: -Int64(days) * 86_400_000))
        }
        try await store.removeForsakenAccounts(ofService: VisitorRoutes.service, prefix: Visitors.prefix)
    }
}
