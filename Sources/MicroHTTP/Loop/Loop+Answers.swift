import Bounds
import CMicroHTTPD
import Glibc

/// Answers: how a response value becomes an answer in the library's queue, and what happens after it was sent.
extension Loop {
    /// The handler's answer to a refusal that MicroHTTP has decided on.
    func refused(_ refusal: HTTPRefusal, _ request: HTTPRequest?) -> HTTPResponse {
        statistics.refusals += 1
        return withoutStream(handler.refusal(refusal, head: request))
    }

    /// A refusal cannot be an event stream. The source of one is told that it is refused, and the body becomes empty.
    func withoutStream(_ response: HTTPResponse) -> HTTPResponse {
        guard let source = response.body.source else { return response }
        source.closed(.refused)
        var response = response
        response.body = .none
        return response
    }

    /// Refuses before the request is read to its end. The connection closes; nothing after this is read as a request.
    func refuseNow(_ connection: Connection, _ refusal: HTTPRefusal) -> MHD_Result {
        answerEarly(connection, refused(refusal, connection.request))
    }

    /// Answers before the request's end. The library then closes the connection, as it must: it could not tell the
    /// rest of this request from the next one.
    func answerEarly(_ connection: Connection, _ response: HTTPResponse) -> MHD_Result {
        connection.lingers = true
        return answer(connection, withoutStream(response))
    }

    /// In bytes: the greatest body that is sent even when ``ServerConfiguration/maxMemory`` is reached.
    static let smallAnswer = 64 << 10
    /// In bytes: the greatest body that is given to the kernel as a whole.
    private static let greatestBlock = 256 << 10

    /// Queues an answer.
    /// - Returns: `.NO` when it cannot be sent and the connection must close.
    func answer(_ connection: Connection, _ response: HTTPResponse) -> MHD_Result {
        assert(isConfinedHere, "The loop's thread alone answers.")
        endWork(connection)
        connection.since = now
        if case .broken(_, at: 0) = response.body { return .NO }
        var response = response
        if let source = response.body.source, let request = connection.request, request.method != "HEAD" {
            connection.holder = handler.holder(of: request)
            if let reason = streamPlaces.takePlace(connection.holder) {
                source.closed(.refused)
                statistics.count(.refused)
                response = refused(refusal(reason, full: "tooManyStreams", "event streams"), request)
            }
        }
        if case .upgrade = response.body, isStopping || connection.isHTTP10 || response.status != 101 {
            response = HTTPResponse(status: isStopping ? 503 : 400)
        }
        // A prepared answer counts in full: the client may be slower than the one who replaces it by another.
        if let count = response.body.byteCount, let reason = hold(answer: count, for: connection) {
            response = refused(refusal(reason, Self.bytesOfBodies), connection.request)
        }
        // Only inside the library's callback is the head written before the prepared answer gets another request's.
        if case .prepared(let prepared) = response.body, prepared.body.count <= Self.greatestBlock,
            connection.phase == .body, !isStopping, !connection.isChunked
        {
            return queue(response, prepared.answer(adding: response.headers), on: connection)
        }
        response = response.unshared
        let made = make(response, for: connection)
        defer { if let made { MHD_destroy_response(made) } }
        if let made {
            for (name, value) in response.headers { addField(name, value, to: made) }
            // An event stream keeps its socket to the end.
            if isStopping || connection.source != nil || connection.isChunked {
                addField("Connection", "close", to: made)
            }
        }
        return queue(response, made, on: connection)
    }

    /// Gives the library its answer.
    private func queue(_ response: HTTPResponse, _ made: OpaquePointer?, on connection: Connection) -> MHD_Result {
        guard let made else { return unsent(connection) }
        if let count = response.body.byteCount { connection.bytes = connection.request?.method == "HEAD" ? 0 : count }
        connection.status = connection.upgrade != nil || (200...999).contains(response.status) ? response.status : 500
        connection.phase = .answering
        guard MHD_queue_response(connection.mhd, UInt32(connection.status), made) == .YES else {
            return unsent(connection)
        }
        return .YES
    }

    /// The library has not taken the answer. If it was an event stream, its source is told.
    private func unsent(_ connection: Connection) -> MHD_Result {
        if connection.source != nil { abandonStream(connection, .refused) }
        return .NO
    }

    private func make(_ response: HTTPResponse, for connection: Connection) -> OpaquePointer? {
        switch response.body {
        case .none, .prepared: return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes):
            return bytes.count > Self.greatestBlock ? BodyReader.response(bytes) : SharedBytes.response(bytes)
        case .broken(let bytes, let end): return BodyReader.response(bytes, end: end)
        case .file(let file, let range):
            connection.bytes = connection.request?.method == "HEAD" ? 0 : range.count
            return fileResponse(file, range)
        case .events(let source): return makeStream(source, for: connection)
        case .pieces(let source, let count): return makeStream(source, count: count, for: connection)
        case .upgrade(let upgrade): return upgradeResponse(upgrade, for: connection)
        }
    }

    /// A range of a file. The library sends it with sendfile, at most 128 KiB in a turn. It gets a duplicate of the
    /// descriptor, which it closes at the end.
    private func fileResponse(_ file: HTTPFile, _ range: Range<Int64>) -> OpaquePointer? {
        let descriptor = dup(file.descriptor)
        guard descriptor >= 0 else { return nil }
        let made = MHD_create_response_from_fd_at_offset64(UInt64(range.count), descriptor, UInt64(range.lowerBound))
        if made == nil { close(descriptor) }
        return made
    }

    /// The library is done with a request: its answer was sent, or its connection failed.
    func requestCompleted(_ connection: Connection, normally: Bool) {
        unwatch(connection)
        forgetHead(connection)
        endBody(connection)
        endWork(connection)
        var completed = normally
        if connection.source != nil {
            abandonStream(connection, isStopping ? .stopped : .peerGone)
            completed = false
        }
        if let prepared = connection.prepared { dropped(prepared, isStopping ? .stopped : .peerGone) }
        if connection.status == 0 { completed = false }
        detachSink(connection)?.abandoned()
        if var request = connection.request {
            connection.request = nil
            request.body = []
            connection.last = request
            finished(
                AnsweredRequest(
                    head: request, status: connection.status, started: connection.started,
                    received: connection.received),
                bytes: connection.bytes, completed: completed)
        }
        if connection.lingers || connection.isChunked, !isStopping {
            lingering.add(connection.descriptor, now: now, poller)
        }
        let isAnothers = connection.phase == .upgraded
        connection.reset()
        // The kernel has the whole answer by now. The library sees the end of input and closes. A socket that has left
        // HTTP must not be shut down: its new owner has a duplicate of it.
        if isStopping, !isAnothers { shut(connection) }
    }

    /// Tells the handler that an answer has ended.
    func finished(_ request: AnsweredRequest, bytes: Int, completed: Bool) {
        handler.finished(
            RequestSummary(
                request: request.head, status: request.status,
                duration: .nanoseconds(monotonicNow() - request.started), received: request.received, bytes: bytes,
                completed: completed))
    }

    /// The request no longer counts: its answer is made, or nobody waits for it any more.
    func endWork(_ connection: Connection) {
        release(connection)
        connection.task = nil
        guard connection.countsAsRequest else { return }
        connection.countsAsRequest = false
        assert(requestPlaces.count(of: connection.holder) > 0, "A request gives back its own place.")
        requestPlaces.giveBack(connection.holder)
        statistics.requestsInFlight = requestPlaces.taken
    }

    /// Lets the library go on with a suspended connection, in this turn.
    func resume(_ connection: Connection) {
        MHD_resume_connection(connection.mhd)
        daemons[connection.daemon].mustRun = true
    }
}

/// What is kept of a request until its answer has ended.
struct AnsweredRequest {
    let head: HTTPRequest
    let status: Int
    /// When the head was complete.
    let started: Nanoseconds
    /// Bytes of its body.
    var received = 0
}

/// A body that the library reads in blocks of 64 KiB. So the kernel never copies a longer one as a whole while other
/// connections wait, and a broken one ends too early.
private final class BodyReader {
    let bytes: [UInt8]
    /// How many of them are sent. Beyond it the library closes the connection.
    let end: Int

    init(_ bytes: [UInt8], _ end: Int) { (self.bytes, self.end) = (bytes, end) }

    static func response(_ bytes: [UInt8], end: Int? = nil) -> OpaquePointer? {
        let reader = Unmanaged.passRetained(BodyReader(bytes, min(end ?? bytes.count, bytes.count)))
        let made = MHD_create_response_from_callback(
            UInt64(bytes.count), 64 << 10,
            { context, position, out, room in
                let reader = Unmanaged<BodyReader>.fromOpaque(context!).takeUnretainedValue()
                let count = min(room, reader.end - Int(position))
                guard count > 0 else { return endWithError }
                reader.bytes.withUnsafeBytes { _ = memcpy(out!, $0.baseAddress! + Int(position), count) }
                return count
            }, reader.toOpaque(), { Unmanaged<BodyReader>.fromOpaque($0!).release() })
        if made == nil { reader.release() }
        return made
    }
}
