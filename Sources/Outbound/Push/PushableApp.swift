import ChatModel
import ChatStore
import HTTPClientPort

/// An app to which the gateway may push, as the file of its push service configures it.
package protocol ConfiguredApp: Sendable {
    static var kind: AppKind { get }
    /// What its push service calls it: see ``AppKind/nameMember``.
    var name: String { get }
    /// Which of its service's environments it is in; nil where there is only one.
    var environmentName: String? { get }
    /// Ids of the channels whose devices are this app's; nil: of all.
    var channels: [String]? { get }
    /// Where requests go, without a slash at the end.
    var url: String { get }
    /// Names the app as it is configured: another configuration of what the service looks at has another one.
    var fingerprint: String { get }
}

extension ConfiguredApp {
    /// What the log calls it.
    var title: String { name + (environmentName.map { " (\($0))" } ?? "") }

    /// Of ``url``, without the scheme.
    var host: String { String(url.drop { $0 != "/" }.drop { $0 == "/" }) }

    package func serves(channel: String) -> Bool { channels?.contains { $0.utf8.elementsEqual(channel.utf8) } ?? true }

    /// Whether some channel has both apps, so that their names must differ.
    func sharesChannel(with other: Self) -> Bool {
        guard let channels else { return true }
        return channels.contains { other.serves(channel: $0) }
    }
}

/// A configured app with what it needs to call its push service.
package protocol PushableApp: Sendable {
    var configuration: any ConfiguredApp { get }

    /// One attempt, which ends within a time limit of its own. Throws when no answer came.
    ///
    /// - Parameter token: of the device, and of the app's kind.
    func send(_ push: Push, to device: TargetRecord, at token: DeviceToken) async throws -> AppAnswer
}

/// What the push service of an app answered.
package struct AppAnswer: Sendable {
    var outcome: AttemptOutcome
    var status: Int?
    /// The service's word for what went wrong: letters, digits and underscores.
    var reason: String?
    /// How long the service asked to wait.
    var retryAfter: Duration?
    /// Who answered, where it was not the host of the app's own address.
    var host: String?
    /// With ``AttemptOutcome/refused``: the token was made for another app, so the file of the apps may name a wrong one.
    var isOfAnotherApp = false
}

/// The apps to which the gateway pushes, of all kinds.
package struct PushApps: Sendable {
    private let all: [any PushableApp]

    package init(_ all: [any PushableApp] = []) { self.all = all }

    /// In the order of the files.
    var configurations: [any ConfiguredApp] { all.map(\.configuration) }

    /// - Parameter name: nil: the first app of this kind in the channel.
    func app(_ kind: AppKind, named name: String?, channel: String) -> (any PushableApp)? {
        all.first {
            let app = $0.configuration
            return app.kind == kind && (name == nil || app.name == name) && app.serves(channel: channel)
        }
    }

    /// The apps of this kind that a channel's customers may have.
    func configurations(_ kind: AppKind, in channel: String) -> [any ConfiguredApp] {
        configurations.filter { $0.kind == kind && $0.serves(channel: channel) }
    }
}

extension ConfiguredApp {
    var kind: AppKind { Self.kind }
}
