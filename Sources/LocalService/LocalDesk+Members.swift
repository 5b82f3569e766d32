import Chat
import ChatModel
import ChatStore
import Formats

/// Threads of several customers, which the desk makes and manages.
extension LocalDesk {
    /// Makes a thread with the members that are named; the first one is its owner. Accounts that do not exist are
    /// made.
    ///
    /// The same id sent again with the same owner, members and properties returns the thread that exists. No contact
    /// is opened before the first message. Throws `unknownChannel`, `threadIdConflict`, and what
    /// ``ThreadRules/checkMembers(_:besides:on:)`` throws.
    public func createThread(
        _ draft: DeskThreadDraft, as agent: Agent? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await store.write { transaction in
            try transaction.act(as: agent)
            guard let channel = try transaction.channel(draft.channel, of: LocalService.serviceID) else {
                throw ChatError(
                    .unknownChannel, "The service local has no channel \(draft.channel).", pointer: "/channel")
            }
            try ThreadRules.checkMembers(draft.members, on: channel)
            try ThreadRules.checkName(draft.name)
            let members = try draft.members.map { (account: try transaction.open($0, on: channel), state: $0.state) }
            let fields = try CustomFieldRules.check(draft.customFields, channel.threadFields)
            let owner = members[0].account
            if let known = try draft.id.flatMap({ try transaction.thread($0, of: owner.number) }), known.isKnownToDesk,
                known.owner.number == owner.number, known.thread.name.hasSameBytes(as: draft.name),
                known.thread.customType.hasSameBytes(as: draft.customType),
                known.thread.customFields.hasSameBytes(as: fields),
                Set(known.members.map(\.account)) == Set(members.map(\.account.number))
            {
                // The caller repeats its request: it gets the thread that exists.
                let outcome = Outcome(.ok, id: known.thread.id, body: known.deskJSON, version: known.deskVersion)
                try transaction.record(receipt, outcome, showing: known)
                return outcome
            }
            var thread = ChatThread(
                id: draft.id ?? transaction.environment.makeID(), createdAt: transaction.now,
                members: members.map(\.account.customer))
            thread.state = .ready
            thread.name = draft.name
            thread.customType = draft.customType
            thread.customFields = fields
            var record = try transaction.insert(thread, members: members)
            try transaction.save(&record, logging: .threadCreated, withDesk: true)
            let outcome = Outcome(.created, id: thread.id, body: record.deskJSON, version: record.deskVersion)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }

    /// Sets the name or the custom type of an open thread. A patch that changes nothing logs nothing.
    ///
    /// Throws `preconditionFailed`, `illegalThreadState`, and `unsupportedChannelConfig` for a name on a channel
    /// whose threads have none.
    public func update(
        _ thread: DeskThread, _ patch: DeskThreadPatch, ifMatch version: Int64?, as agent: Agent? = nil
    ) async throws(ChatError) -> Outcome {
        try await unit(thread, as: agent) { transaction, record in
            try VersionRule.check(version, record.deskVersion)
            try ThreadRules.checkOpen(record.thread)
            let before = record.thread
            if let name = patch.name {
                if let channel = try transaction.channel(record.owner.key.channel, of: LocalService.serviceID) {
                    try ThreadRules.checkRename(record.thread, to: name, on: channel)
                }
                record.thread.name = name
            }
            if let customType = patch.customType { record.thread.customType = customType }
            if record.thread != before {
                record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            return Outcome(.ok, id: thread.id, body: record.deskJSON, version: record.deskVersion)
        }
    }

    /// Adds members, or lets invited ones join. Members who are there already stay as they are.
    ///
    /// New members get `thread.created`, all others `thread.updated`. A new member sees the messages from before as
    /// read.
    public func add(
        _ members: [MemberDraft], to thread: DeskThread, as agent: Agent? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await unit(thread, as: agent) { transaction, record in
            guard let channel = try transaction.channel(record.owner.key.channel, of: LocalService.serviceID) else {
                throw ChatError.unknownThread(thread.id)
            }
            let known = try record.members.map { try transaction.account($0.account).key.customer }
            try ThreadRules.checkMembers(members, besides: known, on: channel)
            try ThreadRules.checkOpen(record.thread)
            var joined: [Int64] = [], added: [Int64] = []
            for draft in members {
                let account = try transaction.open(draft, on: channel)
                if let index = record.members.firstIndex(where: { $0.account == account.number }) {
                    guard draft.state == .joined, record.members[index].state == .invited else { continue }
                    record.members[index].state = .joined
                    try transaction.saveMembership(record.members[index], in: record)
                    joined.append(account.number)
                } else {
                    try transaction.add(account, as: draft.state, to: &record)
                    added.append(account.number)
                }
            }
            if !added.isEmpty {
                record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
                try transaction.save(&record, announcingTo: added, withDesk: true)
            } else {
                for account in joined {
                    try transaction.save(&record, logging: .threadUpdated, withDesk: true, onlyTo: account)
                }
            }
            let outcome = Outcome(.ok, id: thread.id, body: record.deskJSON, version: record.deskVersion)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }

    /// Removes a member from the thread. Throws `unknownCustomer` for a customer who is no member.
    public func remove(
        member customer: String, from thread: DeskThread, as agent: Agent? = nil
    ) async throws(ChatError) {
        try await unit(thread, as: agent) { transaction, record in
            let member = try record.members.first { try transaction.account($0.account).key.customer == customer }
            guard let member else {
                throw ChatError(.unknownCustomer, "The thread \(thread.id) has no member \(customer).")
            }
            try transaction.leave(member.account, &record)
        }
    }

    /// Hides all messages up to now from everybody. They are out of sight when this returns; ``HistoryEraser`` then
    /// deletes them from the disk step by step.
    public func resetHistory(
        _ thread: DeskThread, as agent: Agent? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let outcome = try await unit(thread, as: agent) { transaction, record in
            try transaction.resetHistory(in: &record, withDesk: true)
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            return outcome
        }
        HistoryEraser(store: store).start()
        return outcome
    }
}

extension WriteTransaction {
    /// The member's account, made if it is new. Names that the draft has replace those of the account.
    fileprivate func open(_ draft: MemberDraft, on channel: Channel) throws -> AccountRecord {
        let key = AccountKey(service: LocalService.serviceID, channel: channel.id, customer: draft.id)
        let isNew = try self.account(key) == nil
        var account = try openAccount(key)
        let before = account
        account.setVouchedNames(draft.firstName, draft.lastName)
        try save(account, since: before, isNew: isNew)
        return account
    }
}

/// Which agent handles a thread, and until when.
///
/// Each function answers with the thread as the desk sees it. They throw `unknownThread`, `ambiguousThread`,
/// `preconditionFailed`, and `illegalThreadState` for a closed thread.
extension LocalDesk {
    /// Gives the thread to an agent, also when another agent has it, unless the condition says otherwise: that one
    /// becomes `previousAgent`.
    public func assign(
        _ agent: Agent, to thread: DeskThread, as actor: Agent? = nil, if condition: AgentCondition? = nil,
        ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: actor ?? agent, ifMatch: version, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            try ThreadRules.check(condition, of: actor ?? agent, on: record.thread)
            try live.assign(&record, by: agent, in: transaction)
        }
    }

    /// Takes the thread from its agent. A live chat waits in the queue again, by the time at which it was created.
    public func release(
        _ thread: DeskThread, as agent: Agent? = nil, if condition: AgentCondition? = nil,
        ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            try ThreadRules.check(condition, of: agent, on: record.thread)
            try live.release(&record, waits: transaction.isLiveChat(record), in: transaction)
        }
    }

    /// Closes the thread with its contact. It takes no more messages.
    public func close(
        _ thread: DeskThread, as agent: Agent? = nil, if condition: AgentCondition? = nil,
        ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            try ThreadRules.check(condition, of: agent, on: record.thread)
            try live.close(&record, in: transaction)
        }
    }

    /// Closes the contact. A live chat is closed with it; any other thread stays open, and its next message opens a
    /// new contact.
    public func endContact(
        _ thread: DeskThread, as agent: Agent? = nil, ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            if try transaction.isLiveChat(record) {
                try live.close(&record, in: transaction)
            } else {
                try live.endContact(of: &record, in: transaction)
            }
        }
    }

    /// Runs a unit on one thread, and answers with the thread, under the receipt too.
    func liveUnit(
        _ thread: DeskThread, as agent: Agent?, ifMatch version: Int64?, _ receipt: Receipt?,
        _ work: @escaping @Sendable (WriteTransaction, inout LiveChatWork, inout ThreadRecord) throws -> Void
    ) async throws(ChatError) -> Outcome {
        try await live.write { transaction, live in
            var record = try transaction.find(thread)
            try VersionRule.check(version, record.deskVersion)
            try transaction.act(as: agent)
            try work(transaction, &live, &record)
            let outcome = Outcome(.ok, id: thread.id, body: record.deskJSON, version: record.deskVersion)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }
}

extension ReadTransaction {
    /// Whether the thread's channel is a live chat now. False when the channel does not exist.
    func isLiveChat(_ record: ThreadRecord) throws -> Bool {
        try channel(record.owner.key.channel, of: LocalService.serviceID)?.mode == .liveChat
    }
}
