import Synchronization

/// Something that happened to the cache of a remote service and that no event of the log tells.
public enum SynchronizationNotice: Sendable, Hashable {
    /// More than 300 messages were missed in a thread. They are not read one by one: whoever shows the thread must
    /// begin anew (SyncManager's huge gap).
    ///
    /// - Parameter after: when the newest message before the gap was created, in milliseconds since 1970.
    case hugeGap(account: Int64, thread: String, after: Int64)
    /// The account's cache was cleared. Every view of it must be emptied.
    case cleared(account: Int64)
}

/// Passes notices on to their receivers, on the thread that posts them, after the commit that they are about.
public final class SynchronizationNotices: Sendable {
    private let receivers = Mutex<[Int: @Sendable (SynchronizationNotice) -> Void]>([:])
    private let next = Mutex(0)

    public init() {}

    /// Calls `receiver` with each notice until the returned closure is called. It may run on any thread, and must be
    /// quick.
    public func subscribe(_ receiver: @escaping @Sendable (SynchronizationNotice) -> Void) -> @Sendable () -> Void {
        let id = next.withLock {
            $0 += 1; return $0
        }
        receivers.withLock { $0[id] = receiver }
        return { [weak self] in self?.receivers.withLock { $0[id] = nil } }
    }

    func post(_ notice: SynchronizationNotice) {
        for receiver in receivers.withLock({ Array($0.values) }) { receiver(notice) }
    }
}
