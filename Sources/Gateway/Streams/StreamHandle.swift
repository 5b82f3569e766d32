import MicroHTTP

/// An open stream, as its source uses it; for the loop's thread only. ``EventStream`` is one.
protocol StreamHandle: AnyObject, Sendable {
    func wake()
    var bytesWritten: Int { get }
    var peer: Peer { get }
}

extension EventStream: StreamHandle {}
