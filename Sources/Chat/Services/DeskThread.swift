import ChatModel
import ChatStore

/// A thread as the desk names it: by its id, and by its owner where two customers used the same id.
public struct DeskThread: Sendable, Hashable {
    public var id: String
    public var channel: String?
    public var customer: String?

    public init(id: String, channel: String? = nil, customer: String? = nil) {
        self.id = id
        self.channel = channel
        self.customer = customer
    }
}

extension ReadTransaction {
    /// The thread that the desk names, on a service or on any. Throws `unknownThread`, also for one that is still pending,
    /// and `ambiguousThread`.
    public func find(_ thread: DeskThread, onService service: String? = nil) throws -> ThreadRecord {
        let found = try deskThreads(thread.id, onService: service, channel: thread.channel, customer: thread.customer)
        guard let first = found.first else {
            throw ChatError(.unknownThread, "The desk has no thread \(thread.id).")
        }
        guard found.count == 1 else {
            throw ChatError(
                .ambiguousThread,
                "Several customers have a thread \(thread.id): say which by channel and customer.")
        }
        return first
    }
}
