/// One accepted socket and the request that is on it. Owned by libmicrohttpd's connection (its socket context) from
/// accept to close.
final class Connection {
    /// Where the request on this connection stands.
    enum Phase {
        /// Between requests, or before the first.
        case idle
        /// The request line is read, the rest of the head not yet.
        case head
        /// The head has passed; the body is being read, or there is none.
        case body
        /// Suspended: a task makes the answer.
        case working
        /// An answer is queued. For an event stream: the library has not asked for its body yet.
        case answering
        /// Suspended for good: we write the socket.
        case streaming
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
    var mhd: OpaquePointer?
    var phase = Phase.idle
    /// Where this connection is in its daemon's list of unfinished heads, -1 when it is not.
    var headIndex = -1
    /// Where it is in the loop's list of connections.
    var index = -1

    /// The target as it came, kept until the head is complete.
    var target: [UInt8] = []
    var request: HTTPRequest?
    var announced: Int? = 0
    var bodyLimit = 0
    /// Body bytes over the limit, which were dropped.
    var excess = 0
    /// An answer that waits for the request's end, so that the connection can live on.
    var prepared: HTTPResponse?
    var countsAsRequest = false
    var isHTTP10 = false
    /// Answered before everything was read: reading on for a moment keeps the kernel from resetting the connection
    /// before the client has seen the answer.
    var lingers = false

    var started = Nanoseconds(0)
    var status = 0
    var bytes = 0
    /// The source of an event stream whose answer is queued, until the stream is opened.
    var source: (any EventSource)?
    var stream: EventStream?

    init(loop: Loop, descriptor: Int32, daemon: Int, peer: Peer) {
        self.loop = loop
        self.descriptor = descriptor
        self.daemon = daemon
        self.peer = peer
    }

    func reset() {
        phase = .idle
        target.removeAll(keepingCapacity: true)
        request = nil
        announced = 0
        excess = 0
        prepared = nil
        isHTTP10 = false
        lingers = false
        status = 0
        bytes = 0
    }
}
