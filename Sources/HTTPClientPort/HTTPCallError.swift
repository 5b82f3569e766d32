import NIOSSL

/// Why a call has no answer. No case holds a URL, a header or a body.
public enum HTTPCallError: Error, Sendable, Equatable {
    /// The call's time was over.
    case timeout
    /// The URL is none of `http` or `https` with a host.
    case invalidURL
    /// The host's name has no address.
    case unknownHost
    /// The other side ended the call before its answer.
    case noAnswer
    /// Nobody who is trusted has signed the other side's certificate, or it is not valid now.
    case untrustedCertificate
    /// The other side's certificate is for another host.
    case certificateOfAnotherHost

    /// What an error of the TLS handshake says of the other side's certificate; nil for any other error.
    init?(certificate error: any Error) {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            self = .certificateOfAnotherHost
        } else if case .handshakeFailed(let reason)? = error as? NIOSSLError,
            String(describing: reason).contains("CERTIFICATE_VERIFY_FAILED")
        {
            self = .untrustedCertificate
        } else {
            return nil
        }
    }
}
