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
