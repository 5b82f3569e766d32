import Chat
import ChatModel

/// Maintenance of sessions that nobody uses. The process calls it by timers.
extension GatewayApplication {
    /// Counts the sessions of open streams as used, and moves the clock by which uses are dated. Call it about once a
    /// minute; uses are therefore exact to the minute.
    public func noteSessionUse() {
        core.sessions.clock.tick(core.environment.now())
        core.life.loop?.execute { [hub = core.hub, sessions = core.sessions] in
            for stream in hub.streams.values {
                for session in stream.scope.sessions { sessions.client(session.id)?.noteUse() }
            }
        }
    }

    /// Goes on with the erasures of customers that a stop has cut off. Call it at the start, when the services are there.
    /// Throws when the database fails; the next call goes on.
    public func resumeErasures() async throws(ChatError) {
        let hub = core.hub
        try await core.sessions.resumeErasures { hub.sessionEnded($0) }
    }

    /// Stores when sessions were used, and deletes those that nobody has used for so long. Call it about once an hour.
    ///
    /// - Parameter unusedDays: days without use; 0 deletes none.
    /// - Throws: when the database fails.
    public func maintainSessions(unusedDays: Int) async throws(ChatError) {
        try await core.sessions.storeUse()
        guard unusedDays > 0 else { return }
        let time = core.environment.now().advanced(byMilliseconds: -Int64(unusedDays) * 86_400_000)
        for id in try await core.sessions.expire(unusedSince: time) { core.hub.sessionEnded(id) }
    }
}
