import Bounds
import Glibc

/// An open event stream, as its source sees it. For the loop's thread only, except ``wakeSoon()``: other threads use
/// ``HTTPServer/execute(_:)``.
///
/// `@unchecked Sendable`: a source must hold its stream, and a source is Sendable. Only the loop's thread uses the
/// stream's variables; debug builds assert that in ``wake()`` and ``close()``.
public final class EventStream: @unchecked Sendable {
    let loop: Loop
    /// The stream's own: the library has closed its descriptor of this socket.
    let descriptor: Int32
    let name: StreamName
    /// The request that opened it, without its answer's bytes.
    let request: AnsweredRequest
    /// Whether the answer's body comes in chunks: not for HTTP/1.0.
    let isChunked: Bool
    /// Who has its place.
    let holder: Holder
    /// nil once the stream is closed. This also ends the reference cycle between source and stream.
    var source: (any EventSource)?
    /// Bytes that the kernel took, framing included.
    public internal(set) var bytesWritten = 0

    /// Bytes that the kernel has not taken yet begin at `unsentStart` of it. Nearly always nil.
    var unsent: UnsentFrame?
    var unsentStart = 0
    /// Counts what its holder's streams have unsent.
    let memory: ByteCounter
    /// When the kernel last took something while there were unsent bytes.
    var lastProgress = Nanoseconds(0)
    var isWatchedForStall = false
    /// The socket's TCP_USER_TIMEOUT was made longer than the stall limit.
    var isPatient = false
    var isWoken = false
    /// Why the stream ends when the unsent bytes are sent; nil while it goes on.
    var ending: StreamEnd?
    /// The last chunk is sent, or among the unsent bytes.
    var hasLastChunk = false
    /// Its end shows that something is missing: there is no last chunk.
    var isUnfinished = false

    init(
        loop: Loop, descriptor: Int32, name: StreamName, request: AnsweredRequest, isChunked: Bool,
        holder: Holder, memory: ByteCounter, source: any EventSource
    ) {
        self.memory = memory
        self.loop = loop
        self.descriptor = descriptor
        self.name = name
        self.request = request
        self.isChunked = isChunked
        self.holder = holder
        self.source = source
    }

    /// Lets the loop call ``EventSource/fill(_:)`` once at the end of this turn. To repeat this costs next to nothing.
    public func wake() {
        loop.checkThread()
        if isWoken || source == nil { return }
        isWoken = true
        loop.woken.append(self)
    }

    /// The same from any thread. Nothing happens after the server's end.
    public func wakeSoon() { loop.mailbox.post { [self] in wake() } }

    /// Ends the stream after the bytes that are already waiting; ``EventSource/fill(_:)`` is not called again.
    public func close() {
        loop.checkThread()
        if ending == nil { ending = .ended }
        wake()
    }

    /// The body is not whole: when the stream ends, its client can tell.
    public func leaveUnfinished() {
        loop.checkThread()
        isUnfinished = true
    }

    /// Who reads it.
    public var peer: Peer { request.head.peer }
    /// The number of the request that opened it.
    public var number: UInt64 { request.head.number }
    public var isOpen: Bool { source != nil }
}

/// Produces the events of one stream. All methods are called on the loop's thread, and none may block.
///
/// ```swift
/// /// Sends one event when it is told to. On the loop's thread alone.
/// final class Bell: EventSource, @unchecked Sendable {
///     private var stream: EventStream?
///     private var rings = 0
///
///     func ring() {
///         rings += 1
///         stream?.wake()
///     }
///
///     func opened(_ stream: EventStream) { self.stream = stream }
///
///     func fill(_ out: inout EventBuffer) -> EventProgress {
///         let event = "event: ring\ndata: {}\n\n"
///         while rings > 0, out.room(for: event.utf8.count) {
///             out.append(event)
///             rings -= 1
///         }
///         return rings > 0 ? .more : .idle
///     }
///
///     func heartbeat(_ out: inout EventBuffer) { out.append(":\n\n") }
///     func draining(_ out: inout EventBuffer) {}
///     func closed(_ reason: StreamEnd) { stream = nil }
/// }
/// ```
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
