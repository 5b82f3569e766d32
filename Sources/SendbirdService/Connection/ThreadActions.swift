import Chat
import ChatModel
import ChatStore
import Formats
import SendbirdWire

/// What a customer does with threads and messages. The rules are checked before the platform is asked, and what it
/// answers is written here.
struct ThreadActions: Sendable {
    let account: ConnectedUser
    let refresh: ThreadRefresh
    let runtime: ApplicationRuntime

    /// Compares a thread now, for who waits for it.
    func look(at thread: String, isFocus: Bool) async throws(ChatError) {
        try await runtime.look(at: thread, ThreadLook(isFocus: isFocus), by: refresh)
    }

    // MARK: Threads

    /// Reads one channel from the platform, and writes it. Returns false if it is not the account's, or not of this
    /// channel of Parley.
    func read(_ url: String, isNew: Bool = false) async throws(ChatError) -> Bool {
        var place = 0
        let channel: SendbirdChannel
        do throws(SendbirdFailure) {
            channel = try await account.client.ask(.channel(url, for: account.user), .page) {
                place = account.marks.ask()
                return true
            }
        } catch {
            throw ChatError(error, about: .thread(url))
        }
        guard channel.url == url, channel.personal.map({ $0.state != .none }) ?? false else { return false }
        return try await !account.write([channel], askedAt: place, isNew: isNew).isEmpty
    }

    func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        let record = try await account.joinedThread(thread)
        try VersionRule.check(version, record.version)
        try ThreadRules.checkRename(record.thread, to: name, on: account.channel)
        try Self.checkName(name)
        var update = UpdateChannel()
        update.name = name ?? ""
        return try await account.marks.changing(.name, of: thread) { [update] () throws(ChatError) in
            let channel = try await account.ask(
                .update(update, url: thread), .deed, about: .thread(thread), as: SendbirdChannel.self)
            return try await account.unit(thread) { [number = account.number] transaction, record in
                if record.thread.name != name {
                    record.thread.name = channel.name.isEmpty ? nil : channel.name.cut(toScalars: 256).text
                    try transaction.saveLater(&record)
                }
                return Outcome(.ok, id: thread, body: record.json(for: number), version: record.version)
            }
        }
    }

    /// Hides the thread for good, for this customer alone: the platform has nothing else that closes it.
    func archive(
        _ thread: String, ifMatch version: Int64?, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let record = try await account.joinedThread(thread)
        try VersionRule.check(version, record.version)
        try ThreadRules.checkArchive(record.thread, on: account.channel)
        try await account.marks.changing(.standing, of: thread) { () throws(ChatError) in
            try await account.tell(.hide(thread, for: account.user, isUntilMessage: false), about: .thread(thread))
            try await account.unit(thread) { transaction, record in
                record.thread.state = .closed
                try transaction.saveLater(&record)
            }
        }
        return try await account.answer(thread, receipt)
    }

    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let known = try await account.thread(thread).thread
        if known.state != .pending {
            guard try await read(thread) else { throw .unknownThread(thread) }
        }
        return try await account.answer(thread, receipt)
    }

    func setCustomFields(
        _ fields: [String: String], of thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        let record = try await account.joinedThread(thread)
        try VersionRule.check(version, ContentVersion.of(record.thread.customFields))
        let checked = try CustomFieldRules.check(fields, account.channel.threadFields)
        _ = try Self.check(CustomFieldRules.merge(checked, into: record.thread.customFields))
        return try await account.marks.changing(.fields, of: thread) { () throws(ChatError) in
            if !checked.isEmpty, record.thread.state != .pending {
                try await account.tell(.writeMetadata(checked, ofChannel: thread), about: .thread(thread))
            }
            let set = try await account.unit(thread) { transaction, record in
                // Others may have been set meanwhile.
                let merged = try CustomFieldRules.merge(checked, into: record.thread.customFields)
                if record.thread.customFields != merged {
                    record.thread.customFields = merged
                    try transaction.saveLater(&record)
                }
                return record.thread
            }
            // The platform has got the thread meanwhile, and perhaps not these.
            if !checked.isEmpty, record.thread.state == .pending, set.state != .pending {
                try await account.tell(.writeMetadata(checked, ofChannel: thread), about: .thread(thread))
            }
            return set.customFields
        }
    }

    /// The platform's limits. Throws `invalidParameter`.
    static func checkName(_ name: String?) throws(ChatError) {
        guard (name ?? "").unicodeScalars.count <= SendbirdBound.channelName else {
            throw ChatError(
                .invalidParameter, "On this platform a name has at most \(SendbirdBound.channelName) characters.",
                pointer: "/name")
        }
    }

    static func check(_ fields: [String: String]) throws(ChatError) -> [String: String] {
        let comma = UInt8(ascii: ",")
        let isGood = fields.allSatisfy { name, value in
            name.unicodeScalars.count <= SendbirdBound.metadataKey && !name.utf8.contains(comma)
                && value.unicodeScalars.count <= SendbirdBound.metadataValue
        }
        guard isGood, fields.count <= SendbirdBound.metadataItems else {
            throw ChatError(
                .invalidParameter,
                """
                On this platform there are at most \(SendbirdBound.metadataItems) custom fields, with values of at most \
                \(SendbirdBound.metadataValue) characters and names of at most \(SendbirdBound.metadataKey), without commas.
                """, pointer: "/customFields")
        }
        return fields
    }

    // MARK: Membership

    func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let record = try await account.thread(thread)
        if record.members[0].state == .invited {
            try await tell(.accept(thread, by: account.user), of: thread)
            _ = try await read(thread)
        }
        return try await account.answer(thread, receipt)
    }

    func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let record = try await account.thread(thread)
        return try await account.marks.changing(.standing, of: thread) { () throws(ChatError) in
            try await account.tell(
                record.members[0].state == .invited
                    ? .decline(thread, by: account.user) : .leave(thread, by: account.user), about: .thread(thread))
            return try await account.store.write { [number = account.number] transaction in
                try transaction.removeRemoteThread(thread, of: number)
                try transaction.record(receipt, Outcome(.none))
                return Outcome(.none)
            }
        }
    }

    /// Tells the platform what changes the customer's standing in a thread, which is read next.
    private func tell(_ call: SendbirdCall, of thread: String) async throws(ChatError) {
        try await account.marks.changing(.standing, of: thread) { () throws(ChatError) in
            try await account.tell(call, about: .thread(thread))
        }
    }

    func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        _ = try await account.thread(thread)
        try await tell(
            isHidden
                ? .hide(thread, for: account.user, isUntilMessage: true) : .show(thread, for: account.user),
            of: thread)
        _ = try await read(thread)
        return try await account.answer(thread, receipt)
    }

    func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let record = try await account.joinedThread(thread)
        // One that is here alone has no history.
        if record.thread.state != .pending {
            try await tell(.resetHistory(of: thread, for: account.user), of: thread)
            _ = try await read(thread)
        }
        if let receipt { try await account.store.record(receipt, outcome: Outcome(.none)) }
        return Outcome(.none)
    }

    // MARK: Messages

    /// Marks the thread as read here at once, and tells the platform, also what it has not heard before.
    func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let number = account.number
        let isOwed = account.marks.begin(thread, .unreadCount)
        var isTold: Bool?
        defer { account.marks.end(thread, .unreadCount, isTold: isTold) }
        let isUnread = try await account.unit(thread) { transaction, record in
            try ThreadRules.checkJoined(record.members[0].state, record.thread)
            guard let index = record.members.firstIndex(where: { $0.account == number }),
                record.members[index].unreadCount > 0
            else { return false }
            var read = record.members[index].read
            _ = try transaction.markSeen(.toClient, in: &record, read: &read, withDesk: false)
            record.members[index].read = read
            record.members[index].unreadCount = 0
            try transaction.save(&record, logging: .threadUpdated, withDesk: false)
            return true
        }
        if isUnread || isOwed {
            isTold = false
            try await account.tell(.markRead(thread, by: account.user), about: .thread(thread))
            isTold = true
        }
        if let receipt { try await account.store.record(receipt, outcome: Outcome(.none)) }
        return Outcome(.none)
    }

    func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        let (id, _, isFile) = try await own(message, in: thread, ifMatch: version)
        guard !isFile else {
            throw ChatError(.invalidParameter, "On this platform a message with a file has no text.", pointer: "/text")
        }
        guard text.unicodeScalars.count <= SendbirdBound.messageText else {
            throw ChatError(
                .textTooLong, "The platform takes at most \(SendbirdBound.messageText) characters.", pointer: "/text")
        }
        let edited = try await account.ask(
            .edit(id, in: thread, text: text), .deed, about: .message(message), as: SendbirdMessage.self)
        let reader = await account.reader
        return try await account.unit(thread) { transaction, record in
            if let read = reader.read(edited, in: thread) { try transaction.merge([read], by: .change, into: &record) }
            guard let stored = try transaction.message(message, in: record) else {
                throw ChatError(.unknownMessage, "The message was removed meanwhile.")
            }
            return Outcome(.ok, id: message, body: stored.json, version: stored.version)
        }
    }

    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        let (id, replies, _) = try await own(message, in: thread, ifMatch: version)
        guard replies == 0 else {
            throw ChatError(.parentHasReplies, "The message \(message) has replies, and cannot be removed.")
        }
        do throws(SendbirdFailure) {
            try await account.client.tell(.remove(id, in: thread))
        } catch {
            // Where it is gone, an answer was lost.
            guard error.isNotFound else { throw ChatError(error, about: .message(message)) }
        }
        try await account.unit(thread) { transaction, record in try transaction.removeRemote([id], from: &record) }
    }

    /// Reads the parent of an own reply, for what it tells of its replies; but nobody waits long for that. Returns its id
    /// on the platform where it is to be looked at later.
    func readParent(_ parent: String, in thread: String) async -> Int64? {
        guard let record = try? await account.thread(thread),
            let id = try? await account.store.read({ Int64(try $0.remoteID(parent, in: record) ?? parent) })
        else { return nil }
        var call = SendbirdCall.message(String(id), in: thread)
        call.patience = .seconds(2)
        guard
            let wire = try? await account.client.ask(call, .deed, as: SendbirdMessage.self, waits: false),
            let read = await account.reader.read(wire, in: thread),
            (try? await account.unit(thread, { try $0.merge([read], by: .change, into: &$1) })) != nil
        else { return id }
        return nil
    }

    /// The platform's id of an own message, how many replies it has, and whether it is a file. The token may change
    /// anybody's messages, so the rule is here. Throws `unknownMessage`, `notAuthor`, `preconditionFailed`.
    private func own(
        _ message: String, in thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> (id: String, replies: Int, isFile: Bool) {
        let record = try await account.joinedThread(thread)
        let user = account.user
        return try await account.store.read { transaction in
            guard let stored = try transaction.message(message, in: record) else {
                throw ChatError(.unknownMessage, "The thread has no message \(message).")
            }
            guard stored.message.author.kind == .customer, stored.message.author.id == user else {
                throw ChatError(.notAuthor, "The message \(message) is another author's.")
            }
            try VersionRule.check(version, stored.version)
            return (
                try transaction.remoteID(message, in: record) ?? message, stored.message.replyCount,
                !stored.message.attachments.isEmpty
            )
        }
    }

    /// Tells the platform that the customer types, or has stopped; not awaited by anybody, so that a failure is
    /// ignored.
    func reportTyping(_ isTyping: Bool, in thread: String) async throws(ChatError) {
        let record = try await account.joinedThread(thread)
        guard try ThreadRules.takesTyping(isTyping, record.thread), record.thread.state != .pending else { return }
        // Where the limit is reached, others have more important calls.
        try? await account.client.tell(.typing(isTyping, in: thread, by: account.user), waits: false)
    }
}

extension WriteTransaction {
    /// Saves a thread that has changed. `updatedAt` always grows.
    fileprivate func saveLater(_ record: inout ThreadRecord) throws {
        record.thread.updatedAt = max(now, record.thread.updatedAt.advanced(byMilliseconds: 1))
        try save(&record, logging: .threadUpdated, withDesk: false)
    }
}
