import ChatModel
import ChatStore

/// How the desk names a thread: by its id, and by channel and customer where two customers chose the same id.
public struct DeskThread: Sendable, Hashable {
    public var id: String
    public var channel: String?
    public var customer: String?
    /// Only threads of these channels are there; nil for all.
    public var channels: Set<String>?

    public init(id: String, channel: String? = nil, customer: String? = nil, within channels: Set<String>? = nil) {
        self.id = id
        self.channel = channel
        self.customer = customer
        self.channels = channels
    }
}

extension ReadTransaction {
    /// The thread that the desk means.
    ///
    /// Throws `unknownThread`, also for a thread that is still pending, because the desk does not see it before its
    /// first message. Throws `ambiguousThread` when several threads match.
    ///
    /// - Parameter service: only this service's threads; nil searches all.
    public func find(_ thread: DeskThread, onService service: String? = nil) throws -> ThreadRecord {
        let found = try deskThreads(
            thread.id, onService: service, channel: thread.channel, customer: thread.customer, within: thread.channels)
        guard let first = found.first else {
            throw ChatError(.unknownThread, "The desk has no thread \(thread.id).")
        }
        guard found.count == 1 else {
            throw ChatError(
                .ambiguousThread,
                "Several customers have a thread \(thread.id): add the parameters channel and customer.")
        }
        return first
    }
}

/// Whose a thread must be, so that what an agent asks for is done: several agents and programs may work at one desk.
public enum AgentCondition: String, Sendable, CaseIterable {
    /// A claim that only the first one wins.
    case nobodys = "none"
    /// That of the agent who acts.
    case mine = "me"
    case mineOrNobodys = "meOrNone"
}
