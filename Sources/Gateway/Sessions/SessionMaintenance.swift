import Chat
import ChatModel

/// What becomes of sessions that nobody uses.
extension GatewayApplication {
    /// To be called about once a minute: what is noted as the time of use is this time. An open stream is a use.
    public func noteSessionUse() {
        core.sessions.clock.tick(core.environment.now())
        core.life.loop?.execute { [hub = core.hub, sessions = core.sessions] in
            for stream in hub.streams.values {
                for session in stream.scope.sessions { sessions.client(session.id)?.noteUse() }
            }
        }
    }

    /// To be called about once an hour: stores when sessions were used, and deletes those that nobody has used for so many days.
    ///
    /// - Parameter unusedDays: 0: none is deleted.
    public func maintainSessions(unusedDays: Int) async throws(ChatError) {
        try await core.sessions.storeUse()
        guard unusedDays > 0 else { return }
        let time = core.environment.now().advanced(byMilliseconds: -Int64(unusedDays) * 86_400_000)
        for id in try await core.sessions.expire(unusedSince: time) { core.hub.sessionEnded(id) }
    }
}
