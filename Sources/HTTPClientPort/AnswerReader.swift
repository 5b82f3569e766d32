import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// Reads one answer, whose body has a limit.
final class AnswerReader: HTTPClientResponseDelegate {
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
final class HeadWithBody: ChannelOutboundHandler {
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
