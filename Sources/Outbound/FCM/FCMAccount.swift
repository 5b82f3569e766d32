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
