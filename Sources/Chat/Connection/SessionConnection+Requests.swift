import ChatModel

/// Requests of the session's client, over the connection that is there.
extension SessionConnection {
    /// Runs a request on the session's connection.
    ///
    /// On the embedded service it runs in the caller's task. On a remote one it runs in a task of its own, and is
    /// answered within the limit. Throws `notConnected` when there is no connection or when it is lost before the
    /// answer, `eventTimeout`, and what the request throws.
    nonisolated func perform<T: Sendable>(
        within limit: Duration = Deadline.limit,
        _ request: @escaping @Sendable (any ServiceConnection) async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        if let embedded { return try await request(embedded) }
        guard service.isRemote else { return try await request(try await available().connection) }
        return try await Deadline(clock: clock).run(within: limit) { [self] () async throws(ChatError) -> T in
            let (connection, round) = try await available()
            return try await pending.run(in: round) { () throws(ChatError) in try await request(connection) }
        }
    }

    /// The platform behind the connection; its requests fail when the connection is lost. Throws `notConnected` when
    /// there is no connection and none is expected soon.
    nonisolated func currentPlatform() async throws(ChatError) -> BoundPlatform {
        guard let platform = bound(try await available()) else {
            throw ChatError(.notConnected, "The session's service has no platform behind it.")
        }
        return platform
    }

    /// The same, if the connection is there at this moment; nil otherwise.
    nonisolated var openPlatform: BoundPlatform? { availableNow.flatMap(bound) }

    private nonisolated func bound(_ available: Available) -> BoundPlatform? {
        available.connection.platform.map {
            BoundPlatform(platform: $0, pending: pending, round: available.round)
        }
    }

    /// A connection, and the round of ``PendingRequests`` in which it can be used.
    private typealias Available = (connection: any ServiceConnection, round: Int)

    private nonisolated var availableNow: Available? {
        let status = status
        return status.open.map { ($0, status.round) }
    }

    /// The connection. Waits for it up to 10 s while it is expected (``ConnectionMachine/isConnectionExpected``). After
    /// a failed attempt nobody waits: the error says at once why there is no connection.
    private nonisolated func available() async throws(ChatError) -> Available {
        if let availableNow { return availableNow }
        return try await expected()
    }

    private func expected() async throws(ChatError) -> Available {
        if machine.isConnectionExpected {
            // After a restart a stored session waits for its turn. A request takes it up now.
            if machine.isWaiting, machine.state == .preparing {
                _ = await settled(after: { [self] in await handle(.retryDue) })
            } else {
                _ = await settled()
            }
        }
        guard machine.state.isChatAvailable, let connection = open else {
            let cause = machine.error.map { " \($0.detail)" } ?? ""
            throw ChatError(.notConnected, "The session is \(machine.state.rawValue), not connected.\(cause)")
        }
        return (connection, pending.round)
    }
}
