import ChatModel
import ChatStore

/// What a stream shows of an event. It names no reader: readers with equal views get equal bytes.
struct EventView: Hashable {
    /// With what only the desk sees.
    var isDesks = false
    /// The account's part in the thread, if the event carries a thread.
    var membership: Membership?
    /// Members, without braces, that go in front of the object's own.
    var concerns: [UInt8] = []

    /// The event's JSON in this view, without ``concerns``.
    func data(of event: LogEvent) -> [UInt8] {
        let member = membership == nil ? nil : event.members.first { $0.membership == membership }
        guard isDesks else { return member.map { event.data(for: $0.audience) } ?? event.data }
        var data = event.data(for: .desk)
        // The stream has both readers: it gets the desk's data, with the account's membership added.
        if let membership {
            data.removeLast(2)
            data.append(contentsOf: ",".utf8)
            data.append(contentsOf: membership.members)
            data.append(contentsOf: "}}".utf8)
        }
        return data
    }
}

extension StreamScope {
    /// How this stream shows an event.
    func view(of event: LogEvent) -> EventView {
        switch kind {
        case .desk: return EventView(isDesks: true)
        case .log:
            let sessions = event.audiences.compactMap { audience -> String? in
                if case .session(let id) = audience { return id }
                return nil
            }
            let audience = EventAudience(
                sessions: sessions, isDesks: event.audiences.contains(.desk), loggedAt: event.at)
            return EventView(isDesks: true, concerns: Array(audience.canonicalJSON.dropFirst().dropLast()))
        case .session: return EventView(membership: sessions.first.flatMap { membership($0.account, in: event) })
        case .combined:
            let audiences = event.audiences
            let concerned = sessions.filter {
                audiences.contains(.account($0.account)) || audiences.contains(.session($0.id))
                    || $0.channel.map(audiences.contains) ?? false
            }
            let isDesks = hasDesk && audiences.contains(.desk)
            return EventView(
                isDesks: isDesks, membership: concerned.first.flatMap { membership($0.account, in: event) },
                concerns: concerns(concerned.map(\.id), desk: isDesks))
        }
    }

    private func membership(_ account: Int64, in event: LogEvent) -> Membership? {
        guard event.type == .threadCreated || event.type == .threadUpdated else { return nil }
        return event.members.first { $0.audience == .account(account) }?.membership
    }
}
