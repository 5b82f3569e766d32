import CMicroHTTPD
import Glibc

/// Bodies that sinks take.
extension Loop {
    func attach(_ sink: any BodySink, to connection: Connection) {
        connection.sink = sink
        sinking[connection.descriptor] = connection
        poller.add(connection.descriptor, .body(connection.descriptor), .gone)
    }

    /// The sink gets no more of this body.
    func detachSink(_ connection: Connection) -> (any BodySink)? {
        guard let sink = connection.sink else { return nil }
        connection.sink = nil
        sinking[connection.descriptor] = nil
        if !connection.isSenderGone { poller.remove(connection.descriptor) }
        return sink
    }

    /// A sink wants more.
    fileprivate func bodyWanted(_ paused: PausedBody) {
        let connection = paused.connection
        guard connection.phase == .bodyPaused, connection.request?.number == paused.number else { return }
        connection.phase = .body
        connection.since += now - connection.pausedAt
        resume(connection)
    }

    /// The client has closed its side, perhaps with bytes on the way that are still to be read.
    func senderGone(_ descriptor: Int32) {
        guard let connection = sinking[descriptor], !connection.isSenderGone else { return }
        connection.isSenderGone = true
        // Reported again and again otherwise.
        poller.remove(descriptor)
        showEnd(of: connection)
    }

    /// The library takes a read that filled less than its buffer for all there is. An end of input that came with the
    /// last bytes makes no further edge in its epoll, so it would notice only at its timeout. Once everything is read,
    /// an end of our own making is a fresh one.
    func showEnd(of connection: Connection) {
        var unread: Int32 = 0
        guard cmhd_unread(connection.descriptor, &unread) != 0 || unread == 0 else { return }
        shutdown(connection.descriptor, Int32(SHUT_RD))
    }
}

/// A body that its sink may have paused.
///
/// `@unchecked Sendable`: the sink only carries it back; the connection is touched on the loop's thread alone.
struct PausedBody: @unchecked Sendable {
    let loop: Loop
    let connection: Connection
    let number: UInt64

    func resume() { loop.mailbox.post { loop.bodyWanted(self) } }
}
