import CXoneWire

/// What a fingerprint says of the app's device, where it says anything.
enum DeviceNews: Sendable, Hashable {
    /// The app on one of Apple's systems can be reached under this token.
    case token(String)
    /// Nothing is to be pushed to it any more.
    case removed

    /// Bytes of a token. The platform's own are shorter.
    static let maximumTokenLength = 512

    /// Nil where the fingerprint does not mention a token, where the token is too long to be one, or where it is none of
    /// Apple's systems: the device stays as it is known.
    init?(_ fingerprint: DeviceFingerprint?) {
        switch fingerprint?.deviceToken {
        case .token(let token):
            guard token.utf8.count <= Self.maximumTokenLength, ["ios", "ipados"].contains(fingerprint?.os?.lowercased()) else { return nil }
            self = .token(token)
        case .removed: self = .removed
        case nil: return nil
        }
    }
}
