import Chat
import ChatModel
import ChatStore
import Formats

/// The desk makes and changes the embedded service's channels.
extension LocalDesk {
    /// Makes a channel. Throws `channelExists` for an id that is taken, `invalidParameter` when there are
    /// ``ChannelLimits/maximumCount`` channels, and the errors of its settings.
    public func createChannel(_ draft: ChannelDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await store.write { transaction in
            let channel = try transaction.createChannel(draft)
            let outcome = Outcome(.created, id: channel.id, body: channel.canonicalJSON)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    /// Changes the settings that are given, and returns the whole channel. Threads that exist follow the new settings
    /// with their next action. Throws `unknownChannel`.
    public func update(channel id: String, _ settings: ChannelSettings) async throws(ChatError) -> Channel {
        try await store.write { transaction in
            var channel = try transaction.localChannel(id)
            try settings.apply(to: &channel)
            try transaction.save(channel, of: LocalService.serviceID)
            return channel
        }
    }

    /// Opens a live chat channel to new chats, or closes it to them. Chats that are open go on.
    ///
    /// Throws `unknownChannel`, and `unsupportedChannelConfig` for a channel of another mode.
    public func setOnline(_ isOnline: Bool, channel id: String) async throws(ChatError) -> Channel {
        try await store.write { transaction in
            var channel = try transaction.localChannel(id)
            guard channel.mode == .liveChat else {
                throw ChatError(.unsupportedChannelConfig, "The channel \(id) is not a live chat: it is always online.")
            }
            channel.isOnline = isOnline
            try transaction.save(channel, of: LocalService.serviceID)
            return channel
        }
    }
}

extension ReadTransaction {
    /// The channel of the embedded service with this id. Throws `unknownChannel`.
    func localChannel(_ id: String) throws -> Channel {
        guard let channel = try channel(id, of: LocalService.serviceID) else {
            throw ChatError.unknownChannel(id)
        }
        return channel
    }
}

extension WriteTransaction {
    /// The work of ``LocalDesk/createChannel(_:receipt:)`` inside a unit.
    func createChannel(_ draft: ChannelDraft) throws -> Channel {
        if try self.channel(draft.id, of: LocalService.serviceID) != nil {
            throw ChatError(.channelExists, "There is a channel \(draft.id) already.", pointer: "/id")
        }
        guard try channels(of: LocalService.serviceID).count < ChannelLimits.maximumCount else {
            throw ChatError(
                .invalidParameter,
                "The service local has \(ChannelLimits.maximumCount) channels, and there may not be more.",
                pointer: "/id")
        }
        let channel = try LocalService.channel(draft)
        try save(channel, of: LocalService.serviceID)
        return channel
    }
}
