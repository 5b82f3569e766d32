import Chat
import ChatModel
import SendbirdWire

/// Reads messages of a thread around a time. Where one answer would be too large to be read, several calls are made.
struct MessageReads: Sendable {
    let account: ConnectedUser

    /// The messages that are exactly of a time, and so many before and after it.
    ///
    /// - Parameter sender: only what this user has sent.
    func messages(
        of thread: String, at time: Int64, previous: Int = 0, next: Int = 0, sender: String? = nil,
        _ urgency: RequestGate.Urgency
    ) async throws(ChatError) -> [SendbirdMessage] {
        do throws(SendbirdFailure) {
            let first = try await part(of: thread, at: time, previous, next, sender, urgency)
            var messages = first.messages
            for side in [Side.older, .newer] {
                var (part, place, rest) = (first, time, side == .older ? previous : next)
                while rest > part.limit {
                    // Removed messages may take places and not be listed. Only an answer to all says that there are no
                    // more.
                    let edge = side.edge(of: part.messages, beyond: place)
                    if let edge { (place, rest) = (edge, rest - part.limit) }
                    part = try await self.part(
                        of: thread, at: place, side == .older ? rest : 0, side == .newer ? rest : 0, sender, urgency,
                        isWhole: edge == nil)
                    messages += part.messages
                }
            }
            return first.messages.count == messages.count ? messages : messages.eachOnce
        } catch {
            throw ChatError(error, about: .thread(thread))
        }
    }

    /// What one call tells, and how many messages it has asked for on a side at most.
    ///
    /// - Parameter isWhole: all are asked for at once.
    private func part(
        of thread: String, at time: Int64, _ previous: Int, _ next: Int, _ sender: String?,
        _ urgency: RequestGate.Urgency, isWhole: Bool = false
    ) async throws(SendbirdFailure) -> (messages: [SendbirdMessage], limit: Int) {
        func ask(_ limit: Int) async throws(SendbirdFailure) -> (messages: [SendbirdMessage], limit: Int) {
            let page = try await account.client.ask(
                .messages(
                    of: thread, at: time, previous: min(previous, limit), next: min(next, limit), sender: sender),
                urgency, as: SendbirdPage<SendbirdMessage>.self)
            return (page.items, limit)
        }
        let all = max(previous, next, 1)
        guard !isWhole else { return try await ask(all) }
        return try await account.sizes.messages.ask(of: thread, atMost: all) { asked throws(SendbirdFailure) in
            try await ask(asked.items)
        }
    }
}

/// A side of a time.
private enum Side {
    case older, newer

    /// The time of the message on this side that is farthest away. Removed messages are used only if there are no others,
    /// because the platform may list removed messages of any time.
    func edge(of messages: [SendbirdMessage], beyond time: Int64) -> Int64? {
        let beyond = messages.filter { self == .older ? $0.createdAt.value < time : $0.createdAt.value > time }
        let times = beyond.filter { !$0.isRemoved }.map(\.createdAt.value)
        let counted = times.isEmpty ? beyond.map(\.createdAt.value) : times
        return self == .older ? counted.min() : counted.max()
    }
}

extension [SendbirdMessage] {
    /// Without those that are there twice.
    fileprivate var eachOnce: [SendbirdMessage] {
        var ids: Set<Int64> = []
        return filter { ids.insert($0.id).inserted }
    }
}
