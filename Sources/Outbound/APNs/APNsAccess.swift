import Crypto
import HTTPClientPort

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
