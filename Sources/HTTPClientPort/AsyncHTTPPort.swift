import AsyncHTTPClient
import Bounds
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// Asks by async-http-client.
public struct AsyncHTTPPort: HTTPPort {
    private let judge: ConnectionJudge?
    private let tls: TLSConfiguration?
    /// Nil: the connections are shared with all other ports.
    private let kept: KeptClient?

    /// Beyond any limit of a caller's: what nobody cancels ends all the same.
    private static let patience = Duration.seconds(600)

    /// One for each event loop: a call and its connection are on one loop, so that no step of a call goes from one
    /// thread to another. They live as long as the process, as the loops do.
    private static let clients = HTTPClient.defaultEventLoopGroup.makeIterator().map {
        HTTPClient(eventLoopGroup: $0, configuration: configuration)
    }
    private static let pinned = PinnedClients(configuration: configuration)
    static let deadlines = CallDeadlines()

    /// Nothing that the client would do by itself: no second try of a connection, no redirect, no decompression.
    static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(8)), decompression: .disabled)
        configuration.connectionPool.retryConnectionEstablishment = false
        // Without a tracer, the client would write attributes for nobody.
        configuration.tracing.tracer = nil
        configuration.http1_1ConnectionDebugInitializer = HeadWithBody.add(to:)
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
    /// last copy of this one. A call that meets the end of the connection (``RefusedCall``) is made once more, on the
    /// next one.
    public static func keepingConnection(trustRoots: TrustRoots? = nil) -> AsyncHTTPPort {
        AsyncHTTPPort(judge: nil, trustRoots: trustRoots, kept: KeptClient())
    }

    public func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        do {
            return try await ask(call, AnswerReader(limit: limit, kept: limit))
        } catch is AnswerReader.Enough {
            throw HTTPCallError.tooLong
        }
    }

    public func sendReadingStart(_ call: HTTPCall, limit: Int, kept: Int) async throws -> HTTPAnswer {
        do {
            return try await ask(call, AnswerReader(limit: limit, kept: kept))
        } catch let enough as AnswerReader.Enough {
            return enough.answer
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
                guard count <= limit else { throw HTTPCallError.tooLong }
                try await take(Array(piece.readableBytesView))
            }
            // A body whose reader was cancelled ends early, without an error.
            try Task.checkCancellation()
        }
    }

    /// One call whose answer is read on the event loop: no task is made for it, and none is woken before its end.
    private func ask(_ call: HTTPCall, _ reader: AnswerReader) async throws -> HTTPAnswer {
        let target = try call.target ?? CallTarget(call.method, call.url)
        var request = target.request
        request.tlsConfiguration = tls
        request.headers = HTTPHeaders(call.headers.map { ($0.name, $0.value) })
        if let body = call.body { request.body = .byteBuffer(ByteBuffer(bytes: body)) }
        let deadline = ContinuousClock.now + (call.timeout ?? Self.patience)
        return try await connect(target, for: call.holder, until: deadline) { [request] client in
            let task = client.execute(request: request, delegate: reader)
            let entry = Self.deadlines.add(until: deadline) { task.fail(reason: HTTPCallError.timeout) }
            defer { Self.deadlines.remove(entry) }
            return try await withTaskCancellationHandler {
                try await task.get()
            } onCancel: {
                task.fail(reason: CancellationError())
            }
        }
    }

    private func execute<T: Sendable>(
        _ call: HTTPCall, read: @escaping @Sendable (HTTPClientResponse) async throws -> T
    ) async throws -> T {
        let target = try call.target ?? CallTarget(call.method, call.url)
        var request = HTTPClientRequest(url: call.url)
        request.method = target.request.method
        request.tlsConfiguration = tls
        for header in call.headers { request.headers.add(name: header.name, value: header.value) }
        if let body = call.body { request.body = .bytes(body, length: .known(Int64(body.count))) }
        let deadline = ContinuousClock.now + (call.timeout ?? Self.patience)
        return try await connect(target, for: call.holder, until: deadline) { [request] client in
            try await Self.deadlines.run(until: deadline) {
                try await read(client.execute(request, timeout: TimeAmount(Self.patience)))
            }
        }
    }

    /// Runs a call with the client whose connections go where the judge allows.
    private func connect<T: Sendable>(
        _ call: CallTarget, for holder: Holder, until deadline: ContinuousClock.Instant,
        _ body: (HTTPClient) async throws -> T
    ) async throws -> T {
        func ask(_ client: HTTPClient) async throws -> T {
            do {
                return try await body(client)
            } catch {
                throw HTTPCallError(certificate: error) ?? error
            }
        }
        if let kept {
            do {
                return try await kept.with(ask)
            } catch let error where RefusedCall.isMeant(by: error) && !Task.isCancelled {
                return try await kept.with(ask)
            }
        }
        // A host always has the same one, and with it its connections.
        let client = Self.clients[call.spread % Self.clients.count]
        guard let judge else { return try await ask(client) }
        let target = call.connection
        let addresses = try await target.judged(by: judge, for: holder, until: deadline)
        if !target.addresses.isEmpty { return try await ask(client) }
        for address in addresses.dropLast() {
            do {
                return try await Self.pinned.with(
                    PinnedClients.Key(name: target.host, address: address, hasNext: true), ask)
            } catch let error where ConnectionTarget.isUntaken(error) && !Task.isCancelled {
                // The host may be there at its next address.
            }
        }
        return try await Self.pinned.with(
            PinnedClients.Key(name: target.host, address: addresses[addresses.count - 1]), ask)
    }
}

extension HTTPAnswer {
    fileprivate init(_ response: HTTPClientResponse) {
        self.init(status: response.status, headers: response.headers, version: response.version)
    }
}

/// Reads one answer, whose body has a limit.
private final class AnswerReader: HTTPClientResponseDelegate {
    /// The body goes on beyond what was to be read.
    struct Enough: Error {
        /// With the beginning of its body.
        var answer: HTTPAnswer
    }

    private let state = Mutex<(answer: HTTPAnswer, count: Int)>((HTTPAnswer(status: 0), 0))
    private let limit: Int
    private let kept: Int

    /// - Parameters:
    ///   - limit: bytes of the body that are read. With the next one the call ends with ``Enough``.
    ///   - kept: bytes of them that the answer has.
    init(limit: Int, kept: Int) {
        self.limit = limit
        self.kept = kept
    }

    func didReceiveHead(task: HTTPClient.Task<HTTPAnswer>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        state.withLock { $0.answer = HTTPAnswer(status: head.status, headers: head.headers, version: head.version) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<HTTPAnswer>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
        let enough = state.withLock { state in
            let room = max(0, kept - state.answer.body.count)
            state.answer.body.append(contentsOf: part.readableBytesView.prefix(room))
            state.count += part.readableBytes
            return state.count > limit ? Enough(answer: state.answer) : nil
        }
        if let enough { return task.eventLoop.makeFailedFuture(enough) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<HTTPAnswer>) -> HTTPAnswer { state.withLock { $0.answer } }
}

extension HTTPAnswer {
    /// An answer without its body.
    init(status: HTTPResponseStatus, headers: HTTPHeaders, version: HTTPVersion) {
        let headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
        self.init(status: Int(status.code), headers: headers, version: version == .http2 ? .http2 : .http1)
    }
}

/// Lets the head of a request wait for the first part of its body, so that both leave in one write.
///
/// async-http-client flushes each part by itself. A small request would take two writes, and wake its receiver twice.
private final class HeadWithBody: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The last part was a head. Another part follows in any case: the body, or the end of a request without one.
    private var isHeadWaiting = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        isHeadWaiting = if case .head = unwrapOutboundIn(data) { true } else { false }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        if !isHeadWaiting { context.flush() }
    }

    /// Adds the handler to a connection of HTTP/1.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
            try pipeline.addHandler(HeadWithBody(), position: .after(encoder))
        }
    }
}
