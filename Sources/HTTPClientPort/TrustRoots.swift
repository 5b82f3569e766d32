import NIOSSL

/// Certificates that are trusted in place of the system's: whoever they have signed for is believed to be the host of
/// that name.
public struct TrustRoots: Sendable {
    let certificates: [NIOSSLCertificate]

    /// The file cannot be read, or holds no certificate in PEM.
    public struct Unreadable: Error, Sendable {}

    /// Reads the file now; a later change of it changes nothing.
    ///
    /// - Parameter file: the path of a PEM file with one certificate or more.
    public init(file: String) throws(Unreadable) {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
            throw Unreadable()
        }
        self.certificates = certificates
    }

    /// For calls to servers that show a certificate of these roots.
    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(certificates)
        return configuration
    }
}
