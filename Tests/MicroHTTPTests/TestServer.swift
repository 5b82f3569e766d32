import Bounds
import Glibc
import MicroHTTP
import Synchronization

/// Values that arrive on one thread and are awaited on another, with a deadline.
final class Arrivals<T: Sendable>: @unchecked Sendable {  // `mutex` guards `values`
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var values: [T] = []

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        mutex.deallocate()
        changed.deallocate()
    }

    func add(_ value: T) {
        pthread_mutex_lock(mutex)
        values.append(value)
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    var all: [T] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return values
    }

    /// The first `count` values, waiting for them no longer than ``patience``.
    @discardableResult
    func wait(for count: Int = 1, file: StaticString = #fileID, line: UInt = #line) throws -> [T] {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        time.tv_sec += patience
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while values.count < count {
            if pthread_cond_timedwait(changed, mutex, &time) == ETIMEDOUT {
                throw Failure(description: "\(file):\(line): \(values.count) of \(count) arrived")
            }
        }
        return Array(values[..<count])
    }
}

/// Events from the test, and a record of all calls.
// the loop's thread; `calls` and `ends` have their own locks
final class TestSource: EventSource, @unchecked Sendable {
    private var stream: EventStream?
    private var events: [[UInt8]] = []
    private var ends_ = false
    let calls = Arrivals<String>()
    let opens = Arrivals<Void>()
    let ends = Arrivals<StreamEnd>()
    let heartbeats = Arrivals<Void>()
    /// One for each time that the client took no more.
    let blocks = Arrivals<Void>()
    var endless = false
    var first: [UInt8] = []

    func opened(_ stream: EventStream) {
        self.stream = stream
        if !first.isEmpty { events.append(first) }
        calls.add("opened")
        opens.add(())
    }
    func fill(_ out: inout EventBuffer) -> EventProgress {
        calls.add("fill")
        if endless {
            let event = [UInt8](repeating: 0x65, count: 1000)
            while out.room(for: 1000) { out.append(event) }
            return .more
        }
        while let event = events.first {
            guard out.room(for: event.count) else { return .more }
            out.append(event)
            events.removeFirst()
        }
        return ends_ ? .end : .idle
    }
    func blocked() { blocks.add(()) }
    func heartbeat(_ out: inout EventBuffer) {
        heartbeats.add(())
        out.append(":beat\n")
    }
    func draining(_ out: inout EventBuffer) { out.append("retry: 1\n") }
    func closed(_ reason: StreamEnd) {
        stream = nil
        calls.add("closed")
        ends.add(reason)
    }

    /// All in one turn.
    func publish(_ events: [String], on server: HTTPServer) {
        server.execute {
            for event in events {
                self.events.append(Array(event.utf8))
                self.stream?.wake()
            }
        }
    }
    func publish(_ event: String, on server: HTTPServer) { publish([event], on: server) }
    func end(on server: HTTPServer) {
        server.execute {
            self.ends_ = true
            self.stream?.wake()
        }
    }
    func leaveUnfinished(on server: HTTPServer) { server.execute { self.stream?.leaveUnfinished() } }
    func close(on server: HTTPServer) { server.execute { self.stream?.close() } }
}

/// Routes for all tests: see `respond`.
final class TestHandler: HTTPHandler, @unchecked Sendable {  // loop's thread, and what has locks
    let sources = Arrivals<TestSource>()
    let summaries = Arrivals<RequestSummary>()
    let seen = Arrivals<HTTPRequest>()
    let gates = Gates()
    /// One for each task that was cancelled.
    let cancellations = Arrivals<Void>()
    let upgraded = Arrivals<UpgradedSocket>()
    var prepare: @Sendable (TestSource) -> Void = { _ in }

    let sinks = Arrivals<TestSink>()

    /// How often a head came before on its connection.
    private final class Found: Sendable {
        let count: Int
        init(count: Int) { self.count = count }
    }

    /// What all answers to `/prepared` share.
    private let shared = PreparedResponse(headers: [("X-Shared", "yes")], body: Array("shared".utf8))

    func admit(_ head: inout HTTPRequest) -> HTTPAdmission {
        head.findings = Found(count: (head.findings as? Found).map { $0.count + 1 } ?? 0)
        return switch head.path {
        case "/forbidden": .refuse(HTTPResponse(status: 403, body: .bytes(Array("no".utf8))))
        case "/forbidden/events":
            .refuse(HTTPResponse(status: 403, body: .events(madeSource())))
        case "/upload", "/upload/later", "/upload/paused":
            .stream(limit: 8 << 20) { [sinks, isPaused = head.path == "/upload/paused"] flow in
                let sink = TestSink(flow, isPaused: isPaused)
                sinks.add(sink)
                return sink
            }
        case "/admit", "/admit/forbidden", "/admit/upload":
            .later { [gates, sinks, path = head.path] in
                await gates.pass()
                switch path {
                case "/admit/forbidden": return .refuse(HTTPResponse(status: 403, body: .bytes(Array("no".utf8))))
                case "/admit/upload":
                    return .stream(limit: 8 << 20) { flow in
                        let sink = TestSink(flow)
                        sinks.add(sink)
                        return sink
                    }
                default: return .accept
                }
            }
        default: .accept
        }
    }
    /// The header `X-Holder` names one; `nobody` is nobody, and without it all is root's.
    func holder(of head: HTTPRequest) -> Holder {
        switch head.headers["X-Holder"] {
        case nil: .root
        case "nobody": .nobody
        case let name?: .named(name)
        }
    }
    private func madeSource() -> TestSource {
        let source = TestSource()
        sources.add(source)
        return source
    }
    func isAlwaysAnswered(_ request: HTTPRequest) -> Bool { request.path == "/probe" }
    func endsWithClient(_ request: HTTPRequest) -> Bool { request.path.hasSuffix("/ends") }
    func bodyLimit(for head: HTTPRequest) -> Int? { head.path == "/large" ? 4 << 20 : nil }

    func respond(to request: HTTPRequest) -> HTTPReply {
        seen.add(request)
        switch request.path {
        case "/events":
            let source = TestSource()
            prepare(source)
            sources.add(source)
            return .now(
                HTTPResponse(status: 200, headers: [("Content-Type", "text/event-stream")], body: .events(source)))
        case "/pieces":
            let source = TestSource()
            sources.add(source)
            return .now(HTTPResponse(status: 200, body: .pieces(source, count: 10)))
        case "/later/events":
            let source = madeSource()
            return .later { HTTPResponse(status: 200, body: .events(source)) }
        case "/later", "/probe":
            return .later {
                await Task.yield()
                return HTTPResponse(status: 200, body: .bytes(Array("later".utf8)))
            }
        case "/prompt": return .prompt { HTTPResponse(status: 200, body: .bytes(Array("prompt".utf8))) }
        case "/prompt/gate":
            let gates = gates
            let loop = currentThread()
            return .prompt {
                let before = currentThread() == loop
                await gates.pass()
                return HTTPResponse(status: 200, body: .bytes(Array("\(before) \(currentThread() == loop)".utf8)))
            }
        case "/gate":
            let gates = gates
            return .later {
                await gates.pass()
                return HTTPResponse(status: 200, body: .bytes(Array("passed".utf8)))
            }
        case "/cancelled", "/cancelled/ends":
            let (gates, cancellations) = (gates, cancellations)
            return .later {
                await withTaskCancellationHandler {
                    await gates.pass()
                } onCancel: {
                    cancellations.add(())
                    gates.open()
                }
                return HTTPResponse(status: 200, body: .bytes(Array("cancelled".utf8)))
            }
        case "/upload", "/admit/upload":
            return .now(
                HTTPResponse(
                    status: 200,
                    body: .bytes(Array("\((request.sink as? TestSink)?.count ?? -1) \(request.body.count)".utf8))))
        case "/upload/later":
            return .later {
                await Task.yield()
                return HTTPResponse(
                    status: 200, body: .bytes(Array("\((request.sink as? TestSink)?.count ?? -1)".utf8)))
            }
        case "/file":
            let range = request.headers["X-Range"].map { $0.split(separator: "-").map { Int64($0)! } } ?? [0, 3 << 20]
            let descriptor = open(ProcessFile.path, O_RDONLY)
            return .now(HTTPResponse(status: 200, body: .file(HTTPFile(owning: descriptor), range[0]..<range[1])))
        case "/big": return .now(HTTPResponse(status: 200, body: .bytes([UInt8](repeating: 0x62, count: 3 << 20))))
        case "/huge": return .now(HTTPResponse(status: 200, body: .bytes([UInt8](repeating: 0x68, count: 12 << 20))))
        case "/upgrade", "/upgrade/later":
            let upgraded = upgraded
            let answer = HTTPResponse(
                status: 101, headers: [("Upgrade", "echo")], body: .upgrade(HTTPUpgrade { upgraded.add($0) }))
            return request.path == "/upgrade" ? .now(answer) : .later { answer }
        case "/prepared", "/prepared/gate":
            let (gates, own) = (gates, [("X-Number", "\(request.number)")])
            let answer = HTTPResponse(status: 200, headers: own, body: .prepared(shared))
            if request.path == "/prepared" { return .now(answer) }
            return .later {
                await gates.pass()
                return answer
            }
        case "/broken", "/broken/later":
            let end = request.headers["X-At"].flatMap { Int($0) } ?? 0
            let answer = HTTPResponse(status: 200, body: .broken(ProcessFile.bytes, at: end))
            return request.path == "/broken" ? .now(answer) : .later { answer }
        case "/found":
            let count = (request.findings as? Found)?.count ?? -1
            return .now(HTTPResponse(status: 200, body: .bytes(Array("\(count)".utf8))))
        case "/empty": return .now(HTTPResponse(status: 204))
        case "/split": return .now(HTTPResponse(status: 200, headers: [("X-A", "1\r\nX-B: 2"), ("X-C", "3")]))
        case "/notmodified": return .now(HTTPResponse(status: 304, body: .bytes(Array("full".utf8))))
        default:
            return .now(
                HTTPResponse(
                    status: 200, headers: [("X-Number", "\(request.number)")],
                    body: .bytes(Array("\(request.method) \(request.target) \(request.body.count)".utf8))))
        }
    }
    func finished(_ summary: RequestSummary) { summaries.add(summary) }
}

/// Takes a body, and pauses as the test wants.
// the loop's thread alone writes; the test reads after an arrival
final class TestSink: BodySink, @unchecked Sendable {
    let flow: BodyFlow
    let pieces = Arrivals<Int>()
    let ends = Arrivals<Void>()
    private(set) var bytes: [UInt8] = []
    var count: Int { bytes.count }
    /// Pauses after each piece until the test resumes it.
    static let pausing = Mutex(false)

    private let isPaused: Bool

    init(_ flow: BodyFlow, isPaused: Bool = false) {
        self.flow = flow
        self.isPaused = isPaused
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyDemand {
        self.bytes += bytes
        pieces.add(bytes.count)
        return isPaused || Self.pausing.withLock { $0 } ? .pause : .more
    }

    func abandoned() { ends.add(()) }
}

/// Three MiB whose bytes tell where they stand.
enum ProcessFile {
    static let bytes = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) }
    static let path: String = {
        var name = Array("/tmp/parley-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        var written = 0
        while written < bytes.count {
            written += bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
        close(descriptor)
        let path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        atexit { unlink(ProcessFile.path) }
        return path
    }()
}

/// The calling thread, which a task may change while it waits.
private func currentThread() -> pthread_t { pthread_self() }

/// Where handlers wait until the test lets them go.
final class Gates: Sendable {
    private let waiting = Mutex<(open: Bool, list: [CheckedContinuation<Void, Never>])>((false, []))
    let arrived = Arrivals<Void>()

    func pass() async {
        await withCheckedContinuation { continuation in
            let open = waiting.withLock { state in
                if !state.open { state.list.append(continuation) }
                return state.open
            }
            if open { continuation.resume() }
            arrived.add(())
        }
    }

    func open() {
        let list = waiting.withLock { state in
            defer { state = (true, []) }
            return state.list
        }
        list.forEach { $0.resume() }
    }
}

struct TestServer: Sendable {
    let server: HTTPServer
    let handler: TestHandler
    var address: BoundAddress { server.addresses[0] }

    init(
        _ listeners: [Listener] = [.tcp(host: "127.0.0.1", port: 0)],
        _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = ServerConfiguration(listeners: listeners)
        configuration.daemons = 3
        // A machine that stands still for a while ends nothing: only the limits that a test sets count.
        configuration.requestTime = .seconds(1000)
        configuration.idleTimeout = .seconds(1000)
        configuration.heartbeat = .seconds(1000)
        configuration.stallLimit = .seconds(1000)
        configure(&configuration)
        handler = TestHandler()
        server = HTTPServer(configuration: configuration, handler: handler)
        try server.start()
    }

    func client(receiveBuffer: Int32? = nil) throws -> RawClient {
        try RawClient(address, receiveBuffer: receiveBuffer)
    }

    /// A client with an open stream, and the stream's source.
    func stream(receiveBuffer: Int32? = nil) throws -> (RawClient, TestSource) {
        let before = handler.sources.all.count
        let client = try client(receiveBuffer: receiveBuffer)
        try client.stream()
        return (client, try handler.sources.wait(for: before + 1)[before])
    }

    /// Waits until everything posted before has run on the loop, and a turn more: statistics are fresh then.
    func settle() throws {
        for _ in 0..<2 {
            let done = Arrivals<Void>()
            server.execute { done.add(()) }
            try done.wait()
        }
    }

    /// Polls what has no event to wait for.
    func eventually(_ what: String, _ condition: () -> Bool) throws {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(patience) {
            if condition() { return }
            usleep(5000)
        }
        throw Failure(description: "never: \(what)")
    }
}

/// Starts a server, runs the test on a thread, stops the server.
func withServer(
    _ listeners: [Listener] = [.tcp(host: "127.0.0.1", port: 0)],
    configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (TestServer) throws -> Void
) async throws {
    let server = try TestServer(listeners, configure)
    do { try await onThread { try body(server) } } catch {
        server.handler.gates.open()
        try await onThread { server.server.stopNow() }
        throw error
    }
    server.handler.gates.open()
    try await onThread { server.server.stopNow() }
}
