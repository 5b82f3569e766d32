import ChatModel
import Synchronization

/// A gateway that has lost touch with its database leaves the platforms to the one that may take over. Two connections of
/// one customer are two devices of one person, which does no harm for a moment.
extension Sessions {
    /// Closes the connections to remote services, and lets no session connect before ``resume()``. Sessions go on as after
    /// a loss. Any thread may call it.
    ///
    /// Returns what ends when all connections are closed.
    @discardableResult
    public func suspend() -> Task<Void, Never> {
        remote.isSuspended.store(true, ordering: .sequentiallyConsistent)
        return Task {
            await withTaskGroup(of: Void.self) { group in
                for client in all where client.service.isRemote { group.addTask { await client.connection.suspend() } }
            }
        }
    }

    /// Lets sessions connect again, and connects those that ``suspend()`` has disconnected. At most 64 connect at a time,
    /// as after a start (``reconnect()``). Any thread may call it.
    ///
    /// Returns what ends when each has settled, or was waited for 10 s.
    @discardableResult
    public func resume() -> Task<Void, Never> {
        remote.isSuspended.store(false, ordering: .sequentiallyConsistent)
        return Task { await attempt { await $0.resume() } }
    }
}

extension SessionConnection {
    /// Whether no connection may be open now.
    var isSuspended: Bool { service.isRemote && remote.isSuspended.load(ordering: .sequentiallyConsistent) }

    /// Closes what is open. The next attempt begins with ``resume()``.
    func suspend() async {
        guard isSuspended, let closing = open else { return }
        await lost(attempt: attempt)
        await closing.close()
    }

    /// Begins the attempt that the session waits for. Returns when that has settled, or after 10 s.
    func resume() async {
        guard !isSuspended, machine.isWaiting else { return }
        retry?.cancel()
        _ = await settled(after: { [self] in await handle(.retryDue) })
    }
}

extension ChatError {
    static let suspended = ChatError(.notConnected, "The gateway has lost touch with its database.")
}
