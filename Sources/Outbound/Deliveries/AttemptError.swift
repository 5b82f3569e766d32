import HTTPClientPort

/// Why an attempt had no answer, for the list of attempts.
enum AttemptError {
    /// One word, without a host, a path or anything of what was sent.
    static func word(for error: any Error) -> String {
        switch error {
        case is AddressRefusal: "addressRefused"
        case HTTPCallError.timeout: "timeout"
        case HTTPCallError.unknownHost: "unknownHost"
        case HTTPCallError.invalidURL: "invalidURL"
        case HTTPCallError.untrustedCertificate: "untrustedCertificate"
        case HTTPCallError.certificateOfAnotherHost: "certificateOfAnotherHost"
        default: "notConnected"
        }
    }
}
