import MicroHTTP

/// An open stream, as its source uses it; for the loop's thread only. ``EventStream`` is the real one; tests bring
/// their own.
protocol StreamHandle: AnyObject, Sendable {
    /// Lets the loop call the source's `fill` at the end of this turn.
    func wake()
    /// Bytes that the kernel has taken, framing included.
    var bytesWritten: Int { get }
    var peer: Peer { get }
}

extension EventStream: StreamHandle {}
