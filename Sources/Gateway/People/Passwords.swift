import Bounds
import ChatModel
import Dispatch
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
