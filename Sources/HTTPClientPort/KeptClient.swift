import AsyncHTTPClient

/// The HTTP client of one port. It closes its connections when no copy of the port is left and no call is under way.
final class KeptClient: Sendable {
    private let client: HTTPClient

    /// One connection to a host, which stays open for 10 minutes without a call.
    ///
    /// Over HTTP/2 all calls share it. Without this limit the client would open one for each call that begins before
    /// the first connection has told that it speaks HTTP/2.
    static var configuration: HTTPClient.Configuration {
        var configuration = AsyncHTTPPort.configuration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        configuration.connectionPool.idleTimeout = .seconds(600)
        return configuration
    }

    init() {
        client = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(), configuration: Self.configuration)
    }

    /// The client is not closed while the body runs.
    func with<T: Sendable>(_ body: (HTTPClient) async throws -> T) async throws -> T {
        defer { withExtendedLifetime(self) {} }
        return try await body(client)
    }

    deinit { client.shutdown { _ in } }
}
