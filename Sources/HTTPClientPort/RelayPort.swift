import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// Passes requests on to another server of ours, and its answers back: heads with all their fields in their order, bodies
/// piece by piece. Nothing is tried again, no redirect is followed, and nothing is decompressed.
///
/// Unlike an ``HTTPPort`` it knows no time limit, for a stream may stay open for days: whoever makes a call ends it by
/// cancelling its task.
public final class RelayPort: Sendable {
    public struct Request: Sendable {
        public var method: String
        public var url: String
        /// Without `Content-Length` and `Transfer-Encoding`, which follow from the body.
        public var headers: [(String, String)]
        public var body: Body

        public init(_ method: String, _ url: String, headers: [(String, String)], body: Body) {
            (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
        }
    }

    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Comes while it is sent; `length` is nil where nobody knows it before. The next piece is asked for when the last
        /// one was taken; nil ends the body, and an error ends the call.
        case pieces(length: Int64?, next: @Sendable () async throws -> [UInt8]?)
    }

    public struct Head: Sendable {
        public let status: Int
        public let headers: [(String, String)]
    }

    /// The server takes no connection: nothing of the request was sent.
    public struct Untaken: Error, Sendable {}

    /// A client looks through all of its connections at each step of one. So many calls have several clients.
    private let clients: [HTTPClient]
    private let underWay = Atomic(0)

    public init() {
        var configuration = AsyncHTTPPort.configuration
        // Each open stream has a connection, and none may wait for another one.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1_000_000
        // Thousands of streams may come at once, and a server that is not there any more is known by other means.
        configuration.timeout.connect = .seconds(30)
        configuration.httpVersion = .http1Only
        clients = (0..<16).map { [configuration] _ in
            HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup.next(), configuration: configuration)
        }
    }

    deinit { for client in clients { client.shutdown { _ in } } }

    /// The next call's: the same one while there are few, so that they find its idle connections.
    private func client(for number: Int) -> HTTPClient { clients[number / 64 % clients.count] }

    /// Makes one call. Throws ``Untaken``, or another error when no whole answer came, or what a closure throws.
    ///
    /// - Parameters:
    ///   - begin: called with the answer's head.
    ///   - take: called with each piece of the answer's body. The next one is read when it has returned.
    public func run(
        _ request: Request, begin: @Sendable (Head) throws -> Void, take: @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        let number = underWay.add(1, ordering: .relaxed).oldValue
        defer { underWay.subtract(1, ordering: .relaxed) }
        var call = HTTPClientRequest(url: request.url)
        call.method = HTTPMethod(rawValue: request.method)
        call.headers = HTTPHeaders(request.headers)
        switch request.body {
        case .none: break
        case .bytes(let bytes): call.body = .bytes(bytes, length: .known(Int64(bytes.count)))
        case .pieces(let length, let next):
            let pieces = AsyncThrowingStream { try await next().map { ByteBuffer(bytes: $0) } }
            call.body = .stream(pieces, length: length.map { .known($0) } ?? .unknown)
        }
        do {
            let response = try await client(for: number).execute(call, deadline: .distantFuture)
            try begin(Head(status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) }))
            for try await piece in response.body { try await take(Array(piece.readableBytesView)) }
            // A body whose reader was cancelled ends early, without an error.
            try Task.checkCancellation()
        } catch let error where ConnectionTarget.isUntaken(error) {
            throw Untaken()
        }
    }
}
