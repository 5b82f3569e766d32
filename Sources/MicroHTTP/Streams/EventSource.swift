/// Where the events of one stream come from. Everything is called on the loop's thread; nothing may block.
public protocol EventSource: AnyObject, Sendable {
    /// The response head is on its way and the stream can be woken. ``fill(_:)`` follows in the same turn, before
    /// anything is lost.
    func opened(_ stream: EventStream)

    /// Appends whole events while they fit. Called after ``opened(_:)``, after each ``EventStream/wake()`` (many wakes
    /// of a turn are one call), and again when written for `.more`. Never called while bytes are waiting.
    func fill(_ out: inout EventBuffer) -> EventProgress

    /// Called each ``ServerConfiguration/heartbeat``, with or without other traffic, but not while bytes are waiting.
    func heartbeat(_ out: inout EventBuffer)

    /// The server is stopping: last words; then the stream ends.
    func draining(_ out: inout EventBuffer)

    /// The stream is over. Called exactly once, even for a stream that was never opened; nothing is called after it.
    func closed(_ reason: StreamEnd)
}

/// What ``EventSource/fill(_:)`` says about what is left.
public enum EventProgress: Sendable, Hashable {
    /// Nothing more until woken.
    case idle
    /// Call again when this is written, after the other streams had their turn. Without having appended anything it
    /// means `.idle`.
    case more
    /// Close when this is written.
    case end
}

/// Why a stream is over.
public enum StreamEnd: Sendable, Hashable, CaseIterable {
    /// Its source ended it, and everything was handed to the kernel.
    case ended
    /// The client closed its end, or half of it, or the connection failed.
    case peerGone
    /// The client took nothing for ``ServerConfiguration/stallLimit``.
    case stalled
    /// It was never opened: too many streams, or an answer that cannot be a stream.
    case refused
    /// The server stopped.
    case stopped
}
