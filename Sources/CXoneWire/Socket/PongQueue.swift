/// The pongs that a side of a WebSocket owes.
///
/// One is on its way at a time. Of the pings that come meanwhile only the last one is answered (RFC 6455, 5.5.3), so that a
/// peer that pings and does not read costs no memory.
public struct PongQueue<Payload> {
    private var isUnderWay = false
    private var next: Payload?

    public init() {}

    /// A ping came. Returns the payload of the pong to send now; nil while one is on its way.
    public mutating func begin(_ payload: Payload) -> Payload? {
        if isUnderWay {
            next = payload
            return nil
        }
        isUnderWay = true
        return payload
    }

    /// A pong has gone out. Returns the payload of the next one.
    public mutating func end() -> Payload? {
        defer { next = nil }
        isUnderWay = next != nil
        return next
    }
}
