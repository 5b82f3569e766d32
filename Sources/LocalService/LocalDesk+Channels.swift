import Chat
import ChatModel
import ChatStore
import Formats

/// The desk makes and changes the embedded service's channels.
extension LocalDesk {
    /// Makes a channel. Throws `channelExists` for an id that is taken, `invalidParameter` when there are
    /// ``ChannelLimits/maximumCount`` channels, and the errors of its settings.
    public func createChannel(_ draft: ChannelDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checked(draft.settings)
        let openings = live.openings
        let (channel, outcome, number) = try await store.write { transaction in
            let channel = try transaction.createChannel(draft)
            let outcome = Outcome(.created, id: channel.id, body: channel.canonicalJSON)
            try transaction.record(receipt, outcome)
            return (channel, outcome, openings.number())
        }
        await noted(channel, number)
        return outcome
    }

    /// Throws `invalidParameter` for hours in a time zone that there is not.
    private func checked(_ settings: ChannelSettings) async throws(ChatError) {
        guard let hours = settings.hours.flatMap(\.self) else { return }
        let openings = live.openings
        // The files of time zones are read where the database is.
        try await store.read { _ in try openings.check(hours) }
    }

    /// Tells what has become of the channel's hours. After the commit nothing may fail: where the database cannot be asked for
    /// a thread, this one reads the small file.
    private func noted(_ channel: Channel, _ number: Int) async {
        let openings = live.openings
        guard channel.hours != nil else { return openings.channelChanged(channel, number: number) }
        if (try? await store.read({ _ in openings.channelChanged(channel, number: number) })) == nil {
            openings.channelChanged(channel, number: number)
        }
    }

    /// Changes the settings that are given, and returns the whole channel. Threads that exist follow the new settings
    /// with their next action. Throws `unknownChannel`.
    public func update(channel id: String, _ settings: ChannelSettings) async throws(ChatError) -> Channel {
        try await checked(settings)
        return try await change(id) { channel in try settings.apply(to: &channel) }
    }

    private func change(
        _ id: String, _ work: @escaping @Sendable (inout Channel) throws -> Void
    ) async throws(ChatError) -> Channel {
        let (openings, act) = (live.openings, ChatStore.act)
        let (channel, number) = try await store.write { transaction in
            let before = try transaction.localChannel(id)
            var channel = before
            try work(&channel)
            act?.name(members: channel.changes(since: before))
            try transaction.save(channel, of: LocalService.serviceID)
            return (channel, openings.number())
        }
        await noted(channel, number)
        return channel
    }

    /// Takes note that agents have come or gone.
    public func staffChanged(_ hasStaff: @escaping @Sendable (_ channel: String) -> Bool) {
        live.openings.staffChanged(hasStaff)
    }

    /// Whether the channel is open now.
    public func opening(of channel: Channel) -> Opening? { live.openings.opening(of: channel) }

    /// Opens a live chat channel to new chats, or closes it to them. Chats that are open go on.
    ///
    /// Throws `unknownChannel`, and `unsupportedChannelConfig` for a channel of another mode.
    public func setOnline(_ isOnline: Bool, channel id: String) async throws(ChatError) -> Channel {
        try await change(id) { channel in
            guard channel.mode == .liveChat else {
                throw ChatError(.unsupportedChannelConfig, "The channel \(id) is not a live chat: it is always online.")
            }
            channel.isOnline = isOnline
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
