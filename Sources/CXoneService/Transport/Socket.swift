/// An open WebSocket whose texts are one JSON document each. All members may be used from any task.
///
/// Both directions are bounded. When too many received bytes wait, the socket is not read until ``handled(_:)``
/// makes room. When too many sent bytes wait, the socket is closed, because the other side does not read.
public protocol Socket: Sendable {
    /// Received texts, in order. The stream has one reader. It ends when the socket is gone, for whatever reason.
    var texts: AsyncStream<[UInt8]> { get }

    /// A text of that many bytes was handled. The reader of ``texts`` must call this once for each text.
    func handled(_ byteCount: Int)

    /// Sends a text without waiting for the other side to take it. Throws ``SocketClosed``. A text that was
    /// accepted may still be lost with the connection.
    func send(_ text: [UInt8]) async throws

    /// Closes the socket with 1001, going away. Nothing is received after that. Does not wait for the other side.
    func close() async
}

/// The socket is closed, or was closed just now because too much waited to be sent.
public struct SocketClosed: Error {
    public init() {}
}

/// Opens the sockets of connections. Tests replace it by one without a network.
public protocol SocketPort: Sendable {
    /// Opens a WebSocket and returns when the upgrade is done. Throws when the other side refuses, or does not
    /// answer in time.
    ///
    /// - Parameter url: `ws:` or `wss:`, with its query.
    func open(_ url: String) async throws -> any Socket
}
