import Chat
import ChatModel
import ChatStore

/// What a customer does with the own membership of a thread.
extension LocalConnection {
    /// Accepts an invitation. An account that has joined already gets the same answer, and nothing is logged.
    func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await change(thread, receipt) { $0.state = .joined }
    }

    /// Hides the thread from the account's default list, or shows it again. The next message of the conversation
    /// shows it again too.
    func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await change(thread, receipt) { $0.isHidden = isHidden }
    }

    /// Removes the account from the thread. The thread and its messages stay for the others.
    func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await live.write { [account] transaction, live in
            guard var record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            try transaction.leave(account, &record)
            live.endTyping(.of(.account(account), thread: record.number))
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    /// Hides all messages up to now from this account. The other members and the desk see them as before.
    func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await joinedUnit(thread) { transaction, record in
            try transaction.resetHistory(for: account, in: &record, withDesk: true)
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    /// Changes this account's membership. Only this account gets the `thread.updated`, and only if something has
    /// changed.
    private func change(
        _ thread: String, _ receipt: Receipt?, _ work: @escaping @Sendable (inout MemberRecord) -> Void
    ) async throws(ChatError) -> Outcome {
        try await unit(thread) { transaction, record in
            guard let index = record.members.firstIndex(where: { $0.account == account }) else {
                throw ChatError.unknownThread(thread)
            }
            let before = record.members[index].membership
            work(&record.members[index])
            if record.members[index].membership != before {
                try transaction.saveMembership(record.members[index], in: record)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true, onlyTo: account)
            }
            let outcome = Outcome(.ok, id: thread, body: record.json(for: account), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }
}

extension WriteTransaction {
    /// Removes a member, and logs `thread.updated` for those who stay. The account itself gets `thread.removed`.
    func leave(_ account: Int64, _ record: inout ThreadRecord) throws {
        try remove(member: account, from: &record)
        record.thread.updatedAt = record.thread.nextUpdate(now)
        try save(&record, logging: .threadUpdated, withDesk: true)
    }
}
