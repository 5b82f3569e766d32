import Bounds
import HTTPRouting
import Synchronization

/// Whose credentials are whose, as the active gateway has told a standby, which knows no session, key or person itself.
///
/// Of a credential only a digest is kept: of each holder the last few, and of all the last few thousand. Any thread may
/// use it.
final class KnownSenders: Sendable {
    private struct State {
        var holders = RecentlyUsed<[UInt8], Holder>(limit: 4096)
        /// The digests of each holder, the oldest first.
        var digests = RecentlyUsed<Holder, [[UInt8]]>(limit: 4096)
    }

    private let state = Mutex(State())
    private let key: MessageAuthentication
    /// A session's token that was renewed, and the cookies of a few browsers.
    private static let share = 8

    /// - Parameter key: any; digests of different keys differ.
    init(key: [UInt8]) { self.key = MessageAuthentication(key: key) }

    /// Whose share a request takes that shows this credential; nobody's while the active gateway has not told.
    func holder(of credential: String?) -> Holder {
        guard let credential else { return .nobody }
        let digest = digest(credential)
        return state.withLock { $0.holders[digest] } ?? .nobody
    }

    /// Notes whose credential it is.
    func note(_ credential: String, of holder: Holder) {
        let digest = digest(credential)
        state.withLock { state in
            guard holder != .nobody else { return state.holders[digest] = nil }
            guard state.holders[digest] != holder else { return }
            var own = (state.digests[holder] ?? []) + [digest]
            // One who shows ever new ones must not take the places of others.
            if own.count > Self.share { state.holders[own.removeFirst()] = nil }
            state.digests[holder] = own
            state.holders[digest] = holder
        }
    }

    private func digest(_ credential: String) -> [UInt8] { Array(key.code(for: Array(credential.utf8)).prefix(16)) }
}
