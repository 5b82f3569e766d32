import CMicroHTTPD
import Glibc

/// Takes a request's body piece by piece, on the loop's thread: nothing may block. ``HTTPHandler/admit(_:)`` asks for
/// one.
public protocol BodySink: AnyObject, Sendable {
    /// The next bytes, valid only during the call.
    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDemand

    /// The body will not be completed: the client has gone, the body was too large, or the server stops. Called at most
    /// once. A complete body belongs to the request (``HTTPRequest/sink``). For such a body this is called only when
    /// the request is refused because of ``ServerConfiguration/maxRequests``.
    func abandoned()
}

/// What a sink wants after a piece.
public enum BodyDemand: Sendable, Hashable {
    case more
    /// Nothing until ``BodyFlow/resume()``. The kernel's buffers fill, and the client waits.
    case pause
}

/// How a sink that has paused goes on. May be used on any thread.
public final class BodyFlow: Sendable {
    private let onResume: @Sendable () -> Void

    /// A flow made by hand, to feed a sink without a socket.
    public init(onResume: @escaping @Sendable () -> Void) { self.onResume = onResume }

    /// Lets the body come again; nothing happens if it was not paused.
    public func resume() { onResume() }
}

/// Request bodies that a ``BodySink`` takes piece by piece.
extension Loop {
    /// Gives the connection's body to a sink, and watches the socket for the client's end.
    func attach(_ sink: any BodySink, to connection: Connection) {
        connection.sink = sink
        sinking[connection.descriptor] = connection
        poller.add(connection.descriptor, .body(connection.descriptor), .gone)
    }

    /// Takes the sink from the connection: it gets no more of this body.
    func detachSink(_ connection: Connection) -> (any BodySink)? {
        guard let sink = connection.sink else { return nil }
        connection.sink = nil
        sinking[connection.descriptor] = nil
        sinkPlaces.giveBack(connection.holder)
        if !connection.isSenderGone { poller.remove(connection.descriptor) }
        return sink
    }

    /// A sink that has paused wants more.
    fileprivate func bodyWanted(_ paused: PausedBody) {
        let connection = paused.connection
        guard connection.phase == .bodyPaused, connection.request?.number == paused.number else { return }
        connection.phase = .body
        connection.since += now - connection.pausedAt
        resume(connection)
    }

    /// The client has closed its side for sending. Bytes that it sent before may still be unread.
    func senderGone(_ descriptor: Int32) {
        guard let connection = sinking[descriptor], !connection.isSenderGone else { return }
        connection.isSenderGone = true
        // The poller is level-triggered: it would report this again in every turn.
        poller.remove(descriptor)
        showEnd(of: connection)
    }

    /// Makes the library see the client's end of input once everything before it is read.
    ///
    /// The library's epoll is edge-triggered, and a read that fills less than its buffer counts as the last one. So it
    /// would miss an end of input that came together with the last bytes, until its timeout. Shutting the socket for
    /// reading makes a new event.
    func showEnd(of connection: Connection) {
        var unread: Int32 = 0
        guard cmhd_unread(connection.descriptor, &unread) != 0 || unread == 0 else { return }
        shutdown(connection.descriptor, Int32(SHUT_RD))
    }
}

/// A body that its sink may have paused.
///
/// `@unchecked Sendable`: the sink only passes it back to the loop. Only the loop's thread reads the connection.
struct PausedBody: @unchecked Sendable {
    let loop: Loop
    let connection: Connection
    let number: UInt64

    func resume() { loop.mailbox.post { loop.bodyWanted(self) } }
}
