import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// Asks by async-http-client.
public struct AsyncHTTPPort: HTTPPort {
    private let judge: ConnectionJudge?
    private let tls: TLSConfiguration?
    /// Nil: the connections are shared with all other ports.
    private let kept: KeptClient?

    /// Beyond any limit of a caller's: what nobody cancels ends all the same.
    private static let patience = Duration.seconds(600)

    /// Lives as long as the process, as its event loops do.
    private static let client = HTTPClient(
        eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    private static let pinned = PinnedClients(configuration: configuration)
    private static let deadlines = CallDeadlines()

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

    /// - Parameters:
    ///   - judge: asked before each call, with the addresses of the host as they are then; nil connects anywhere.
    ///   - trustRoots: nil: the system's.
    public init(judge: ConnectionJudge? = nil, trustRoots: TrustRoots? = nil) {
        self.init(judge: judge, trustRoots: trustRoots, kept: nil)
    }

    private init(judge: ConnectionJudge?, trustRoots: TrustRoots?, kept: KeptClient?) {
        self.judge = judge
        tls = trustRoots?.configuration
        self.kept = kept
    }

    /// A port whose calls to a host share one connection, which is kept open. It is no other port's, and ends with the
    /// last copy of this one.
    public static func keepingConnection(trustRoots: TrustRoots? = nil) -> AsyncHTTPPort {
        AsyncHTTPPort(judge: nil, trustRoots: trustRoots, kept: KeptClient())
    }

    public func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        try await execute(call) { response in
            var answer = HTTPAnswer(response)
            answer.body = Array(try await response.body.collect(upTo: limit).readableBytesView)
            return answer
        }
    }

    public func receive(
        _ call: HTTPCall, limit: Int, begin: @escaping @Sendable (HTTPAnswer) throws -> Void,
        take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        try await execute(call) { response in
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
    }

    private func execute<T: Sendable>(
        _ call: HTTPCall, read: @escaping @Sendable (HTTPClientResponse) async throws -> T
    ) async throws -> T {
        guard let timeout = call.timeout else { return try await connect(call, read: read) }
        return try await Self.deadlines.run(within: timeout) { try await connect(call, read: read) }
    }

    private func connect<T: Sendable>(_ call: HTTPCall, read: (HTTPClientResponse) async throws -> T) async throws -> T
    {
        var request = HTTPClientRequest(url: call.url)
        request.method = HTTPMethod(rawValue: call.method)
        request.tlsConfiguration = tls
        for header in call.headers { request.headers.add(name: header.name, value: header.value) }
        if let body = call.body { request.body = .bytes(body, length: .known(Int64(body.count))) }
        func ask(_ client: HTTPClient) async throws -> T {
            do {
                return try await read(client.execute(request, timeout: TimeAmount(Self.patience)))
            } catch {
                throw HTTPCallError(certificate: error) ?? error
            }
        }
        if let kept { return try await kept.with(ask) }
        guard let judge else { return try await ask(Self.client) }
        var target = try CallTarget.of(call.url)
        let isAddress = !target.addresses.isEmpty
        if !isAddress { target.addresses = try await NameResolver.addresses(of: target.host) }
        guard let address = try judge(target).first else { throw HTTPCallError.unknownHost }
        if isAddress { return try await ask(Self.client) }
        return try await Self.pinned.with(PinnedClients.Key(name: target.host, address: address), ask)
    }
}

extension HTTPAnswer {
    fileprivate init(_ response: HTTPClientResponse) {
        let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
        self.init(
            status: Int(response.status.code), headers: headers, version: response.version == .http2 ? .http2 : .http1)
    }
}
