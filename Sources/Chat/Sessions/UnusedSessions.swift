import ChatModel
import ChatStore
import Formats
import Synchronization

/// Sessions that nobody uses: when each was used last, and the deletion of those that were not used for long.
extension Sessions {
    /// Deletes all sessions whose last use was before a time. Returns their ids.
    public func deleteUnused(since time: Timestamp) async throws(ChatError) -> [String] {
        var deleted: [String] = []
        while true {
            let stored = try await store.read { try $0.sessions(unusedSince: time, limit: Self.batch) }
            let unused = stored.filter { isUnused($0, since: time) }
            if unused.isEmpty { return deleted }
            deleted += try await remove(unused)
        }
    }

    /// Deletes the sessions that have ended because nobody used them. Returns their ids.
    public func deleteEnded() async throws(ChatError) -> [String] {
        var ended: [String] = []
        while true {
            let now = store.environment.now()
            let stored = try await store.read { try $0.sessions(endedBefore: now, limit: Self.batch) }
            let over = stored.filter { client($0)?.hasEnded(at: now) ?? true }
            if over.isEmpty { return ended }
            ended += try await remove(over)
        }
    }

    /// Stores when sessions were used, for those whose stored time is more than an hour old.
    public func storeUse() async throws(ChatError) {
        let used = all.compactMap { client in client.use.takeUnstored().map { (id: client.id, time: $0) } }
        for start in stride(from: 0, to: used.count, by: Self.batch) {
            let batch = Array(used[start..<min(start + Self.batch, used.count)])
            try await store.write(inBackground: true) { try $0.noteUse(of: batch) }
        }
    }

    /// Whether the session was not used since. The stored time may be an hour old, so the time in memory is asked.
    func isUnused(_ id: String, since time: Timestamp?) -> Bool {
        guard let time, let client = client(id) else { return true }
        return client.use.time < time
    }
}

/// Sessions that customers have begun and do not use go from memory. They come back at their next use, as after a
/// restart.
extension Sessions {
    /// Lets go of the embedded services' sessions of visitors and of links that nobody has used since a time. Streams
    /// count as use, also those of collections. Returns how many there were.
    @discardableResult
    public func rest(unusedSince time: Timestamp) async throws(ChatError) -> Int {
        let resting = all.filter { client in
            client.isEmbedded && client.term.kind != .plain && !client.isReturning && client.use.time < time
                && collections.all(of: client.collectionOwner).allSatisfy { $0.abandonedSince != nil }
        }
        for start in stride(from: 0, to: resting.count, by: Self.batch) {
            let batch = resting[start..<min(start + Self.batch, resting.count)]
            let uses = batch.map { (id: $0.id, time: $0.use.time) }
            try await store.write(inBackground: true) { try $0.noteUse(of: uses) }
            for client in batch {
                release(client)
                await client.connection.rest()
                notifications.forget(session: client.id, account: client.account)
            }
        }
        return resting.count
    }

    /// Forgets a session with its collections. No other task restores it meanwhile.
    private func release(_ client: ChatClient) {
        restoring.withLock(of: client.id) {
            state.withLock { state in
                if state.clients[client.id] === client { state.clients[client.id] = nil }
            }
            collections.removeAll(of: client.collectionOwner)
        }
    }
}

extension SessionConnection {
    /// Nobody uses the session for now: nobody types there.
    func rest() async { await open?.close() }
}

/// The time of the last ``tick(_:)``. Each request notes its time, and reading this clock needs no system call. Every
/// call may come from any thread.
public final class CoarseClock: Sendable {
    private let milliseconds: Atomic<Int64>

    init(_ now: Timestamp) { milliseconds = Atomic(now.milliseconds) }

    /// Sets the time. To be called about once a minute.
    public func tick(_ now: Timestamp) { milliseconds.store(now.milliseconds, ordering: .relaxed) }

    var now: Int64 { milliseconds.load(ordering: .relaxed) }
}

/// When a session was used last. Every request notes it in memory; it is stored about once an hour, so that requests
/// cause no writes.
final class SessionUse: Sendable {
    private let clock: CoarseClock
    private let last: Atomic<Int64>
    private let stored: Atomic<Int64>

    /// How old the stored time may become, in milliseconds.
    private static let lag: Int64 = 3_600_000

    init(_ record: SessionRecord, clock: CoarseClock) {
        self.clock = clock
        last = Atomic(record.lastUsedAt.milliseconds)
        stored = Atomic(record.lastUsedAt.milliseconds)
    }

    /// Notes a use at the coarse clock's time. The time never goes back: the coarse clock may be behind the time at
    /// which the session was made.
    func recordUse() {
        let now = clock.now
        if now > last.load(ordering: .relaxed) { last.store(now, ordering: .relaxed) }
    }

    var time: Timestamp { Timestamp(milliseconds: last.load(ordering: .relaxed)) }

    /// The time of the last use, if it must be stored now; otherwise nil. The caller must store it: it counts as stored
    /// from here on.
    func takeUnstored() -> Timestamp? {
        let time = last.load(ordering: .relaxed)
        guard time - stored.load(ordering: .relaxed) >= Self.lag else { return nil }
        stored.store(time, ordering: .relaxed)
        return Timestamp(milliseconds: time)
    }
}
