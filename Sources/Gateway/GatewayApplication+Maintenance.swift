import Chat
import ChatModel
import ChatStore
import Formats

/// What the gateway does at its start and from time to time. The process calls it, by timers.
extension GatewayApplication {
    /// Reads the keys, the people and their logins. Call it once, before the server starts. Throws when the database fails.
    public func loadAccess() async throws(ChatError) {
        try await core.keys.load()
        try await core.people.load()
        try await core.logins.load()
        for channel in try await core.store.read({ try $0.channels(of: "local") }) {
            core.visitorSettings.takeSettings(of: channel)
        }
    }

    /// Ends what expired credentials have opened. Call it about once a minute.
    public func endExpiredAccess() {
        core.reviewAccess()
        let now = core.environment.now()
        for session in core.sessions.all where session.hasEnded(at: now) || session.term.isUnverified(at: now) {
            core.hub.sessionEnded(session.id)
        }
    }

    /// Goes on with the erasures of customers that a stop has cut off. Call it at the start, when the services are there.
    /// Throws when the database fails; the next call goes on.
    public func resumeErasures() async throws(ChatError) {
        let hub = core.hub
        try await core.sessions.resumeErasures { hub.sessionEnded($0) }
    }

    /// Stores what is known of uses, and deletes what has ended: unused sessions, links, logins, invitations, devices, and old
    /// entries of the audit. Call it about once an hour.
    ///
    /// - Throws: when the database fails.
    public func maintain() async throws(ChatError) {
        try await endUnusedSessions()
        while try await core.store.write(inBackground: true, { try $0.removeExpiredLinks() }) > 0 {}
        try await core.keys.storeUse()
        try await core.people.storeSight()
        try await core.logins.maintain()
        try await core.store.write(inBackground: true) { transaction in
            try transaction.removeExpiredInvitations()
            try transaction.removeLapsedDeskDevices()
        }
        try await trimAudit()
        try await deleteUnusedSessions(days: core.rules.sessionDays)
    }

    /// Deletes what of the audit is too old, or too much.
    private func trimAudit() async throws(ChatError) {
        let days = Int64(core.rules.auditDays)
        let time = core.environment.now().advanced(byMilliseconds: -days * 86_400_000)
        while try await core.store.write(
            inBackground: true, { try $0.trimAudit(olderThan: time, atMost: Self.auditStep) })
            == Self.auditStep
        {}
    }

    private static let auditStep = 200
}
