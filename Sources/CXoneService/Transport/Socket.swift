/// A WebSocket that is open, whose texts are one JSON document each.
///
/// Both directions are bounded. What comes waits up to a number of bytes, then the socket is not read until
/// ``handled(_:)`` makes room. What is sent waits up to a number of bytes, then the socket is closed: the other side does
/// not read.
public protocol Socket: Sendable {
    /// What the other side sends, in order; the stream ends when the socket is gone, for whatever reason.
    var texts: AsyncStream<[UInt8]> { get }

    /// A text of so many bytes was dealt with. Whoever takes texts says this of each of them.
    func handled(_ byteCount: Int)

    /// Sends a text, and does not wait for the other side to take it. Throws ``SocketClosed``; a text that was taken may be
    /// lost with the connection all the same.
    func send(_ text: [UInt8]) async throws

    /// Closes it (1001, going away); nothing comes after. Does not wait for the other side.
    func close() async
}

/// The socket is gone.
public struct SocketClosed: Error {
    public init() {}
}

/// Opens sockets.
public protocol SocketPort: Sendable {
    /// - Parameter url: `ws:` or `wss:`, with its query.
    /// Throws when the other side refuses, or does not answer in time.
    func open(_ url: String) async throws -> any Socket
}
