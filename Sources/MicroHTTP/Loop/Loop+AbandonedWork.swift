import CMicroHTTPD
import Glibc

/// Work for which nobody waits any more.
///
/// The library does not look at the socket of a suspended connection, so it does not see that a client has left while a
/// task makes its answer. Such a client would still hold a place, a reader of the database and a processor. To watch
/// each socket would cost every request two system calls. So the loop asks the kernel once a second, with one call for
/// all, and cancels what may be cancelled: the tasks of requests that only read, and others that the handler names.
extension Loop {
    /// Cancels the tasks of these connections whose client has gone, or that take longer than
    /// ``ServerConfiguration/readTime``.
    func endAbandonedWork(_ working: [Connection]) {
        guard !working.isEmpty else { return }
        let hungUp = Int16(truncatingIfNeeded: EPOLLRDHUP.rawValue)
        var sockets = working.map { pollfd(fd: $0.descriptor, events: hungUp, revents: 0) }
        guard poll(&sockets, nfds_t(sockets.count), 0) >= 0 else { return }
        let limit = configuration.readTime.nanoseconds
        for (connection, socket) in zip(working, sockets) {
            // The events that are always reported, POLLERR and POLLHUP, mean the same.
            guard socket.revents != 0 || now - connection.started >= limit else { continue }
            statistics.requestsAbandoned += 1
            connection.task?.cancel()
            connection.task = nil
        }
    }
}
