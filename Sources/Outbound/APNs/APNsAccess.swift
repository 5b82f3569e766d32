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
