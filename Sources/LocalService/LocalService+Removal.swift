import Chat
import ChatModel
import ChatStore

extension LocalService {
    /// Removes all threads that the account owns, with everything in them. Members and the desk get `thread.removed`.
    /// Returns how many there were, when nothing of them is left; throws what the store throws.
    public func removeThreads(of account: Int64) async throws(ChatError) -> Int {
        var count = 0
        while let queue = try await store.write({ try $0.removeOldestThread(of: account) }) {
            count += 1
            if let queue = queue?.unfinished { tellPositions(in: queue) }
        }
        if count > 0 { try await HistoryEraser(store: store).finish() }
        return count
    }

    /// Removes the threads that an account owns, also those that it has left, and in threads of others what its customer
    /// wrote, and its membership. The others are told. It may be cut off anywhere: called again it goes on.
    public func erase(_ account: AccountRecord) async throws(ChatError) {
        _ = try await removeThreads(of: account.number)
        try await store.eraseThreads(ownedBy: account.number)
        while let thread = try await store.read({ try $0.joinedThread(of: account.number) }) {
            for isInThread in [true, false] {
                try await eraseMessages(of: account, in: thread, isInThread: isInThread)
            }
            try await store.write { transaction in
                guard var record = try transaction.thread(number: thread) else { return }
                try transaction.leave(account.number, &record)
            }
        }
        try await eraseMessages(inThreadsLeftBy: account)
    }

    /// Rows that are looked at in one step, and messages that one unit changes.
    private static let portion = 1000
    private static let batch = 50

    private func eraseMessages(
        of account: AccountRecord, in thread: Int64, isInThread: Bool
    ) async throws(ChatError) {
        var place: MessagePosition? = .start
        while let last = place {
            let found = try await store.read {
                try $0.messages(
                    of: account.key.customer, in: thread, isInThread: isInThread, after: last, limit: Self.portion)
            }
            for start in stride(from: 0, to: found.ids.count, by: Self.batch) {
                let ids = found.ids[start..<min(start + Self.batch, found.ids.count)]
                try await store.write { transaction in
                    guard var record = try transaction.thread(number: thread) else { return }
                    let work = MessageWork(transaction: transaction, party: .customer(account))
                    for id in ids { try work.erase(id, in: &record) }
                }
            }
            place = found.next
        }
    }

    /// What the customer wrote in threads of others that it has left since.
    private func eraseMessages(inThreadsLeftBy account: AccountRecord) async throws(ChatError) {
        var number: Int64? = 0
        while let last = number {
            let found = try await store.read { try $0.messages(of: account, after: last, limit: Self.portion) }
            for message in found.messages {
                try await store.write { transaction in
                    guard var record = try transaction.thread(number: message.thread) else { return }
                    try MessageWork(transaction: transaction, party: .customer(account)).erase(message.id, in: &record)
                }
            }
            number = found.next
        }
    }
}

extension LocalDesk {
    /// Removes the thread with everything in it: messages, files, notes, contacts, and what the log has of them. It is
    /// gone for members and desk when this returns. What it has left is erased by then, too, unless that is much:
    /// ``HistoryEraser`` goes on with it.
    public func remove(
        _ thread: DeskThread, ifMatch version: Int64?, as agent: Agent? = nil
    ) async throws(ChatError) {
        try await live.write { transaction, live in
            let record = try transaction.find(thread)
            try VersionRule.check(version, record.version)
            try transaction.act(as: agent)
            try live.remove(record, in: transaction)
        }
        let eraser = HistoryEraser(store: store)
        if try await eraser.erase(steps: 16) { eraser.start() }
    }
}
