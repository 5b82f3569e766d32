import Synchronization

/// What happened to the cache of a remote service that no row of the log tells.
public enum SynchronizationNotice: Sendable, Hashable {
    /// More than 300 messages were missed in a thread: whoever shows it begins anew (SyncManager's huge gap).
    ///
    /// - Parameter after: milliseconds: the newest that was known before the gap.
    case hugeGap(account: Int64, thread: String, after: Int64)
    /// The account's cache was cleared: every view of it is empty now.
    case cleared(account: Int64)
}

/// Who is told of notices. They are told after the commit that they are about.
public final class SynchronizationNotices: Sendable {
    private let receivers = Mutex<[Int: @Sendable (SynchronizationNotice) -> Void]>([:])
    private let next = Mutex(0)

    public init() {}

    /// Calls `receiver` with each notice, until the returned closure is called. It must be quick.
    public func subscribe(_ receiver: @escaping @Sendable (SynchronizationNotice) -> Void) -> @Sendable () -> Void {
        let id = next.withLock { $0 += 1; return $0 }
        receivers.withLock { $0[id] = receiver }
        return { [weak self] in self?.receivers.withLock { $0[id] = nil } }
    }

    func post(_ notice: SynchronizationNotice) {
        for receiver in receivers.withLock({ Array($0.values) }) { receiver(notice) }
    }
}
