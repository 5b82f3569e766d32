import HTTPClientPort

/// The apps that the gateway pushes to, each with its connection and its tokens.
///
/// Apps of one signing key share its tokens, because APNs counts renewals by key. At one address they share the
/// connection, too.
package final class APNsApps: Sendable {
    struct Entry: Sendable {
        let app: APNsApp
        let tokens: APNsProviderTokens
        let connection: APNsConnection
    }

    let entries: [Entry]

    /// - Parameter connect: makes a port that keeps one connection of its own.
    package init(
        _ accesses: [APNsAccess] = [],
        connect: @escaping @Sendable (TrustRoots?) -> any HTTPPort = { AsyncHTTPPort.keepingConnection(trustRoots: $0) }
    ) {
        var tokens: [[String]: APNsProviderTokens] = [:]
        var connections: [[String]: APNsConnection] = [:]
        entries = accesses.map { access in
            let app = access.app
            let signer = [app.team, app.keyID, app.keyPath]
            let place = signer + [app.url, app.caPath ?? ""]
            let provider = tokens[signer] ?? APNsProviderTokens(key: access.key, keyID: app.keyID, team: app.team)
            let connection = connections[place] ?? APNsConnection { connect(access.trustRoots) }
            tokens[signer] = provider
            connections[place] = connection
            return Entry(app: app, tokens: provider, connection: connection)
        }
    }

    /// - Parameter topic: nil: the first app of the channel.
    func entry(topic: String?, channel: String) -> Entry? {
        entries.first { (topic == nil || $0.app.topic == topic) && $0.app.serves(channel: channel) }
    }

    /// The apps of a channel's customers.
    func apps(in channel: String) -> [APNsApp] { entries.map(\.app).filter { $0.serves(channel: channel) } }
}
