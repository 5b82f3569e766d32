/// One accepted socket and the request that is on it. Owned by libmicrohttpd's connection (its socket context) from
/// accept to close.
///
/// Its properties' accesses are not checked for overlaps at run time, which cost a tenth of a request: only the loop's
/// thread has them, and none is lent out across a call.
final class Connection {
    /// Where the request on this connection stands.
    enum Phase {
        /// Between requests, or before the first.
        case idle
        /// The request line is read, the rest of the head not yet.
        case head
        /// The head has passed; the body is being read, or there is none.
        case body
        /// Suspended: the body's sink has enough for now.
        case bodyPaused
        /// Suspended: a task makes the answer.
        case working
        /// An answer is queued. For an event stream: the library has not asked for its body yet.
        case answering
        /// Suspended for good: we write the socket.
        case streaming
        /// Suspended: the socket is another's, and the library is about to get its own back.
        case upgraded
        /// The stream is over; the library writes the last chunk.
        case streamEnded
        /// The stream broke; the library closes.
        case streamBroken
        /// The server stops without answering this request.
        case aborted
        /// The library answers by itself, or we answered in its place; the connection closes.
        case refused
    }

    unowned let loop: Loop
    let descriptor: Int32
    let daemon: Int
    let peer: Peer
    /// Set by the library's first callback; valid until the connection closes.
    @exclusivity(unchecked) var mhd: OpaquePointer?
    @exclusivity(unchecked) var phase = Phase.idle
    /// Where this connection is in its daemon's list of unfinished heads, -1 when it is not.
    @exclusivity(unchecked) var headIndex = -1
    /// Where it is in the loop's list of connections.
    @exclusivity(unchecked) var index = -1

    /// The target as it came, kept until the head is complete.
    @exclusivity(unchecked) var target: [UInt8] = []
    @exclusivity(unchecked) var request: HTTPRequest?
    @exclusivity(unchecked) var announced: Int? = 0
    @exclusivity(unchecked) var bodyLimit = 0
    /// Body bytes over the limit, which were dropped.
    @exclusivity(unchecked) var excess = 0
    /// What takes the body until it is complete.
    @exclusivity(unchecked) var sink: (any BodySink)?
    /// The client will send no more than what has come.
    @exclusivity(unchecked) var isSenderGone = false
    /// Body bytes that the sink has taken.
    @exclusivity(unchecked) var streamed = 0
    /// An answer that waits for the request's end, so that the connection can live on.
    @exclusivity(unchecked) var prepared: HTTPResponse?
    /// Being answered by a task: one of ``ServerConfiguration/maxRequests``.
    @exclusivity(unchecked) var countsAsRequest = false
    /// The head is there and the body is still coming: one of ``ServerConfiguration/maxIncomplete``.
    @exclusivity(unchecked) var isIncomplete = false
    /// The handler knows who sends the request.
    @exclusivity(unchecked) var isKnown = false
    /// Since when the connection is idle, or its request is coming, or its answer is going out.
    @exclusivity(unchecked) var since = Nanoseconds(0)
    /// When the body's sink paused; the client is not to blame for this time.
    @exclusivity(unchecked) var pausedAt = Nanoseconds(0)
    /// Body bytes that have come.
    @exclusivity(unchecked) var received = 0
    /// Bytes of this request's body, then of its answer, that are in memory.
    @exclusivity(unchecked) var held = 0
    @exclusivity(unchecked) var isHTTP10 = false
    /// Answered before everything was read: reading on for a moment keeps the kernel from resetting the connection
    /// before the client has seen the answer.
    @exclusivity(unchecked) var lingers = false
    /// The server has ended this connection, because it was given up or the server stops: no request is taken from it.
    @exclusivity(unchecked) var isShut = false
    /// It was given up with an answer, which the client may still be taking. Its input is open.
    @exclusivity(unchecked) var keepsAnswer = false

    /// The answer is slow. The server measures whether the client takes it, and the library's own timeout is off.
    @exclusivity(unchecked) var isWatched = false
    /// What the socket's send queue held when it was looked at last, and since when it has held just that.
    @exclusivity(unchecked) var queued: Int32 = 0
    @exclusivity(unchecked) var queuedSince = Nanoseconds(0)
    /// What a TCP peer had acknowledged then, on the whole connection; nil for another socket.
    @exclusivity(unchecked) var acknowledged: Int?

    @exclusivity(unchecked) var started = Nanoseconds(0)
    @exclusivity(unchecked) var status = 0
    @exclusivity(unchecked) var bytes = 0
    /// The source of an event stream whose answer is queued, until the stream is opened.
    @exclusivity(unchecked) var source: (any EventSource)?
    @exclusivity(unchecked) var stream: EventStream?
    /// Who takes the socket when the queued 101 is out.
    @exclusivity(unchecked) var upgrade: HTTPUpgrade?

    init(loop: Loop, descriptor: Int32, daemon: Int, peer: Peer) {
        self.loop = loop
        self.descriptor = descriptor
        self.daemon = daemon
        self.peer = peer
        since = loop.now
    }

    func reset() {
        phase = .idle
        since = loop.now
        isKnown = false
        received = 0
        target.removeAll(keepingCapacity: true)
        request = nil
        announced = 0
        excess = 0
        streamed = 0
        isSenderGone = false
        prepared = nil
        upgrade = nil
        isHTTP10 = false
        lingers = false
        keepsAnswer = false
        status = 0
        bytes = 0
    }
}
