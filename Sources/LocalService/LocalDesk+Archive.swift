import Chat
import ChatModel
import ChatStore
import Formats

/// Exports conversations, and imports those of other systems.
extension LocalDesk {
    public func exportedThreads(
        within channels: Set<String>?, page: PageRequest
    ) async throws(ChatError) -> PageBytes {
        try await store.read { try $0.exportedPage(within: channels, page) }
    }

    public func importThread(
        _ thread: ImportedThread, on channel: String, addsTags: Bool, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let prepared = try ImportRules.prepared(thread, now: store.environment.now())
        // Behind the work of those who wait for an answer.
        let (tags, outcome) = try await store.write(inBackground: true) { transaction in
            transaction.actor = .system
            var thread = prepared
            guard let place = try transaction.channel(channel, of: LocalService.serviceID) else {
                throw ChatError(.unknownChannel, "The service local has no channel \(channel).", pointer: "/channel")
            }
            try transaction.check(&thread, on: place)
            let result = try transaction.importThread(
                thread, on: channel, of: LocalService.serviceID, addsTags: addsTags)
            let outcome = thread.outcome(result, on: channel)
            try transaction.record(receipt, outcome)
            if case .imported(let tags) = result { return (tags, outcome) }
            return ([DeskTag](), outcome)
        }
        for tag in tags { store.feed.publish(TagUpdatedEvent(id: tag.id, tag: tag), to: [.desk]) }
        return outcome
    }
}

extension ImportedThread {
    /// What is answered: which conversation it is, and whether it came just now.
    fileprivate func outcome(_ result: ImportResult, on channel: String) -> Outcome {
        var json = JSONWriter()
        json.beginObject()
        json.member("id", id)
        json.member("channel", channel)
        json.member("customer", members[0].id)
        json.member("result", result == .unchanged ? "unchanged" : "imported")
        json.endObject()
        return Outcome(result == .unchanged ? .ok : .created, id: id, body: json.bytes)
    }
}

extension WriteTransaction {
    /// Whether the channel can hold the conversation; and since when its customer waits. Throws
    /// `unsupportedChannelConfig`, `invalidParameter`.
    fileprivate func check(_ thread: inout ImportedThread, on channel: Channel) throws {
        try CustomFieldLimits.check(thread.customFields)
        if channel.mode != .multithread {
            if thread.members.count > 1 {
                throw ChatError(
                    .unsupportedChannelConfig, "Threads of the channel \(channel.id) cannot have several members.",
                    pointer: "/members")
            }
            if thread.name != nil {
                throw ChatError(
                    .unsupportedChannelConfig, "Threads of the channel \(channel.id) cannot have a name.",
                    pointer: "/name")
            }
        }
        guard !thread.isClosed else { return }
        let key = AccountKey(service: LocalService.serviceID, channel: channel.id, customer: thread.members[0].id)
        if channel.mode == .liveChat, thread.agent == nil || thread.contacts.last?.closedAt != nil {
            throw ChatError(
                .unsupportedChannelConfig,
                "A live chat that is open has an agent and an open contact: a queue is not imported.", pointer: "/state"
            )
        }
        if channel.mode != .multithread, let account = try self.account(key),
            try openThreads(of: account.number, limit: 2).contains(where: { !$0.thread.id.hasSameBytes(as: thread.id) })
        {
            throw ChatError(
                .unsupportedChannelConfig,
                "The channel \(channel.id) allows one open thread, and there is one already.",
                pointer: "/state")
        }
        thread.waitingSince = Self.waitingSince(thread)
    }

    /// As the desk counts it while messages come.
    private static func waitingSince(_ imported: ImportedThread) -> Timestamp? {
        guard let contact = imported.contacts.last, contact.closedAt == nil else { return nil }
        var thread = ChatThread(id: imported.id, createdAt: imported.createdAt, members: [])
        (thread.agent, thread.previousAgent) = (imported.agent, imported.previousAgent)
        for message in imported.messages where message.isInConversation && message.createdAt >= contact.openedAt {
            thread.noteWaiting(for: message)
        }
        return thread.waitingSince
    }
}
