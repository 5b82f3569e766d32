import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Asks by async-http-client.
public struct AsyncHTTPPort: HTTPPort {
    private let client: HTTPClient

    /// Beyond any limit of a caller's: what nobody cancels ends all the same.
    private static let patience = TimeAmount.minutes(10)

    /// Lives as long as the process, as its event loops do.
    private static let client = HTTPClient(
        eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)

    /// Nothing that the client would do by itself: no second try of a connection, no redirect, no decompression.
    static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(8)), decompression: .disabled)
        configuration.connectionPool.retryConnectionEstablishment = false
        // Shorter than servers keep an idle connection: one that they close meanwhile would fail the next call.
        configuration.connectionPool.idleTimeout = .seconds(4)
        // Calls that hang must not keep others of the same host waiting.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        return configuration
    }

    public init() { client = Self.client }

    public func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        let response = try await execute(call)
        var answer = HTTPAnswer(response)
        answer.body = Array(try await response.body.collect(upTo: limit).readableBytesView)
        return answer
    }

    public func receive(
        _ call: HTTPCall, limit: Int, begin: @escaping @Sendable (HTTPAnswer) throws -> Void,
        take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        let response = try await execute(call)
        try begin(HTTPAnswer(response))
        var count = 0
        for try await piece in response.body {
            count += piece.readableBytes
            guard count <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
            try await take(Array(piece.readableBytesView))
        }
        // A body whose reader was cancelled ends early, without an error.
        try Task.checkCancellation()
    }

    private func execute(_ call: HTTPCall) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: call.url)
        request.method = HTTPMethod(rawValue: call.method)
        for header in call.headers { request.headers.add(name: header.name, value: header.value) }
        if let body = call.body { request.body = .bytes(body, length: .known(Int64(body.count))) }
        return try await client.execute(request, timeout: Self.patience)
    }
}

extension HTTPAnswer {
    fileprivate init(_ response: HTTPClientResponse) {
        let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
        self.init(status: Int(response.status.code), headers: headers)
    }
}
