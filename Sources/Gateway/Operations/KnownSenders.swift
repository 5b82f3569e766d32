import Bounds
import HTTPRouting
import Synchronization

/// Whose credentials are whose, as the active gateway has told a standby, which knows no session, key or person itself.
///
/// Of a credential only a digest is kept, of the last few thousand ones. Any thread may use it.
final class KnownSenders: Sendable {
    private let holders = Mutex<[[UInt8]: Holder]>([:])
    private let key: MessageAuthentication
    private static let capacity = 4096

    /// - Parameter key: any; digests of different keys differ.
    init(key: [UInt8]) { self.key = MessageAuthentication(key: key) }

    /// Whose share a request takes that shows this credential; nobody's while the active gateway has not told.
    func holder(of credential: String?) -> Holder {
        guard let credential else { return .nobody }
        return holders.withLock { $0[digest(credential)] } ?? .nobody
    }

    /// Notes whose credential it is.
    func note(_ credential: String, of holder: Holder) {
        holders.withLock { holders in
            guard holder != .nobody else { return holders[digest(credential)] = nil }
            if holders.count >= Self.capacity { holders.removeAll(keepingCapacity: true) }
            holders[digest(credential)] = holder
        }
    }

    private func digest(_ credential: String) -> [UInt8] { Array(key.code(for: Array(credential.utf8)).prefix(16)) }
}
