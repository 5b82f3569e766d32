import Foundation

/// Waits for descriptors of the system (`poll`).
enum Waiting {
    /// Waits until one of the descriptors is ready for its events, or broken. Returns its index, or nil when the
    /// deadline has passed. Without a deadline it waits as long as it takes.
    static func wait(
        for descriptors: [(descriptor: Int32, events: Int32)], until deadline: ContinuousClock.Instant?
    ) -> Int? {
        var entries = descriptors.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
        while true {
            let count = poll(&entries, nfds_t(entries.count), milliseconds(until: deadline))
            if count > 0 { return entries.firstIndex { $0.revents != 0 } }
            if let deadline, ContinuousClock.now >= deadline { return nil }
            if count < 0, errno != EINTR { return nil }
        }
    }

    /// Sleeps until the deadline.
    static func sleep(until deadline: ContinuousClock.Instant) { _ = wait(for: [], until: deadline) }

    /// The time that is left, rounded up; -1 without a deadline.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline)
        if left <= .zero { return 0 }
        let (seconds, attoseconds) = left.components
        if seconds > 86_400 { return 86_400_000 }
        return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
