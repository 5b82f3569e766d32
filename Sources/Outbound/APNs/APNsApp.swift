import Formats
import ChatModel
import HTTPClientPort
import Crypto

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

/// Reads the file of `--apns`: the apps that the gateway may push to.
///
///     [{"topic": "com.example.app", "team": "DEF123GHIJ", "key id": "ABC123DEFG", "key": "AuthKey_ABC123DEFG.p8",
///       "environment": "production", "channels": ["main"], "url": "https://localhost:8443", "ca": "ca.pem"}]
///
/// `channels`, `url` and `ca` may be absent; `ca` is for a `url` alone, for the system knows who signs
/// Apple's certificates.
package enum APNsAppsFile {
    private static let members: Set<String> = [
        "topic", "team", "key id", "key", "environment", "channels", "url", "ca",
    ]

    /// Throws ``InvalidMembers`` with all that is wrong. The files of the keys are not looked at.
    package static func parse(_ bytes: [UInt8]) throws(InvalidMembers) -> [APNsApp] {
        try AppsFile.parse(bytes, members: members, app)
    }

    private static func app(_ json: JSONValue, _ reader: inout MemberReader) -> APNsApp? {
        let topic = reader.read("/topic", json["topic"], Self.topic)
        let team = reader.read("/team", json["team"], Self.identifier)
        let keyID = reader.read("/key id", json["key id"], Self.identifier)
        let keyPath = reader.read("/key", json["key"]) { value throws(MemberReader.Refusal) in
            try AppsFile.path(value, of: "a .p8 file")
        }
        let environment = reader.read("/environment", json["environment"], Self.environment)
        let place = AppsFile.Place(json, &reader)
        guard reader.faults.isEmpty, let topic, let team, let keyID, let keyPath, let environment else { return nil }
        return APNsApp(
            topic: topic, team: team, keyID: keyID, keyPath: keyPath, environment: environment,
            channels: place.channels, url: place.url ?? environment.url, caPath: place.caPath)
    }

    private static func topic(_ value: JSONValue) throws(MemberReader.Refusal) -> String {
        let text = try AppsFile.string(value)
        guard (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isAlphanumeric || "-._".utf8.contains($0) })
        else {
            throw .init("A bundle id is expected: 1 to 255 letters, digits, dots and hyphens.")
        }
        return text
    }

    private static func identifier(_ value: JSONValue) throws(MemberReader.Refusal) -> String {
        let text = try AppsFile.string(value)
        guard text.utf8.count == 10, text.utf8.allSatisfy({ $0.isAlphanumeric }) else {
            throw .init("An id of 10 letters and digits is expected.")
        }
        return text
    }

    private static func environment(_ value: JSONValue) throws(MemberReader.Refusal) -> APNsApp.Environment {
        guard let environment = APNsApp.Environment(rawValue: try AppsFile.string(value)) else {
            throw .init("production or sandbox is expected.")
        }
        return environment
    }
}

/// An app with what the gateway needs to push to it.
package struct APNsAccess: Sendable {
    package let app: APNsApp
    package let key: APNsKey
    /// Who is believed to be APNs; nil: whom the system trusts.
    package let trustRoots: TrustRoots?

    package init(app: APNsApp, key: APNsKey, trustRoots: TrustRoots? = nil) {
        self.app = app
        self.key = key
        self.trustRoots = trustRoots
    }
}

/// A signing key of APNs, as Apple gives it out: a `.p8` file. It is a secret.
package struct APNsKey: Sendable {
    let signingKey: P256.Signing.PrivateKey

    /// The text is no private key of P-256 in PEM.
    package struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
        package var description: String {
            "The file holds no private key of P-256 in PEM (PKCS 8), as Apple's .p8 files do."
        }
    }

    /// - Parameter pem: the file's text.
    package init(pem: String) throws(Malformed) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { throw Malformed() }
        signingKey = key
    }
}

extension APNsKey: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "APNsKey" }
    package var debugDescription: String { description }
}
