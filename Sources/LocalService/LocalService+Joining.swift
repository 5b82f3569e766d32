import Chat
import ChatModel
import ChatStore

extension LocalService {
    /// See ``ChatStore/WriteTransaction/join(_:to:prepare:)``. Where a channel has one conversation at a time and the
    /// account has one that is open, the anonymous one is closed first; one in which nobody has written stays behind.
    public func join(
        _ former: AccountRecord, to account: inout AccountRecord, in transaction: WriteTransaction
    ) throws -> Joining {
        let channel = try transaction.channel(account.key.channel, of: Self.serviceID)
        let isFull =
            try channel?.mode != .multithread && !transaction.openThreads(of: account.number, limit: 1).isEmpty
        var live = LiveChatWork()
        transaction.actor = Author(account.customer)
        let joined = try transaction.join(former, to: &account) { record in
            live.endTyping(.of(.account(former.number), thread: record.number))
            guard isFull, record.thread.canAddMoreMessages else { return true }
            if record.thread.state == .pending { return false }
            try live.close(&record, in: transaction)
            return true
        }
        let after = desk.live
        return Joining(threads: joined.ids) { [live] in
            live.publish(to: after.store.feed, after.timer, after.positions, after.typing)
        }
    }
}
