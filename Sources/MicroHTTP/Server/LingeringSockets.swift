import CMicroHTTPD
import Glibc

/// Sockets that were answered before everything that the client sent was read.
///
/// If such a socket were closed, the kernel would send a reset, and the client could lose the answer, for example a
/// 413. So a duplicate of it stays open for reading, and all bytes that still come are thrown away, until the client
/// closes or a second is over. For the loop's thread only.
struct LingeringSockets {
    private static let limit = 256
    private static let time: Nanoseconds = 1_000_000_000
    private var entries: [(descriptor: Int32, until: Nanoseconds)] = []

    /// When the first entry is over; `.max` when there is none.
    var due: Nanoseconds { entries.first?.until ?? .max }

    /// Keeps a duplicate of the socket. Beyond 256 sockets nothing is kept, and the client may then see a reset.
    mutating func add(_ descriptor: Int32, now: Nanoseconds, _ poller: borrowing Poller) {
        guard entries.count < Self.limit else { return }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }
        shutdown(copy, Int32(SHUT_WR))
        entries.append((copy, now + Self.time))
        poller.add(copy, .lingering(copy), .read)
    }

    /// Throws away what has come.
    mutating func drain(_ descriptor: Int32, _ poller: borrowing Poller) {
        guard let index = entries.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        let received = withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) {
            recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        if received > 0 || (received < 0 && (errno == EAGAIN || errno == EINTR)) { return }
        entries.remove(at: index)
        end(descriptor, poller)
    }

    /// Closes the sockets whose second is over.
    mutating func expire(now: Nanoseconds, _ poller: borrowing Poller) {
        while let first = entries.first, first.until <= now {
            entries.removeFirst()
            end(first.descriptor, poller)
        }
    }

    /// Closes all sockets at once; for the end of the loop.
    mutating func closeAll(_ poller: borrowing Poller) {
        for entry in entries { end(entry.descriptor, poller) }
        entries = []
    }

    private func end(_ descriptor: Int32, _ poller: borrowing Poller) {
        poller.remove(descriptor)
        close(descriptor)
    }
}
