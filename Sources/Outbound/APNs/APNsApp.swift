import Formats

/// An app that the gateway may push to, as the file of `--apns` configures it.
package struct APNsApp: ConfiguredApp, Hashable {
    package static let kind = AppKind.apns

    /// Which of Apple's two services an app's tokens belong to.
    package enum Environment: String, Sendable, CaseIterable {
        case production, sandbox

        var url: String {
            switch self {
            case .production: "https://api.push.apple.com"
            case .sandbox: "https://api.sandbox.push.apple.com"
            }
        }
    }

    /// The app's bundle id.
    package let topic: String
    package let team: String
    package let keyID: String
    /// The path of the `.p8` file.
    package let keyPath: String
    package let environment: Environment
    /// Ids of the channels whose devices are this app's; nil: of all.
    package let channels: [String]?
    /// Where requests go, without a slash at the end: Apple's service, or a relay or simulator of the developer's own.
    package let url: String
    /// The path of a file of certificates (PEM) that are trusted in place of the system's, for ``url``.
    package let caPath: String?

    package init(
        topic: String, team: String, keyID: String, keyPath: String, environment: Environment, channels: [String]?,
        url: String,
        caPath: String? = nil
    ) {
        self.topic = topic
        self.team = team
        self.keyID = keyID
        self.keyPath = keyPath
        self.environment = environment
        self.channels = channels
        self.url = url
        self.caPath = caPath
    }

    package var name: String { topic }
    package var environmentName: String? { environment.rawValue }

    /// Names the app as it is configured: another configuration of what APNs looks at has another one.
    package var fingerprint: String {
        Hexadecimal.digest(
            [topic, team, keyID, environment.rawValue, url, (channels ?? []).joined(separator: "\u{1}")]
                .joined(separator: "\u{0}"))
    }
}
