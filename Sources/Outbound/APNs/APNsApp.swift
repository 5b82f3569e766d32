/// An app that the gateway may push to, as the file of `--apns` configures it.
package struct APNsApp: Sendable, Hashable {
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

    package func serves(channel: String) -> Bool { channels?.contains { $0.utf8.elementsEqual(channel.utf8) } ?? true }

    /// Whether some channel has both apps, so that their topics must differ.
    func sharesChannel(with other: APNsApp) -> Bool {
        guard let channels else { return true }
        return channels.contains { other.serves(channel: $0) }
    }
}
