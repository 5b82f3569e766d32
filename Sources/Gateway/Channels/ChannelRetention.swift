import Chat
import ChatModel
import ChatStore
import Formats

/// How long the embedded service keeps conversations (`visitors.retentionDays` of a channel, `--message-days`).
extension GatewayApplication {
    /// Removes conversations and messages that are kept no longer, and then the anonymous customers who have nothing
    /// left here. Call it about once an hour.
    ///
    /// - Throws: when the database fails; the next call goes on.
    public func applyRetention() async throws(ChatError) {
        let (store, service, today) = (core.store, VisitorRoutes.service, core.environment.now())
        let messageDays = core.rules.messageDays
        for channel in try await store.read({ try $0.channels(of: service) }) {
            let days = [channel.visitors?.retentionDays ?? 0, messageDays].filter { $0 > 0 }.min()
            guard let days else { continue }
            try await store.removeThreads(
                ofService: service, channel: channel.id, closedBefore: today.daysBefore(days))
        }
        if messageDays > 0 {
            // By whole days: an open thread in use changes by it once a day, and not in each hour.
            try await store.removeMessages(ofService: service, before: today.daysBefore(messageDays).startOfDay)
        }
        try await store.removeForsakenAccounts(ofService: service, prefix: Visitors.prefix)
    }
}

extension Timestamp {
    private static let day: Int64 = 86_400_000

    fileprivate func daysBefore(_ count: Int) -> Timestamp { advanced(byMilliseconds: -Int64(count) * Self.day) }

    /// Midnight of its day in UTC.
    fileprivate var startOfDay: Timestamp { Timestamp(milliseconds: milliseconds - milliseconds % Self.day) }
}
