import Bounds

/// Who may use a route. The application checks it before the handler runs.
package enum Access: Sendable, Hashable {
    /// Everybody. No credential is looked at: a wrong one is no error.
    case open
    /// Whoever has a valid credential. What the answer shows depends on who asks.
    case known
    /// The session that the path's parameter `session` names, by its own token; and whoever has the scope.
    case session(Scope)
    /// Whoever has the scope.
    case scope(Scope)
    /// A person who is signed in, for what is their own.
    case person
    /// Whoever runs the gateway, and administrators who have shown a short time ago who they are. No key and no scope opens
    /// it: here credentials are made.
    case administer

    /// The name of the case.
    package var name: String {
        switch self {
        case .open: "open"
        case .known: "known"
        case .session: "session"
        case .scope: "scope"
        case .person: "person"
        case .administer: "administer"
        }
    }

    /// The scope that opens the route; nil where scopes do not count.
    package var scope: Scope? {
        switch self {
        case .session(let scope), .scope(let scope): scope
        case .open, .known, .person, .administer: nil
        }
    }
}

/// On whose behalf a request is made, as its credential says.
package enum Identity: Sendable, Hashable {
    /// No identity was established: the route is ``Access/open``.
    case nobody
    /// Whoever has the gateway's token.
    case gateway
    /// Whoever runs the gateway, in a browser that has the login with this id. The rights are the same.
    case `operator`(login: String)
    /// The person with this id, in a browser that has the login.
    case person(String, login: String)
    /// The token of the session with this id.
    case session(String)
    /// The key with this id.
    case key(String)

    /// Whether it is the one who runs the gateway, by whatever credential.
    package var runsGateway: Bool {
        switch self {
        case .gateway, .operator: true
        case .nobody, .person, .session, .key: false
        }
    }

    /// Whether it opens what its scopes open, and only on its channels. Others open all, or what belongs to them.
    package var hasScopes: Bool {
        switch self {
        case .person, .key: true
        case .nobody, .gateway, .operator, .session: false
        }
    }

    /// In whose share of places it stands.
    package var holder: Holder {
        switch self {
        case .nobody: .nobody
        case .gateway, .operator: .root
        case .session(let id): .named(id)
        case .key, .person: .named(name)
        }
    }

    /// A name for the scope of idempotency keys. It does not depend on the credential's text, so an idempotency key stays
    /// valid when a token is renewed or an access key is rotated.
    package var name: String {
        switch self {
        case .nobody: "nobody"
        case .gateway, .operator: "gateway"
        case .person(let id, _): "person:\(id)"
        case .session(let id): "session:\(id)"
        case .key(let id): "key:\(id)"
        }
    }
}

/// A part of what a browser shows to be let in. It needs both.
package enum LoginHalf: String, Sendable {
    /// The cookie. Browsers send it to all ports of a host, so it opens nothing by itself.
    case cookie
    /// What the pages of this origin keep, and send in the header `Parley-Page`.
    case page
}

/// What an identity may do, besides what belongs to it.
///
/// A class, because the same rights are looked at for each request.
package final class Rights: Sendable {
    package let scopes: ScopeSet
    /// The channels whose sessions and conversations are there for it; nil for all. All others are as if they did not
    /// exist.
    package let channels: Set<String>?

    package static let all = Rights(scopes: .all)
    /// Those of a session's own token: it opens its session, whatever the channel is.
    package static let own = Rights(scopes: ScopeSet([]))
    /// Those of nobody, and of a key that has ended: no channel is there, also for a request that was let in before.
    package static let none = Rights(scopes: ScopeSet([]), channels: [])

    package init(scopes: ScopeSet, channels: Set<String>? = nil) {
        self.scopes = scopes
        self.channels = channels
    }

    /// Whether what belongs to the channel is there for it.
    package func reaches(_ channel: String) -> Bool { channels?.contains(channel) ?? true }
}

/// A kind of work that a key or a person may be allowed: what it is about, and whether it reads, writes or manages.
///
/// The raw value is the scope's name in the API and in the document.
package enum Scope: String, CaseIterable, Sendable {
    /// Sessions, and all that is below their paths. Writing makes sessions, too.
    case sessionsRead = "sessions.read"
    case sessionsWrite = "sessions.write"
    /// All conversations of the embedded service.
    case deskRead = "desk.read"
    case deskWrite = "desk.write"
    /// Opens and closes live chats.
    case deskManage = "desk.manage"
    /// Exports and erases customers, and changes what is vouched for. To read about them is ``deskRead``, to change names
    /// and fields ``deskWrite``.
    case customersWrite = "customers.write"
    /// The settings of channels.
    case channelsRead = "channels.read"
    case channelsWrite = "channels.write"
    /// Webhooks and their deliveries.
    case webhooksRead = "webhooks.read"
    case webhooksWrite = "webhooks.write"
    case metricsRead = "metrics.read"
    /// Requests, streams, the log, and the events of everybody. Writing sets what is captured and logged.
    case inspectRead = "inspect.read"
    case inspectWrite = "inspect.write"
    /// The shop's people, without what they sign in with.
    case peopleRead = "people.read"
    /// Lists of keys, without their secrets.
    case keysRead = "keys.read"
    /// What administrators have done.
    case auditRead = "audit.read"
    /// Figures on the desk's work.
    case reportsRead = "reports.read"
    /// The stand-in of CXone: its faults, scripts and frames.
    case sandboxWrite = "sandbox.write"

    /// The scope that this one implies: who manages may write, and who writes may read.
    var implied: Scope? {
        switch self {
        case .deskManage: .deskWrite
        case .deskWrite: .deskRead
        case .sessionsWrite: .sessionsRead
        case .channelsWrite: .channelsRead
        case .webhooksWrite: .webhooksRead
        case .inspectWrite: .inspectRead
        default: nil
        }
    }

    /// Whether its routes are about channels, so that a key which has it can be limited to some of them.
    package var isLimitable: Bool {
        switch self {
        case .sessionsRead, .sessionsWrite, .deskRead, .deskWrite, .customersWrite, .channelsRead, .reportsRead: true
        default: false
        }
    }
}

/// Scopes, with all that they imply.
package struct ScopeSet: Sendable, Equatable {
    private var bits: UInt32

    package static let all = ScopeSet(Scope.allCases)

    package init(_ scopes: some Sequence<Scope>) {
        bits = 0
        for scope in scopes {
            var next: Scope? = scope
            while let scope = next {
                bits |= Self.bit(scope)
                next = scope.implied
            }
        }
    }

    package func contains(_ scope: Scope) -> Bool { bits & Self.bit(scope) != 0 }

    private static func bit(_ scope: Scope) -> UInt32 {
        switch scope {
        case .sessionsRead: 1 << 0
        case .sessionsWrite: 1 << 1
        case .deskRead: 1 << 2
        case .deskWrite: 1 << 3
        case .deskManage: 1 << 4
        case .customersWrite: 1 << 5
        case .channelsRead: 1 << 6
        case .channelsWrite: 1 << 7
        case .webhooksRead: 1 << 8
        case .webhooksWrite: 1 << 9
        case .metricsRead: 1 << 10
        case .inspectRead: 1 << 11
        case .inspectWrite: 1 << 12
        case .keysRead: 1 << 13
        case .auditRead: 1 << 14
        case .sandboxWrite: 1 << 15
        case .peopleRead: 1 << 16
        case .reportsRead: 1 << 17
        }
    }
}
