import Bounds
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// The bodies of requests and answers, for as many minutes as somebody has asked for. In memory only. Any thread may
/// use it.
///
/// Only texts are kept: of each the first 64 KiB, and in all 8 MiB of the newest 1,000 requests. Headers are never kept,
/// and neither are bodies of routes whose requests or answers have tokens (``RequestTrace/secret``).
package final class RequestCapture: Sendable {
    /// A body as far as it is kept.
    package struct Body: Sendable, Equatable {
        package var text: String
        /// The bytes of the whole body.
        package var size: Int

        /// Whether ``text`` is the whole body.
        package var isWhole: Bool { text.utf8.count == size }
    }

    /// What is kept of one request.
    package struct Bodies: Sendable, Equatable {
        package var request: Body?
        package var answer: Body?

        fileprivate var byteCount: Int { (request?.text.utf8.count ?? 0) + (answer?.text.utf8.count ?? 0) }
    }

    /// In bytes.
    static let bodyLimit = 64 << 10
    /// In bytes.
    static let limit = ByteBound.capturedBodies.bytes
    /// Small bodies take more memory for their request than for themselves, so the requests have a bound, too. It is
    /// above that of ``RequestRecorder/recent``, because a request is counted here before its answer has ended.
    static let requestLimit = 1000

    private struct State {
        var until: Timestamp?
        /// Counts the periods, so that the end of one does not end the next.
        var period = 0
        var bodies: [UInt64: Bodies] = [:]
        /// The requests in the order in which they came here, from `first` on.
        var order: [UInt64] = []
        var first = 0
        var byteCount = 0

        mutating func forgetAll() { (until, bodies, order, first, byteCount) = (nil, [:], [], 0, 0) }

        mutating func forgetOldest() {
            byteCount -= bodies.removeValue(forKey: order[first])?.byteCount ?? 0
            first += 1
            if first > order.count / 2 {
                order.removeFirst(first)
                first = 0
            }
        }
    }
    private let state = Mutex(State())
    private let isOn = Atomic<Bool>(false)
    private let now: @Sendable () -> Timestamp
    private let clock: any Clock<Duration>

    init(now: @escaping @Sendable () -> Timestamp, clock: any Clock<Duration>) {
        self.now = now
        self.clock = clock
    }

    /// Whether bodies are kept now. Asked for each request.
    var isRunning: Bool { isOn.load(ordering: .relaxed) }

    /// When the keeping ends, nil if nothing is kept, and how many bytes are kept.
    package var status: (until: Timestamp?, byteCount: Int) { state.withLock { ($0.until, $0.byteCount) } }

    /// Keeps bodies from now on, for so many minutes; what was kept before stays until then. 0 ends it. At the end all
    /// bodies are forgotten.
    package func run(minutes: Int) {
        let period = state.withLock { state in
            state.period += 1
            if minutes == 0 {
                state.forgetAll()
            } else {
                state.until = now().advanced(bySeconds: minutes * 60)
            }
            return state.period
        }
        isOn.store(minutes > 0, ordering: .relaxed)
        guard minutes > 0 else { return }
        Task { [clock, weak self] in
            try? await clock.sleep(for: .seconds(minutes * 60))
            self?.end(period)
        }
    }

    private func end(_ period: Int) {
        state.withLock { state in
            guard state.period == period else { return }
            state.forgetAll()
            isOn.store(false, ordering: .relaxed)
        }
    }

    /// Keeps the body of a request that is complete.
    func captureBody(_ request: HTTPRequest, _ route: Route?) {
        guard route?.trace == .full, let body = Self.body(request.body) else { return }
        storeBody(body, of: request, at: \.request)
    }

    /// Keeps the body of an answer.
    func captureBody(_ answer: HTTPResponse, to request: HTTPRequest, _ route: Route?) {
        let bytes: [UInt8]
        switch answer.body {
        case .bytes(let body): bytes = body
        case .prepared(let prepared): bytes = prepared.body
        default: return
        }
        // A problem quotes the request at most in its detail, which is kept anyway.
        guard route?.trace == .full || (route == nil && answer.status >= 400), let body = Self.body(bytes) else {
            return
        }
        storeBody(body, of: request, at: \.answer)
    }

    /// The kept bodies of the request with this number (``HTTPRequest/number``).
    package func bodies(of request: UInt64) -> Bodies? { state.withLock { $0.bodies[request] } }

    private func storeBody(_ body: Body, of request: HTTPRequest, at part: WritableKeyPath<Bodies, Body?>) {
        state.withLock { state in
            guard let until = state.until, now() < until else { return }
            let before = state.bodies[request.number]
            if before == nil { state.order.append(request.number) }
            var bodies = before ?? Bodies()
            bodies[keyPath: part] = body
            state.byteCount += bodies.byteCount - (before?.byteCount ?? 0)
            state.bodies[request.number] = bodies
            while state.byteCount > Self.limit || state.bodies.count > Self.requestLimit { state.forgetOldest() }
        }
    }

    /// The beginning of a body; nil if it is empty or no text. A character that is cut in two is left out.
    private static func body(_ bytes: [UInt8]) -> Body? {
        guard !bytes.isEmpty else { return nil }
        var end = min(bytes.count, bodyLimit)
        if end < bytes.count {
            // Not after the first byte of a character, or between its others (10xxxxxx).
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        }
        return String(validating: bytes[..<end], as: UTF8.self).map { Body(text: $0, size: bytes.count) }
    }
}
