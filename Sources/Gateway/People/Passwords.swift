import Bounds
import ChatModel
import ChatStore
import Dispatch
import Formats
import HTTPRouting
import MicroHTTP

/// Checks and makes passwords. Each needs 32 MiB of memory and keeps a processor busy, so two are computed at a time, on
/// threads of their own, and few wait.
final class Passwords: Sendable {
    private let line = PlaceLine(limit: 2, waiting: 16)
    private let queue = DispatchQueue(label: "passwords", attributes: .concurrent)

    /// Of no password that anybody knows. It is computed against where there is none, so that the time of an answer does not
    /// tell whether there is such a person.
    private static let nobodys = "$y$jAT$AfQ8ziZGISfIpkfZwmA1D1$zZZv9FS48mDvZaxSULwmBH73.6Yf71nUWERibUTvi5D"

    /// Whether the password is the one of the hash.
    ///
    /// - Parameters:
    ///   - hash: nil where there is none; the answer takes as long.
    ///   - peer: whose share of the places it needs.
    /// - Throws: `shareExceeded`, `tooManyRequests`.
    func isRight(_ password: String, _ hash: String?, from peer: Peer) async throws -> Bool {
        let matches = try await compute(peer) { PasswordHash.matches(password, hash ?? Self.nobodys) }
        return matches && hash != nil
    }

    /// What is to be kept of a new password. Throws as ``isRight(_:_:from:)``, and `storageFailed` without memory.
    func hash(_ password: String, from peer: Peer) async throws -> String {
        guard let hash = try await compute(peer, { PasswordHash.of(password) }) else {
            throw ChatError(.storageFailed, "There is no memory for a password's digest.")
        }
        return hash
    }

    private func compute<T: Sendable>(_ peer: Peer, _ work: @escaping @Sendable () -> T) async throws -> T {
        try await line.holding(.named("address:\(FailureLimiter.address(peer))"), for: "passwords") { [queue] in
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: work()) }
            }
        }
    }
}

/// Which passwords are too weak. There are no rules about kinds of characters: they make passwords that people write down.
enum PasswordRules {
    /// Why a password is refused.
    enum Weakness: String {
        case short, long, repeated, personal, common
    }

    /// In Unicode code points.
    static let minimumLength = 15

    /// Nil for a good one.
    static func weakness(of password: String, for person: Person) -> Weakness? {
        if password.unicodeScalars.count < minimumLength { return .short }
        if password.utf8.count > PasswordHash.maximumByteCount { return .long }
        if Set(password.unicodeScalars).count < 5 { return .repeated }
        let plain = letters(password)
        let uncommon = common.reduce(plain) { $0.replacing($1, with: "") }
        if uncommon.count < 5, uncommon.count < plain.count { return .common }
        let names = [person.id, person.name, person.publicName ?? "", person.email].flatMap {
            $0.split { !$0.isLetter && !$0.isNumber }
        }.map { letters(String($0)) }.filter { $0.count > 2 }
        let rest = names.reduce(plain) { $0.replacing($1, with: "") }
        if rest.count < 8, rest.count < plain.count { return .personal }
        return repeats(plain) ? .repeated : nil
    }

    /// Whether it is one short text several times, the last time perhaps not to its end.
    private static func repeats(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return (1...max(1, scalars.count / 2)).contains { unit in
            unit < scalars.count && scalars.indices.dropFirst(unit).allSatisfy { scalars[$0] == scalars[$0 - unit] }
        }
    }

    /// The letters and digits alone, in lower case.
    private static func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// Phrases that many people choose once they must choose a long one, the longer ones first. Repeating and joining them
    /// makes them no better.
    private static let common = [
        "correcthorsebatterystaple", "thisismypassword", "mysecretpassword", "password", "passwort", "passphrase",
        "letmein", "iloveyou", "welcome", "administrator", "changeme", "qwertyuiopasdfghjklzxcvbnm", "qwertyuiop",
        "asdfgh", "zxcvbn", "qwerty", "qwertzuiop", "asdfghjkl", "zxcvbnm", "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv",
        "abcdefghijklmnopqrstuvwxyz",
        "abcdefghijklmnop", "abc123", "passw0rd", "1234567890", "0123456789", "123456789",
        "12345678", "123456", "12345", "9876543210", "987654321", "monkey", "dragon", "football", "baseball",
        "superman",
        "sunshine", "princess", "trustno1", "whatever", "customersupport", "customerservice", "supportteam", "helpdesk",
        "tobeornottobethatisthequestion", "tobeornottobe", "maytheforcebewithyou", "onceuponatime",
        "thequickbrownfoxjumpsoverthelazydog", "thequickbrownfox", "loremipsumdolorsitamet",
    ].sorted { $0.count > $1.count }
}

extension ObjectReader {
    /// A password that somebody chooses or shows. What ``PasswordRules`` say of it is checked later.
    mutating func password(_ name: String) -> String { requiredKey(name, length: 1...1000) }
}
