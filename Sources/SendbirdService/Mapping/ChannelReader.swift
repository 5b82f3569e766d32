import Chat
import ChatModel
import ChatStore
import Formats
import SendbirdWire

extension SendbirdChannel {
    /// Whether it can be a thread of a channel of Parley: of its type, and with a URL that may be an id.
    func isThread(of entry: SendbirdConfiguration.Entry) -> Bool {
        customType == entry.customType && !isSuper && Identifier.isValid(url)
    }

    /// Whether it can be a thread of an account, which may have one alone.
    func isThread(of account: ConnectedUser) -> Bool {
        guard isThread(of: account.entry) else { return false }
        guard let single = account.singleThread else { return true }
        // Everybody can compute its URL. What another user has made of it must be for the customer and agents only, and
        // nobody may enter by themselves.
        return url == single
            && (createdBy == nil || isOfAgents(of: account, orNone: false) && !isPublic && !isDiscoverable)
    }

    /// Whether every member is either the customer or one of the configured agents.
    ///
    /// - Parameter orNone: whether, where no agents are configured, everybody else is one.
    func isOfAgents(of account: ConnectedUser, orNone: Bool) -> Bool {
        guard let members, members.count >= memberCount else { return false }
        let agents = Set(account.entry.agents)
        return orNone && agents.isEmpty || members.allSatisfy { $0.id == account.user || agents.contains($0.id) }
    }

    /// The thread as the store takes it.
    ///
    /// - Parameters:
    ///   - known: the thread as it is there; what the platform does not tell stays as it is.
    ///   - stale: what of this is not true any more, and stays as it is, too.
    func thread(
        for reader: MessageReader, knowing known: ChatThread?, except stale: Set<DeedMarks.Part> = []
    ) -> RemoteThread {
        var thread = known ?? ChatThread(id: url, createdAt: createdAt.time, members: [reader.account.customer])
        if !stale.contains(.name) { thread.name = name.isEmpty ? nil : name.cut(toScalars: 256).text }
        thread.customType = customType.isEmpty ? nil : customType.cut(toScalars: SendbirdBound.customType).text
        if !stale.contains(.standing) {
            thread.state = isFrozen || personal?.hiddenState == .preventAutoUnhide ? .closed : .ready
        }
        // What is here alone is told to the platform.
        if let metadata, known?.state != .pending, !stale.contains(.fields) { thread.customFields = metadata.asFields }
        let others = others(for: reader)
        if let others { thread.members = thread.members.prefix(1) + others }
        var own = reader
        own.line = personal?.messageOffset.time
        let last = lastMessage.flatMap { own.read($0, in: url) }
        // The platform tells no time of the last change: it is the latest that is known of.
        thread.updatedAt = max(thread.updatedAt, createdAt.time, last?.message.createdAt ?? .earliest)
        // An own message that the store has under another id is as new here as there.
        if let last, last.message.isInConversation, last.message.createdAt > known?.lastMessage?.createdAt ?? .earliest
        {
            thread.lastMessage = MessagePreview(last.message)
        }
        if let known, known != thread { thread.updatedAt = max(thread.updatedAt, known.updatedAt.next) }
        var remote = RemoteThread(thread, unreadCount: stale.contains(.unreadCount) ? nil : personal?.unreadCount)
        remote.others = others
        if stale.contains(.standing) { return remote }
        remote.own = personal.map { personal in
            RemoteMembership(
                state: personal.state == .invited ? .invited : .joined,
                isHidden: personal.hiddenState != .unhidden && personal.hiddenState != .preventAutoUnhide,
                historyResetAt: personal.messageOffset.time)
        }
        return remote
    }

    /// The most bytes of the other members' JSON in a thread. Each event of the thread has them.
    static let othersLimit = 32 << 10

    /// The members without the customer and the agents who are configured, by their ids; nil where they are not told.
    private func others(for reader: MessageReader) -> [Customer]? {
        guard let members else { return nil }
        var (others, rest) = ([Customer](), Self.othersLimit)
        for member in members.sorted(by: { $0.id < $1.id })
        where member.id != reader.user && !reader.agents.contains(member.id)
            && member.id.unicodeScalars.count <= SendbirdBound.userID && member.id != others.last?.id
        {
            let name = member.nickname.cut(toScalars: SendbirdBound.nickname).text
            let url = member.profileURL
            let customer = Customer(
                id: member.id, firstName: name.isEmpty ? nil : name,
                imageURL: url.isEmpty || url.utf8.count > SendbirdBound.url ? nil : url)
            rest -= customer.canonicalJSON.count
            guard rest >= 0, others.count < ThreadRules.maximumMembers else { break }
            others.append(customer)
        }
        return others
    }
}

extension Timestamp {
    fileprivate var next: Timestamp { advanced(byMilliseconds: 1) }
}

extension [String: String] {
    /// The platform's metadata as custom fields, within their limits.
    fileprivate var asFields: [String: String] {
        var fields: [String: String] = [:]
        for (name, value) in sorted(by: { $0.key < $1.key }).prefix(20) where !value.isEmpty {
            fields[name.cut(toScalars: SendbirdBound.metadataKey).text] =
                value.cut(toScalars: 1000).text
        }
        return fields
    }
}
