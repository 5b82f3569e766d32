import ChatModel
import ChatStore

extension LocalService {
    /// Removes all threads that the account owns, with everything in them. Members and the desk get `thread.removed`.
    /// Returns how many there were; throws what the store throws.
    public func removeThreads(of account: Int64) async throws(ChatError) -> Int {
        var count = 0
        while true {
            let step = try await store.write { try $0.removeThreadStep(of: account) }
            if step.isRemoved { count += 1 }
            if let queue = step.queue?.unfinished { tellPositions(in: queue) }
            if !step.hasMore { return count }
        }
    }
}
