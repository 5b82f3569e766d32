import Chat
import ChatModel
import Formats

/// Sessions that nobody uses end, or go from memory.
extension GatewayApplication {
    /// Milliseconds without use after which a visitor's session goes from memory.
    private static let rest: Int64 = 3_600_000

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

    /// Stores when sessions were used, ends those of customers whose time without use is over, and lets go of those in memory
    /// that nobody uses at present.
    func endUnusedSessions() async throws(ChatError) {
        try await core.sessions.storeUse()
        for id in try await core.sessions.deleteEnded() { core.hub.sessionEnded(id) }
        try await core.sessions.rest(unusedSince: core.environment.now().advanced(byMilliseconds: -Self.rest))
    }

    /// Deletes the sessions that nobody has used for so many days; 0 deletes none.
    func deleteUnusedSessions(days: Int) async throws(ChatError) {
        guard days > 0 else { return }
        let time = core.environment.now().advanced(byMilliseconds: -Int64(days) * 86_400_000)
        for id in try await core.sessions.deleteUnused(since: time) { core.hub.sessionEnded(id) }
    }
}
