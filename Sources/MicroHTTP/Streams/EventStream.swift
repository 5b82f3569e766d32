import Glibc

/// An open event stream, as its source sees it. Everything here is for the loop's thread only; use
/// ``HTTPServer/execute(_:)`` to get there.
///
/// `@unchecked Sendable`: a source, which is Sendable, must be able to hold it. What guards it is confinement to the
/// loop's thread, checked by a precondition in debug builds.
public final class EventStream: @unchecked Sendable {
    let loop: Loop
    let connection: Connection
    let name: StreamName
    /// nil once closed, which also breaks the cycle between source and stream.
    var source: (any EventSource)?
    /// When the stream was opened.
    public let opened: ContinuousClock.Instant
    /// Bytes that the kernel took, framing included.
    public internal(set) var bytesWritten = 0

    /// What the kernel did not take, from `unsentStart` on. Empty nearly always.
    var unsent: [UInt8] = []
    var unsentStart = 0
    /// When the kernel last took something while there were unsent bytes.
    var lastProgress = Nanoseconds(0)
    var isWatchedForStall = false
    /// Its socket's user timeout is longer than the stall limit.
    var isPatient = false
    var isWoken = false
    /// Why it ends when the unsent bytes are gone; nil while it goes on.
    var ending: StreamEnd?

    init(loop: Loop, connection: Connection, name: StreamName, source: any EventSource) {
        self.loop = loop
        self.connection = connection
        self.name = name
        self.source = source
        opened = ContinuousClock.now
    }

    /// Has ``EventSource/fill(_:)`` called once at the end of this turn. Costs next to nothing when repeated.
    public func wake() {
        loop.checkThread()
        if isWoken || source == nil { return }
        isWoken = true
        loop.woken.append(self)
    }

    /// Ends the stream after the bytes that are already waiting; ``EventSource/fill(_:)`` is not called again.
    public func close() {
        loop.checkThread()
        if ending == nil { ending = .ended }
        wake()
    }

    /// Who reads it.
    public var peer: Peer { connection.peer }
    /// The number of the request that opened it.
    public var number: UInt64 { connection.request?.number ?? 0 }
    /// Bytes that wait because the client does not read; at most one buffer.
    public var unsentBytes: Int { unsent.count - unsentStart }
    public var isOpen: Bool { source != nil }
}
