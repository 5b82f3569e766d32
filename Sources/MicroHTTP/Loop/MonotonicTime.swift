import Glibc

/// A point on, or a length of, the kernel's monotonic clock.
typealias Nanoseconds = Int64

func monotonicNow() -> Nanoseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension Duration {
    /// Rounded down; lengths over 292 years are not expected.
    var nanoseconds: Nanoseconds {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
