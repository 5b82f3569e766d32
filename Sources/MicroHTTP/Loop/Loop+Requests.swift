import Bounds
import CMicroHTTPD
import Glibc

/// A request from its first line to its end, as the library reports it.
extension Loop {
    /// The library has read the request line. The time for the request begins.
    func requestStarted(_ connection: Connection, target: UnsafePointer<CChar>?) {
        connection.phase = .head
        connection.since = now
        forgetHead(connection)
        connection.target.removeAll(keepingCapacity: true)
        if let target {
            connection.target.append(contentsOf: UnsafeRawBufferPointer(start: target, count: strlen(target)))
        }
        let daemon = daemons[connection.daemon]
        connection.headIndex = daemon.heads.count
        daemon.heads.append(connection)
    }

    /// Takes the connection from its daemon's list of incomplete heads, if it is there.
    func forgetHead(_ connection: Connection) {
        guard connection.headIndex >= 0 else { return }
        let daemon = daemons[connection.daemon]
        let last = daemon.heads.removeLast()
        if last !== connection {
            daemon.heads[connection.headIndex] = last
            last.headIndex = connection.headIndex
        }
        connection.headIndex = -1
    }

    /// The library's access handler. It is called once when the head is complete, once for each piece of the body, and
    /// once at the end of the request.
    func requestAdvanced(
        _ connection: Connection, line: RequestLine, data: UnsafePointer<CChar>?, size: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        switch connection.phase {
        case .head: return headComplete(connection, line)
        case .admitting: return headDecided(connection)
        case .body where size.pointee > 0:
            defer { size.pointee = 0 }
            return bodyArrived(connection, UnsafeRawBufferPointer(start: data, count: size.pointee))
        case .body: return requestComplete(connection)
        // The sink has paused: `size` stays as it is, so the library keeps these bytes and offers them again.
        case .bodyPaused: return .YES
        default: return .NO
        }
    }

    private func headComplete(_ connection: Connection, _ line: RequestLine) -> MHD_Result {
        forgetHead(connection)
        if connection.isShut {
            connection.phase = .aborted
            return .NO
        }
        connection.started = monotonicNow()
        requestNumber += 1
        statistics.requests += 1
        connection.isHTTP10 = line.isHTTP10
        var gate = RequestGate()
        var (request, refusal) = gate.read(
            connection.mhd!, line: line, target: connection.target, peer: connection.peer, number: requestNumber)
        if let refusal = refusalForRoom(connection.mhd!) {
            connection.request = request
            refusePlainly(connection, refusal)
            return .NO
        }
        if let refusal {
            connection.request = request
            return refuseNow(connection, refusal)
        }
        connection.hasBody = gate.announcesBody
        connection.announced = gate.announced
        if let last = connection.last, request.hasSameHead(as: last) { request.findings = last.findings }
        let admission = handler.admit(&request)
        connection.request = request
        if connection.isKnown == false { connection.isKnown = nil }
        if case .later(let decide) = admission { return awaitAdmission(connection, request, decide) }
        return admit(connection, request, admission)
    }

    /// Goes on after the head as the handler has decided.
    private func admit(
        _ connection: Connection, _ request: HTTPRequest, _ admission: HTTPAdmission
    ) -> MHD_Result {
        if case .refuse(let response) = admission {
            if connection.hasBody { return answerEarly(connection, response) }
            connection.prepared = withoutStream(response)
        } else if connection.hasBody {
            if let refusal = expectBody(connection, request, admission) { return refuseNow(connection, refusal) }
        }
        connection.phase = .body
        return .YES
    }

    /// Has a task decide about the head. The library asks again, with the same head, once the connection is resumed.
    private func awaitAdmission(
        _ connection: Connection, _ request: HTTPRequest, _ decide: @escaping @Sendable () async -> HTTPAdmission
    ) -> MHD_Result {
        if let reason = beginWork(connection, request) { return refuseNow(connection, refusal(reason)) }
        connection.phase = .admitting
        let pending = PendingAdmission(loop: self, connection: connection, number: request.number)
        Task { pending.finish(await decide()) }
        MHD_suspend_connection(connection.mhd)
        return .YES
    }

    /// A task has decided. Its decision is dropped when its connection does not wait for it any more.
    fileprivate func admissionMade(_ pending: PendingAdmission, _ admission: HTTPAdmission) {
        let connection = pending.connection
        guard connection.phase == .admitting, connection.request?.number == pending.number else { return }
        connection.admission = admission
        // The time that the handler took does not count against the client.
        connection.since = now
        resume(connection)
    }

    /// The library asks again after the wait for an admission.
    private func headDecided(_ connection: Connection) -> MHD_Result {
        endWork(connection)
        guard let request = connection.request, let admission = connection.admission, !connection.isShut else {
            connection.phase = .aborted
            return .NO
        }
        connection.admission = nil
        return admit(connection, request, admission)
    }

    /// Gets ready for a body: its limit, and its sink if the handler wants one.
    /// - Returns: why the body is refused; nil when it is taken.
    private func expectBody(
        _ connection: Connection, _ request: HTTPRequest, _ admission: HTTPAdmission
    ) -> HTTPRefusal? {
        switch admission {
        case .stream(let limit, _): connection.bodyLimit = limit
        case .accept: connection.bodyLimit = handler.bodyLimit(for: request) ?? configuration.maxBody
        case .refuse, .later: return nil
        }
        if let announced = connection.announced, announced > connection.bodyLimit { return bodyTooLarge(connection) }
        connection.holder = handler.holder(of: request)
        if let reason = beginBody(connection) { return refusal(reason) }
        if case .stream(_, let makeSink) = admission {
            if let reason = sinkPlaces.takePlace(connection.holder) {
                endBody(connection)
                return refusal(reason)
            }
            let paused = PausedBody(loop: self, connection: connection, number: request.number)
            attach(makeSink(BodyFlow { paused.resume() }), to: connection)
        } else if let announced = connection.announced {
            // A client can announce any length at no cost. So at most 1 MiB is reserved before bytes come.
            connection.request!.body.reserveCapacity(min(announced, 1 << 20))
        }
        return nil
    }

    private func bodyArrived(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        guard connection.prepared == nil else { return .YES }
        connection.received += bytes.count
        if let sink = connection.sink {
            connection.streamed += bytes.count
            if connection.streamed <= connection.bodyLimit {
                if sink.receive(bytes) == .pause {
                    connection.phase = .bodyPaused
                    connection.pausedAt = now
                    MHD_suspend_connection(connection.mhd)
                }
                if connection.isSenderGone { showEnd(of: connection) }
                return .YES
            }
            connection.excess = connection.streamed - bytes.count
            detachSink(connection)?.abandoned()
        }
        if connection.excess == 0, connection.request!.body.count + bytes.count <= connection.bodyLimit {
            if let reason = hold(bytes.count, for: connection, memoryShares.counter(of: connection.holder)) {
                giveUp(connection, refusal(reason, Self.bytesOfBodies))
                return .NO
            }
            connection.request!.body.append(contentsOf: bytes)
            return .YES
        }
        // Only a chunked body gets here: an announced length was checked before. The 413 is sent at the body's end, when
        // the client reads it for sure. But a body of far more than the limit ends the connection.
        connection.excess += bytes.count
        connection.request!.body = []
        release(connection)
        return connection.excess > 3 * max(connection.bodyLimit, 16384) ? .NO : .YES
    }

    private func requestComplete(_ connection: Connection) -> MHD_Result {
        endBody(connection)
        if let response = connection.prepared {
            connection.prepared = nil
            return answer(connection, response)
        }
        if connection.excess > 0 { return answer(connection, refused(bodyTooLarge(connection), connection.request)) }
        var request = connection.request!
        connection.request!.body = []
        request.sink = detachSink(connection)
        switch handler.respond(to: request) {
        case .now(let response): return answer(connection, response)
        case .later(let operation): return work(connection, request, operation, isPrompt: false)
        case .prompt(let operation): return work(connection, request, operation, isPrompt: true)
        }
    }

    /// Has a task answer the request, which waits meanwhile.
    ///
    /// A prompt task that only reads takes no place for its beginning: most of them have answered by then. One that has to
    /// wait and finds no place ends, which changes nothing.
    private func work(
        _ connection: Connection, _ request: HTTPRequest, _ operation: @escaping @Sendable () async -> HTTPResponse,
        isPrompt: Bool
    ) -> MHD_Result {
        let isReading = request.method == "GET" || request.method == "HEAD"
        if !(isPrompt && isReading), let refusal = refusalForWork(connection, request) {
            request.sink?.abandoned()
            return answer(connection, refusal)
        }
        connection.phase = .working
        let work = Work(loop: self, connection: connection, number: request.number)
        let task: Task<Void, Never>
        if isPrompt {
            work.isBeginning = true
            task = Task.immediate(executorPreference: executor) { work.finish(await operation()) }
            work.isBeginning = false
            if let response = work.response { return answer(connection, response) }
            if isReading, let refusal = refusalForWork(connection, request) {
                task.cancel()
                return answer(connection, refusal)
            }
        } else {
            task = Task { work.finish(await operation()) }
        }
        if isReading || handler.endsWithClient(request) { connection.task = task }
        MHD_suspend_connection(connection.mhd)
        return .YES
    }

    /// Takes a place for the task of a request.
    /// - Returns: the answer when there is none and the request needs one; nil otherwise.
    private func refusalForWork(_ connection: Connection, _ request: HTTPRequest) -> HTTPResponse? {
        guard let reason = beginWork(connection, request), !handler.isAlwaysAnswered(request) else { return nil }
        return refused(refusal(reason), connection.request)
    }

    /// A request takes a place for its task. ``endWork(_:)`` gives it back.
    /// - Returns: why there is none; nil when it has one.
    private func beginWork(_ connection: Connection, _ request: HTTPRequest) -> PlaceRefusal? {
        connection.holder = handler.holder(of: request)
        if let reason = requestPlaces.takePlace(connection.holder) { return reason }
        connection.countsAsRequest = true
        statistics.requestsInFlight = requestPlaces.taken
        return nil
    }

    /// A task has made the answer. It is dropped when its connection does not wait for it any more.
    fileprivate func workDone(_ work: Work, _ response: HTTPResponse) {
        let connection = work.connection
        guard connection.phase == .working, connection.request?.number == work.number else {
            return dropped(response, .stopped)
        }
        if answer(connection, response) == .NO { connection.phase = .aborted }
        resume(connection)
    }

    private func bodyTooLarge(_ connection: Connection) -> HTTPRefusal {
        HTTPRefusal(status: 413, code: "bodyTooLarge", detail: "The body is larger than \(connection.bodyLimit) bytes.")
    }
}

/// A head about which a task decides.
///
/// `@unchecked Sendable`: the task only passes it back to the loop. Only the loop's thread reads the connection.
private struct PendingAdmission: @unchecked Sendable {
    let loop: Loop
    let connection: Connection
    let number: UInt64

    func finish(_ admission: HTTPAdmission) { loop.mailbox.post { loop.admissionMade(self, admission) } }
}

/// A request that a task is answering.
///
/// `@unchecked Sendable`: the task only passes it back to the loop. Only the loop's thread reads the connection and
/// what may change.
private final class Work: @unchecked Sendable {
    let loop: Loop
    let connection: Connection
    let number: UInt64
    /// A prompt task runs up to its first wait, and the library waits for that.
    var isBeginning = false
    /// What such a task has answered before it had to wait.
    var response: HTTPResponse?

    init(loop: Loop, connection: Connection, number: UInt64) {
        self.loop = loop
        self.connection = connection
        self.number = number
    }

    func finish(_ response: HTTPResponse) {
        if loop.isLoopThread {
            guard isBeginning else { return loop.workDone(self, response) }
            self.response = response
            return
        }
        let accepted = loop.mailbox.post { self.loop.workDone(self, response) }
        if !accepted { dropped(response, .stopped) }
    }
}

/// An answer that nobody will get. If it is an event stream, its source is told.
func dropped(_ response: HTTPResponse, _ reason: StreamEnd) {
    response.body.source?.closed(reason)
}
