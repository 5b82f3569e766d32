import Bounds

/// One accepted socket, and the request that is being read from it or answered on it. libmicrohttpd's connection owns
/// it (as its socket context) from accept to close.
///
/// For the loop's thread only. `@exclusivity(unchecked)` switches off Swift's run-time check for overlapping accesses,
/// which took a tenth of the time of a request. It is not needed here: no property is passed `inout` to a call that
/// could reach the same connection.
final class Connection {
    /// Where the request on this connection stands.
    enum Phase {
        /// Between requests, or before the first.
        case idle
        /// The request line is read, the rest of the head not yet.
        case head
        /// Suspended: a task decides whether the head passes.
        case admitting
        /// The head has passed; the body is being read, or there is none.
        case body
        /// Suspended: the body's sink has enough for now.
        case bodyPaused
        /// Suspended: a task makes the answer.
        case working
        /// An answer is queued. For an event stream: the library has not asked for its body yet.
        case answering
        /// Suspended: the head of an event stream is sent, and the loop is about to take the socket.
        case streaming
        /// The loop has taken the socket for an event stream. The library closes another one in its place.
        case taken
        /// Suspended after a 101: another protocol has a duplicate of the socket, and the library will soon be told to
        /// close its own descriptor.
        case upgraded
        /// The library closes without answering this request, or without the rest of the answer.
        case aborted
        /// The loop wrote an answer to the socket past the library; the connection closes.
        case refused
    }

    unowned let loop: Loop
    let descriptor: Int32
    let daemon: Int
    let peer: Peer
    /// Set by the library's first callback; valid until the connection closes.
    @exclusivity(unchecked) var mhd: OpaquePointer?
    @exclusivity(unchecked) var phase = Phase.idle
    /// What a task has decided about the head, until the loop acts on it.
    @exclusivity(unchecked) var admission: HTTPAdmission?
    /// The index of this connection in ``Daemon/heads``; -1 when it is not in that list.
    @exclusivity(unchecked) var headIndex = -1
    /// The index of this connection in ``Loop/connections``; -1 until the library has taken it.
    @exclusivity(unchecked) var index = -1

    /// The target as it came, kept until the head is complete.
    @exclusivity(unchecked) var target: [UInt8] = []
    @exclusivity(unchecked) var request: HTTPRequest?
    /// The request before, without its body. Clients that keep a connection often send the same head again.
    @exclusivity(unchecked) var last: HTTPRequest?
    /// The body's length by Content-Length: 0 without a body, nil for a chunked one.
    @exclusivity(unchecked) var announced: Int? = 0
    /// The body comes in chunks, whose lines the library reads leniently: it takes a bare LF, a bare CR, and a NUL in an
    /// extension. A proxy in front may see the body's end elsewhere. So the connection ends with this request, and
    /// nothing behind it is read as another one.
    var isChunked: Bool { announced == nil }
    /// Whether the head announces a body.
    @exclusivity(unchecked) var hasBody = false
    @exclusivity(unchecked) var bodyLimit = 0
    /// Body bytes that were dropped because the body is over the limit; more than 0 means that 413 is the answer.
    @exclusivity(unchecked) var excess = 0
    /// What takes the body until it is complete.
    @exclusivity(unchecked) var sink: (any BodySink)?
    /// The client has closed its side for sending. Bytes that it sent before may still be unread.
    @exclusivity(unchecked) var isSenderGone = false
    /// Body bytes that the sink has taken.
    @exclusivity(unchecked) var streamed = 0
    /// A refusal of a request without a body. It is sent at the request's end, so that the connection can stay open.
    @exclusivity(unchecked) var prepared: HTTPResponse?
    /// A task makes the answer. The request counts towards ``ServerConfiguration/maxRequests``.
    @exclusivity(unchecked) var countsAsRequest = false
    /// The head has come and the body has not ended. The request counts towards ``ServerConfiguration/maxIncomplete``.
    @exclusivity(unchecked) var isIncomplete = false
    /// Who has the places that the request takes. It is set before the first of them is taken, and stays until the last
    /// one is given back.
    @exclusivity(unchecked) var holder = Holder.nobody
    /// Whether a request on this connection had a known sender; nil while the handler was not asked about the last one.
    @exclusivity(unchecked) var isKnown: Bool?
    /// What makes the answer to a request that changes nothing, to be cancelled when nobody waits for it.
    @exclusivity(unchecked) var task: Task<Void, Never>?
    /// When the connection became idle, the request line came, the answer was queued, or the connection was shut: the
    /// time limits begin here.
    @exclusivity(unchecked) var since = Nanoseconds(0)
    /// When the body's sink paused. The time of the pause does not count against the client.
    @exclusivity(unchecked) var pausedAt = Nanoseconds(0)
    /// Body bytes that have come.
    @exclusivity(unchecked) var received = 0
    /// Bytes of this request's body, then of its answer, that are in memory.
    @exclusivity(unchecked) var held = 0
    /// What counts them: its holder's share, or for a small answer what all have together. Nil while nothing is held.
    @exclusivity(unchecked) var memory: ByteCounter?
    @exclusivity(unchecked) var isHTTP10 = false
    /// The length of the stream's body is in the head, so the body does not come in chunks.
    @exclusivity(unchecked) var isStreamCounted = false
    /// The request was answered before it was read to its end. After the library has closed, the loop reads on for a
    /// moment: otherwise the kernel would reset the connection, and the client could lose the answer.
    @exclusivity(unchecked) var lingers = false
    /// The loop has ended this connection, to make room, because it was too slow, or because the server stops. No
    /// further request is taken from it.
    @exclusivity(unchecked) var isShut = false
    /// The connection was given up with an answer, and the client may still be receiving it. Only the server's side is
    /// closed; see ``Loop/endInput(of:)``.
    @exclusivity(unchecked) var keepsAnswer = false

    /// The answer is slow. The loop measures whether the client takes it, and the library's own timeout is off.
    @exclusivity(unchecked) var isWatched = false
    /// Bytes in the socket's send queue at the last look.
    @exclusivity(unchecked) var queued: Int32 = 0
    /// When a look first found `queued` bytes there.
    @exclusivity(unchecked) var queuedSince = Nanoseconds(0)
    /// Bytes of the whole connection that a TCP peer had acknowledged at that look; nil for other sockets.
    @exclusivity(unchecked) var acknowledged: Int?

    /// When the head was complete.
    @exclusivity(unchecked) var started = Nanoseconds(0)
    /// The answer's status; 0 until there is an answer.
    @exclusivity(unchecked) var status = 0
    /// The length of the answer's body.
    @exclusivity(unchecked) var bytes = 0
    /// The source of an event stream whose answer is queued, until the stream is opened.
    @exclusivity(unchecked) var source: (any EventSource)?
    /// Who takes the socket when the queued 101 has been sent.
    @exclusivity(unchecked) var upgrade: HTTPUpgrade?

    init(loop: Loop, descriptor: Int32, daemon: Int, peer: Peer) {
        self.loop = loop
        self.descriptor = descriptor
        self.daemon = daemon
        self.peer = peer
        since = loop.now
    }

    /// Forgets the request that was completed, so that the next one on this connection starts from nothing.
    func reset() {
        phase = .idle
        since = loop.now
        holder = .nobody
        received = 0
        target.removeAll(keepingCapacity: true)
        request = nil
        announced = 0
        excess = 0
        streamed = 0
        isSenderGone = false
        prepared = nil
        admission = nil
        upgrade = nil
        isHTTP10 = false
        isStreamCounted = false
        lingers = false
        keepsAnswer = false
        status = 0
        bytes = 0
    }
}
