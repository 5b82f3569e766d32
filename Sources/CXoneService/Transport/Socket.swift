/// A WebSocket that is open, whose texts are one JSON document each.
public protocol Socket: Sendable {
    /// What the other side sends, in order; the stream ends when the socket is gone, for whatever reason.
    var texts: AsyncStream<[UInt8]> { get }

    /// Sends a text. Throws ``SocketClosed``; a text that was taken may be lost with the connection all the same.
    func send(_ text: [UInt8]) async throws

    /// Closes it (1001, going away); nothing comes after.
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
