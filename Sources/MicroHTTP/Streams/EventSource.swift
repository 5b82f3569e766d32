/// Produces the events of one stream. All methods are called on the loop's thread, and none may block.
public protocol EventSource: AnyObject, Sendable {
    /// The response head has been sent, and the stream can be woken from now on. ``fill(_:)`` follows in the same turn.
    func opened(_ stream: EventStream)

    /// Appends whole events while they fit. It is called after ``opened(_:)``, after ``EventStream/wake()`` (once for
    /// all wakes of a turn), and again after it returned `.more` and its bytes were sent. It is not called while
    /// unsent bytes are waiting.
    func fill(_ out: inout EventBuffer) -> EventProgress

    /// The client takes nothing more for now. What the source can read again it should not keep meanwhile: so thousands
    /// of streams whose clients do not read hold little. ``fill(_:)`` follows when the unsent bytes are sent.
    func blocked()

    /// Appends a sign of life. It is called after each ``ServerConfiguration/heartbeat``, also when other events were
    /// sent meanwhile, but not while unsent bytes are waiting.
    func heartbeat(_ out: inout EventBuffer)

    /// The server is stopping: appends the last events. The stream ends after them.
    func draining(_ out: inout EventBuffer)

    /// The stream is over. Called exactly once, even for a stream that was never opened; nothing is called after it.
    func closed(_ reason: StreamEnd)
}

extension EventSource {
    public func blocked() {}
}

/// What comes after the events that ``EventSource/fill(_:)`` has appended.
public enum EventProgress: Sendable, Hashable {
    /// No more events until the next ``EventStream/wake()``.
    case idle
    /// There are more events: call again when these are sent, after the other streams of this turn. If nothing was
    /// appended, this means the same as `.idle`.
    case more
    /// The stream ends when these events are sent.
    case end
}

/// Why a stream is over.
public enum StreamEnd: Sendable, Hashable, CaseIterable {
    /// The source ended it, and the kernel has taken all bytes.
    case ended
    /// The client closed the connection, or only its side for sending, or the connection failed.
    case peerGone
    /// Bytes were waiting, and the client took none for ``ServerConfiguration/stallLimit``.
    case stalled
    /// It was never opened: too many streams, or an answer that cannot be a stream.
    case refused
    /// The server stopped.
    case stopped
}
