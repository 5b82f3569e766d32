import ChatModel

/// Requests of the session's client, over the connection that is there.
extension SessionConnection {
    /// Runs a request on the connection.
    ///
    /// On the embedded service it runs where its caller runs. Where a remote service is asked, it is answered within 10 s, or
    /// ``Deadline/limit``. Throws `notConnected` when there is no connection, or when it goes before the answer came;
    /// `eventTimeout`.
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

    /// The platform behind the connection. Throws `notConnected` when there is no connection, also none soon.
    nonisolated func currentPlatform() async throws(ChatError) -> any RemotePlatform {
        let (connection, round) = try await available()
        guard let platform = connection.platform else {
            throw ChatError(.notConnected, "The connection leads to no platform.")
        }
        return BoundPlatform(platform: platform, pending: pending, round: round)
    }

    /// The connection, waited for up to 10 s while it is expected. Once an attempt has failed nobody waits: it is not known
    /// when the platform is back, and the answer tells why it is away.
    private func available() async throws(ChatError) -> (connection: any ServiceConnection, round: Int) {
        if machine.isConnectionExpected {
            // A stored session whose turn has not come after a restart is taken up now.
            if machine.isWaiting, machine.state == .preparing {
                _ = await settled(after: { [self] in await take(.retryDue) })
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
