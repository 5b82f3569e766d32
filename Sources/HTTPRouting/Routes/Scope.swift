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
