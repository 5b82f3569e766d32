import Chat
import ChatModel
import ChatStore

/// A customer's own part in a thread.
extension LocalConnection {
    func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await change(thread, receipt) { $0.state = .joined }
    }

    func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await change(thread, receipt) { $0.isHidden = isHidden }
    }

    func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await unit(thread) { transaction, record in
            try transaction.leave(account, &record)
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await joinedUnit(thread) { transaction, record in
            try transaction.resetHistory(for: account, in: &record, withDesk: true)
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    /// Changes what this account alone sees of the thread; nobody else hears of it.
    private func change(
        _ thread: String, _ receipt: Receipt?, _ work: @escaping @Sendable (inout MemberRecord) -> Void
    ) async throws(ChatError) -> Outcome {
        try await unit(thread) { transaction, record in
            guard let index = record.members.firstIndex(where: { $0.account == account }) else { throw ChatError.unknownThread(thread) }
            let before = record.members[index].membership
            work(&record.members[index])
            if record.members[index].membership != before {
                try transaction.saveMembership(record.members[index], in: record)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true, onlyTo: account)
            }
            let outcome = Outcome(.ok, id: thread, body: record.json(for: account))
            try transaction.record(receipt, outcome, message: record.lastMessageNumber)
            return outcome
        }
    }
}

extension WriteTransaction {
    /// Takes a member out, and tells those who stay.
    func leave(_ account: Int64, _ record: inout ThreadRecord) throws {
        try remove(member: account, from: &record)
        record.thread.updatedAt = record.thread.nextUpdate(now)
        try save(&record, logging: .threadUpdated, withDesk: true)
    }
}
