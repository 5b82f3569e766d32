import CXoneSandbox
import CXoneService
import HTTPClientPort
import MicroHTTP
import Synchronization

/// The far gateway's sandbox behind a server of its own, and the near gateway's way there: TCP, libmicrohttpd's
/// upgrade, and SwiftNIO's WebSockets on both sides.
final class FarServer: HTTPHandler {
    private let sandbox: Sandbox
    private let application: SandboxApplication
    private let server = Mutex<HTTPServer?>(nil)
    private let sockets: NIOSocketPort
    private let http = AsyncHTTPPort()

    /// - Parameter application: answers the requests that open no socket.
    init(_ sandbox: Sandbox, _ application: SandboxApplication) throws {
        self.sandbox = sandbox
        self.application = application
        sockets = NIOSocketPort(judge: { $0.addresses })
    }

    /// Returns host and port.
    func start() throws -> String {
        struct NoAddress: Error {}
        let made = HTTPServer(
            configuration: ServerConfiguration(listeners: [.tcp(host: "127.0.0.1", port: 0)]), handler: self)
        try made.start()
        server.withLock { $0 = made }
        guard case .tcp(_, let port)? = made.addresses.first else { throw NoAddress() }
        return "127.0.0.1:\(port)"
    }

    func stop() { server.withLock { $0 }?.stopNow() }

    // MARK: The far side

    func bodyLimit(for head: HTTPRequest) -> Int? { 64 << 20 }

    func respond(to request: HTTPRequest) -> HTTPReply {
        if Sandbox.isSocket(request) { return .later { [sandbox] in await sandbox.open(request) } }
        return .later { [application] in (try? await application.answer(to: request)) ?? HTTPResponse(status: 404) }
    }

    // MARK: The near side

    func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer { try await http.send(call, limit: limit) }

    /// Opens a socket whose frames come out at the link's far end. Returns what takes those that go in there.
    func open(_ url: String, for link: MemoryLink) async throws -> @Sendable (SocketNews) -> Void {
        let socket = try await sockets.open(url)
        let (out, feed) = AsyncStream.makeStream(of: [UInt8].self)
        Task {
            for await text in out { try? await socket.send(text) }
            await socket.close()
        }
        Task {
            for await text in socket.texts {
                link.send(text: text)
                socket.handled(text.count)
            }
            link.abort()
        }
        return { news in
            switch news {
            case .text(let text): feed.yield(text)
            case .closed: feed.finish()
            case .drained: break
            }
        }
    }
}
