import Chat
import ChatModel
import ChatStore
import Formats

/// The embedded service's channels.
extension LocalDesk {
    public func createChannel(_ draft: ChannelDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await store.write { transaction in
            if try transaction.channel(draft.id, of: LocalService.serviceID) != nil {
                throw ChatError(.channelExists, "There is a channel \(draft.id) already.", pointer: "/id")
            }
            guard try transaction.channels(of: LocalService.serviceID).count < ChannelLimits.maximumCount else {
                throw ChatError(
                    .invalidParameter, "The service local has \(ChannelLimits.maximumCount) channels, which is the most.", pointer: "/id")
            }
            let channel = try LocalService.channel(draft)
            try transaction.save(channel, of: LocalService.serviceID)
            let outcome = Outcome(.created, id: channel.id, body: channel.canonicalJSON)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    public func update(channel id: String, _ settings: ChannelSettings) async throws(ChatError) -> Channel {
        try await store.write { transaction in
            var channel = try transaction.localChannel(id)
            try settings.apply(to: &channel)
            try transaction.save(channel, of: LocalService.serviceID)
            return channel
        }
    }

    public func setOnline(_ isOnline: Bool, channel id: String) async throws(ChatError) -> Channel {
        try await store.write { transaction in
            var channel = try transaction.localChannel(id)
            guard channel.mode == .liveChat else {
                throw ChatError(.unsupportedChannelConfig, "The channel \(id) is no live chat: it is always online.")
            }
            channel.isOnline = isOnline
            try transaction.save(channel, of: LocalService.serviceID)
            return channel
        }
    }
}

extension ReadTransaction {
    /// Throws `unknownChannel`.
    func localChannel(_ id: String) throws -> Channel {
        guard let channel = try channel(id, of: LocalService.serviceID) else {
            throw ChatError(.unknownChannel, "The service local has no channel \(id).")
        }
        return channel
    }
}
