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

    /// Who reads it.
    public var peer: Peer { request.head.peer }
    /// The number of the request that opened it.
    public var number: UInt64 { request.head.number }
    /// Bytes that wait because the client does not read: at most one ``EventBuffer``, and the last events of a server
    /// that stops.
    public var unsentBytes: Int { unsent.map { $0.bytes.count - unsentStart } ?? 0 }
    public var isOpen: Bool { source != nil }
}
