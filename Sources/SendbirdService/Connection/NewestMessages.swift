import Chat
import ChatModel
import ChatStore
import SendbirdWire
import Synchronization

/// Reads the newest messages of a thread: those before a time that is yet to come. Nobody knows whether the platform
/// has them there; where it has not, they are looked for from the newest one that is known of.
struct NewestMessages: Sendable {
    let account: ConnectedUser

    /// After whatever the platform has: its clock may be another.
    static func future(_ account: ConnectedUser) -> Int64 {
        account.store.environment.now().milliseconds + 86_400_000
    }

    /// So many at most.
    func messages(
        of thread: String, _ count: Int, _ urgency: RequestGate.Urgency
    ) async throws(ChatError) -> [SendbirdMessage] {
        let future = account.sizes.future
        if future.isServed != false {
            let found = try await beforeFuture(thread, count, urgency)
            if found?.isEmpty == false { future.isServed = true }
            if let found, future.isServed == true { return found }
        }
        let known = try await fromKnown(thread, count, urgency)
        guard future.isServed == nil, !known.isEmpty else { return known }
        // They may have come in between.
        let found = try await beforeFuture(thread, count, urgency) ?? []
        future.isServed = !found.isEmpty
        return found.isEmpty ? known : found
    }

    /// Nil where the platform refuses such a time.
    private func beforeFuture(
        _ thread: String, _ count: Int, _ urgency: RequestGate.Urgency
    ) async throws(ChatError) -> [SendbirdMessage]? {
        do throws(ChatError) {
            return try await MessageReads(account: account).messages(
                of: thread, at: Self.future(account), previous: count, urgency)
        } catch {
            guard error.code == .invalidParameter else { throw error }
            return nil
        }
    }

    private func fromKnown(
        _ thread: String, _ count: Int, _ urgency: RequestGate.Urgency
    ) async throws(ChatError) -> [SendbirdMessage] {
        guard var place = try await newestKnown(thread) else { return [] }
        let reads = MessageReads(account: account)
        var found = RawPage(try await reads.messages(of: thread, at: place, previous: count, next: count, urgency))
        while found.messages.count(where: { $0.createdAt.value > place }) >= count, let newest = found.newest {
            place = newest
            found.add(try await reads.messages(of: thread, at: place, next: count, urgency))
            found.keepNewest(count)
        }
        found.keepNewest(count)
        return found.messages
    }

    /// The time of the channel's last message, or else of the newest one here.
    private func newestKnown(_ thread: String) async throws(ChatError) -> Int64? {
        if let last = try await account.channel(thread)?.lastMessage { return last.createdAt.value }
        return try await account.store.read { [number = account.number] transaction in
            guard let record = try transaction.thread(thread, of: number) else { return nil }
            let newest = try transaction.messages(
                in: record, around: .latest, previous: 1, next: 0, simultaneous: 0, replies: .all)
            return newest.last?.message.createdAt.milliseconds
        }
    }
}

/// Whether the platform answers with the newest messages when it is asked for those before a time in the future.
final class FutureTimes: Sendable {
    private let state = Mutex<Bool?>(nil)

    /// Nil as long as no answer has told.
    var isServed: Bool? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
