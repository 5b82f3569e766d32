import CCrypt
import Glibc

/// A password as crypt(5) keeps it: by yescrypt, which needs memory as well as time, so that guessing is dear also for those
/// who have stolen the database.
package enum PasswordHash {
    /// The beginning of a text with the present cost: 32 MiB of memory, and about 60 ms of a processor.
    package static let prefix = "$y$jAT$"
    private static let cost: UInt = 6

    /// More bytes than this no password may have: crypt(3) refuses 512.
    package static let maximumByteCount = 500

    /// What is to be kept of a password. It computes for long. Nil when there is no memory for it.
    package static func of(_ password: String) -> String? {
        guard let setting = crypt_gensalt_ra("$y$", cost, nil, 0) else { return nil }
        defer { free(setting) }
        return compute(password, String(cString: setting))
    }

    /// Whether this is the password of which ``of(_:)`` has made the text. It computes for long.
    package static func matches(_ password: String, _ hash: String) -> Bool {
        guard let computed = compute(password, hash) else { return false }
        return areSameSecret(computed.utf8, hash.utf8)
    }

    /// - Parameter setting: how to compute, as a hash begins, or a whole hash.
    private static func compute(_ password: String, _ setting: String) -> String? {
        // crypt(3) reads up to a NUL: the rest of the password would not count.
        guard password.utf8.count <= maximumByteCount, !password.utf8.contains(0) else { return nil }
        var data: UnsafeMutableRawPointer?
        var size: Int32 = 0
        defer { free(data) }
        guard let result = crypt_ra(password, setting, &data, &size) else { return nil }
        let text = String(cString: result)
        // Texts that begin with this stand for failures. No password may match them.
        return text.hasPrefix("*") ? nil : text
    }
}
