import ChatModel
import CryptoExtras
import Formats
import HTTPClientPort

/// A service account of Google's with its private key, as its JSON file has it. It is a secret.
package struct FCMAccount: Sendable {
    /// The most bytes that the file may have; Google's have 2,400.
    package static let maximumLength = 16 << 10

    /// Names the account: a mail address.
    let email: String
    let keyID: String?
    let key: _RSA.Signing.PrivateKey
    /// Where access tokens are to be had, an https URL.
    let tokenURL: TargetAddress

    /// Reads the file. Throws ``InvalidMembers`` with all that is wrong, and nothing of any value.
    package init(_ bytes: [UInt8]) throws(InvalidMembers) {
        func refusal(_ reason: String) -> InvalidMembers { InvalidMembers([.init(pointer: "", reason: reason)]) }
        guard bytes.count <= Self.maximumLength else {
            throw refusal("The file has more than \(Self.maximumLength) bytes.")
        }
        guard let json = try? JSONParser.parse(bytes), json.members != nil else {
            throw refusal("The file holds no JSON object, as the keys of Google's service accounts do.")
        }
        var reader = MemberReader(pointer: "")
        _ = reader.read("/type", json["type"]) { value throws(MemberReader.Refusal) in
            guard value.string == "service_account" else { throw .init("service_account is expected.") }
        }
        let email = reader.read("/client_email", json["client_email"], Self.name)
        let keyID = reader.readOptional("/private_key_id", json["private_key_id"], Self.name)
        let key = reader.read("/private_key", json["private_key"], Self.key)
        let tokenURL = reader.read("/token_uri", json["token_uri"], Self.address)
        guard reader.faults.isEmpty, let email, let key, let tokenURL else { throw InvalidMembers(reader.faults) }
        self.email = email
        self.keyID = keyID
        self.key = key
        self.tokenURL = tokenURL
    }

    private static func name(_ value: JSONValue) throws(MemberReader.Refusal) -> String {
        guard let text = value.string, (1...320).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .init("1 to 320 printable characters of ASCII are expected.") }
        return text
    }

    private static func key(_ value: JSONValue) throws(MemberReader.Refusal) -> _RSA.Signing.PrivateKey {
        guard let pem = value.string, let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else {
            throw .init("A private key of RSA in PEM is expected, with 2,048 bits at least.")
        }
        return key
    }

    private static func address(_ value: JSONValue) throws(MemberReader.Refusal) -> TargetAddress {
        let text = try AppsFile.string(value)
        do throws(AddressRefusal) {
            return try TargetAddress(text, schemes: [.https], maximumLength: 512)
        } catch {
            throw .init(error.detail)
        }
    }
}

extension FCMAccount: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "FCMAccount" }
    package var debugDescription: String { description }
}

/// An app with what the gateway needs to push to it.
package struct FCMAccess: Sendable {
    package let app: FCMApp
    package let account: FCMAccount
    /// Who is believed to be Google; nil: whom the system trusts.
    package let trustRoots: TrustRoots?

    package init(app: FCMApp, account: FCMAccount, trustRoots: TrustRoots? = nil) {
        self.app = app
        self.account = account
        self.trustRoots = trustRoots
    }
}

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

/// An app that is reached by FCM, as the file of `--fcm` configures it.
package struct FCMApp: ConfiguredApp, Hashable {
    package static let kind = AppKind.fcm

    /// Where pushes go when the file names no other address.
    package static let defaultURL = "https://fcm.googleapis.com"

    /// The id of the app's Firebase project.
    package let project: String
    /// The path of the service account's key: a JSON file.
    package let accountPath: String
    package let channels: [String]?
    /// Whether the app shows its notifications itself: pushes then have data only. See ``FCMPayload``.
    package let isDataOnly: Bool
    package let url: String
    /// The path of a file of certificates (PEM) that are trusted in place of the system's.
    package let caPath: String?

    package init(
        project: String, accountPath: String, channels: [String]? = nil, isDataOnly: Bool = false,
        url: String = defaultURL, caPath: String? = nil
    ) {
        self.project = project
        self.accountPath = accountPath
        self.channels = channels
        self.isDataOnly = isDataOnly
        self.url = url
        self.caPath = caPath
    }

    package var name: String { project }
    package var environmentName: String? { nil }

    package var fingerprint: String {
        Hexadecimal.digest(
            ["fcm", project, accountPath, url, (channels ?? []).joined(separator: "\u{1}")]
                .joined(separator: "\u{0}"))
    }
}
