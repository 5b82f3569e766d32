/// Numbers about a server. All are of one moment, which is at most one turn of the loop old.
public struct ServerStatistics: Sendable, Hashable {
    /// Open now.
    public var connections = 0
    /// Complete and being answered by tasks now.
    public var requestsInFlight = 0
    /// With a body that is still coming now.
    public var requestsIncomplete = 0
    /// Open now, those whose head is still going out included.
    public var streams = 0
    /// Since the start, each of the following.
    public var connectionsAccepted = 0
    public var requests = 0
    public var streamsOpened = 0
    /// Bytes that the kernel took from streams, framing included.
    public var streamBytes = 0
    /// Connections that left HTTP.
    public var upgrades = 0
    /// Turns of the loop.
    public var turns = 0
    /// Requests that MicroHTTP refused by itself.
    public var refusals = 0
    /// Connections that were closed because they took too long, or to make room.
    public var connectionsGivenUp = 0
    /// Reading requests whose task was cancelled, because their client had gone or because they took too long.
    public var requestsAbandoned = 0
    /// Times that accepting paused: at the connection limit, or out of descriptors.
    public var acceptPauses = 0
    public var streamsEnded = 0
    public var streamsPeerGone = 0
    public var streamsStalled = 0
    public var streamsRefused = 0
    public var streamsStopped = 0

    public init() {}

    mutating func count(_ end: StreamEnd) {
        switch end {
        case .ended: streamsEnded += 1
        case .peerGone: streamsPeerGone += 1
        case .stalled: streamsStalled += 1
        case .refused: streamsRefused += 1
        case .stopped: streamsStopped += 1
        }
    }

    /// Streams closed since the start for this reason.
    public func streamsClosed(_ reason: StreamEnd) -> Int {
        switch reason {
        case .ended: streamsEnded
        case .peerGone: streamsPeerGone
        case .stalled: streamsStalled
        case .refused: streamsRefused
        case .stopped: streamsStopped
        }
    }
}
