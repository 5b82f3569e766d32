import ChatModel
import Formats

/// Reads the file of `--fcm`: the apps that the gateway may push to by Firebase Cloud Messaging.
///
///     [{"project": "example-shop", "account": "service-account.json", "data only": false, "channels": ["main"],
///       "url": "https://localhost:8443", "ca": "ca.pem"}]
///
/// `data only`, `channels`, `url` and `ca` may be absent. `ca` is for the `url` and for the account's `token_uri`.
package enum FCMAppsFile {
    private static let members: Set<String> = ["project", "account", "data only", "channels", "url", "ca"]

    /// Throws ``InvalidMembers`` with all that is wrong. The files of the accounts are not looked at.
    package static func parse(_ bytes: [UInt8]) throws(InvalidMembers) -> [FCMApp] {
        try AppsFile.parse(bytes, members: members, app)
    }

    private static func app(_ json: JSONValue, _ reader: inout MemberReader) -> FCMApp? {
        let project = reader.read("/project", json["project"], Self.project)
        let accountPath = reader.read("/account", json["account"]) { value throws(MemberReader.Refusal) in
            try AppsFile.path(value, of: "a service account's key")
        }
        let isDataOnly = reader.readOptional("/data only", json["data only"]) { value throws(MemberReader.Refusal) in
            guard let flag = value.bool else { throw .init("true or false is expected, but this is \(value.kind).") }
            return flag
        }
        let place = AppsFile.Place(json, &reader)
        guard reader.faults.isEmpty, let project, let accountPath else { return nil }
        return FCMApp(
            project: project, accountPath: accountPath, channels: place.channels, isDataOnly: isDataOnly ?? false,
            url: place.url ?? FCMApp.defaultURL, caPath: place.caPath)
    }

    private static func project(_ value: JSONValue) throws(MemberReader.Refusal) -> String {
        let text = try AppsFile.string(value)
        guard (1...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isAlphanumeric || "-.:".utf8.contains($0) }),
            text.utf8.contains(where: \.isAlphanumeric)
        else {
            throw .init("A project's id is expected: 1 to 128 letters, digits and hyphens.")
        }
        return text
    }
}
