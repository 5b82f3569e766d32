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
