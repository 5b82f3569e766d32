import ChatModel
import Formats
import HTTPClientPort

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
