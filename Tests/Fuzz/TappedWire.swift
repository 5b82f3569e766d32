import CXoneService
import CXoneWire
import HTTPClientPort
import Synchronization
import TestSupport
import WireSupport

/// The way to a platform on which an input can speak in the platform's place.
final class TappedWire: SocketPort, HTTPPort {
    private struct State {
        /// Requests of these types get a line as their answer, and do not reach the platform.
        var types: Set<String> = []
        var lines: [[UInt8]] = []
        /// The body with which URLs that have this part are answered.
        var body: (bytes: [UInt8], part: String)?
        var socket: TappedSocket?
        var marks = 0
    }

    private let inner: MemoryWire
    private let state = Mutex(State())

    init(_ inner: MemoryWire) { self.inner = inner }

    var isOpen: Bool { state.withLock { $0.socket }?.isOpen ?? false }

    // MARK: What the target does

    /// Says a frame of its own.
    func say(_ frame: [UInt8]) { state.withLock { $0.socket }?.receive(frame) }

    func answer(_ types: Set<String>, with lines: [[UInt8]]) {
        state.withLock { ($0.types, $0.lines) = (types, lines) }
    }

    func body(_ bytes: [UInt8]?, at part: String) { state.withLock { $0.body = bytes.map { ($0, part) } } }

    /// The adapter's `notice`: it tells of frames of no kind, which are the marks of ``flush()``.
    func notice(_ text: String) {
        if text.contains("of no known kind") { state.withLock { $0.marks += 1 } }
    }

    /// Returns when all frames that were said have been dealt with, or the socket is gone.
    func flush() async {
        guard let socket = state.withLock({ $0.socket }), socket.isOpen else { return }
        let target = state.withLock { $0.marks + 1 }
        socket.receive(Array("{}".utf8))
        _ = await eventually { [self] in !socket.isOpen || state.withLock { $0.marks >= target } }
    }

    func line(for request: ClientRequest) -> [UInt8]? {
        let line = state.withLock { state -> [UInt8]? in
            guard state.types.contains(request.event.type), !state.lines.isEmpty else { return nil }
            return state.lines.removeFirst()
        }
        return line.map { Array($0.text.replacing("$E", with: request.eventID).utf8) }
    }

    // MARK: Ports

    func open(_ url: String) async throws -> any Socket {
        let socket = TappedSocket(try await inner.open(url), self)
        state.withLock { $0.socket = socket }
        return socket
    }

    func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        if let body = state.withLock({ $0.body }), call.url.contains(body.part) {
            return HTTPAnswer(status: 200, body: body.bytes)
        }
        return try await inner.send(call, limit: limit)
    }
}

/// A socket of the platform, into which the input puts frames of its own.
final class TappedSocket: Socket {
    let texts: AsyncStream<[UInt8]>
    private let feed: AsyncStream<[UInt8]>.Continuation
    private let inner: any Socket
    private let wire: TappedWire
    private let hasEnded = Flag()

    init(_ inner: any Socket, _ wire: TappedWire) {
        (self.inner, self.wire) = (inner, wire)
        (texts, feed) = AsyncStream.makeStream()
        Task { [feed, hasEnded] in
            for await text in inner.texts {
                feed.yield(text)
                inner.handled(text.count)
            }
            hasEnded.raise()
            feed.finish()
        }
    }

    var isOpen: Bool { !hasEnded.isRaised }

    func receive(_ text: [UInt8]) { feed.yield(text) }

    func handled(_ byteCount: Int) {}

    func send(_ text: [UInt8]) async throws {
        if let frame = try? ClientFrame(json: text), case .request(let request) = frame,
            let line = wire.line(for: request)
        {
            feed.yield(line)
        } else {
            try await inner.send(text)
        }
    }

    func close() async {
        await inner.close()
        hasEnded.raise()
        feed.finish()
    }
}
