import Chat
import ChatModel
import CXoneSandbox
import CXoneService
import HTTPClientPort
import MicroHTTP
import Synchronization
import TestSupport

/// The network between a gateway and the one whose sandbox is its platform, in memory: the near service's sockets and
/// requests end at the sandbox's sessions and endpoints. Or its ends alone are, and between them is a ``FarServer``.
public final class MemoryWire: SocketPort, HTTPPort {
    public let sandbox: Sandbox
    private let application: SandboxApplication

    private struct State {
        var links: [MemoryLink] = []
        var isDown = false
        var isHeld = false
        /// Opened or asked, and not answered yet.
        var underWay = 0
        var opened = 0
        var calls = 0
        /// Frames of links that are no more.
        var former = 0
        var marks = 0
        var notices: [String] = []
    }
    private let state = Mutex(State())
    private let server = Mutex<FarServer?>(nil)
    private let host = Mutex("far.test")

    public init(to sandbox: Sandbox) {
        self.sandbox = sandbox
        application = SandboxApplication(sandbox)
    }

    /// Puts a server and its sockets between the ends from now on.
    func serve() throws {
        let made = try FarServer(sandbox, application)
        let address = try made.start()
        host.withLock { $0 = address }
        server.withLock { $0 = made }
    }

    func end() { server.withLock { $0 }?.stop() }

    /// Where an embedded channel of the far gateway is, for the near one.
    public func address(of channel: String, _ authorization: SandboxAuthorization = .anonymous) throws -> ChannelAddress
    {
        struct NoChannel: Error {}
        guard
            let face = try blocking({ [sandbox] in try await sandbox.channels() }).first(where: {
                $0.channel == channel && $0.authorization == authorization
            })
        else {
            throw NoChannel()
        }
        let host = host.withLock { $0 }
        return ChannelAddress(
            environment: nil,
            urls: ["chat": "http://\(host)/chat", "socket": "ws://\(host)", "token": "http://\(host)"],
            brandID: sandbox.brandID, channelID: face.id)
    }

    // MARK: What tests do

    /// Sockets that were opened up to now.
    public var openedCount: Int { state.withLock { $0.opened } }
    public var openCount: Int { links.count }

    /// All sockets break; what is on the way is lost.
    public func drop() { for link in links { link.abort() } }

    /// While it is down, nobody gets through.
    public func setDown(_ isDown: Bool) {
        state.withLock { $0.isDown = isDown }
        if isDown { drop() }
    }

    /// While it is held, what is sent over sockets stays on the way.
    public func hold(_ isHeld: Bool) {
        let links = state.withLock { state in
            state.isHeld = isHeld
            return state.links
        }
        for link in links { link.hold(isHeld) }
    }

    /// What the near service has passed over, beside the marks of ``flush()``.
    public var notices: [String] { state.withLock { $0.notices } }

    /// The near service's `notice`.
    public func notice(_ text: String) {
        state.withLock { state in
            if text.contains("of no known kind") { state.marks += 1 } else { state.notices.append(text) }
        }
    }

    private var links: [MemoryLink] {
        state.withLock { state in
            let gone = state.links.filter { !$0.isOpen }
            state.former += gone.reduce(0) { $0 + $1.frameCount }
            state.links.removeAll { !$0.isOpen }
            return state.links
        }
    }

    /// Grows with all that goes over the network.
    var traffic: Int {
        let open = links.reduce(0) { $0 + $1.frameCount }
        return state.withLock { $0.calls + $0.former + open }
    }

    var isUnderWay: Bool { state.withLock { $0.underWay > 0 } }

    /// Returns when either side has taken what the other one has sent up to now.
    func flush() async {
        for link in links { await link.flushFar() }
        for link in links {
            let target = state.withLock { $0.marks + 1 }
            guard link.mark() else { continue }
            _ = await eventually { [self] in !link.isOpen || state.withLock { $0.marks >= target } }
        }
    }

    // MARK: SocketPort

    public func open(_ url: String) async throws -> any Socket {
        let link = MemoryLink()
        let request = HTTPRequest(method: "GET", target: Self.target(url), headers: [("Host", host.withLock { $0 })])
        guard !state.withLock(\.isDown) else { throw SocketClosed() }
        let served = try await server.withLock { $0 }?.open(url, for: link)
        let here = served == nil ? await sandbox.open(request, over: link) : nil
        guard let tell = served ?? here else { throw SocketClosed() }
        state.withLock { state in
            state.opened += 1
            state.links.append(link)
            link.hold(state.isHeld)
        }
        link.join(tell)
        return link
    }

    // MARK: HTTPPort

    public func send(_ call: HTTPCall, limit: Int) async throws -> HTTPAnswer {
        struct Unreachable: Error {}
        let isDown = state.withLock { state in
            state.calls += 1
            state.underWay += 1
            return state.isDown
        }
        defer { state.withLock { $0.underWay -= 1 } }
        guard !isDown else { throw Unreachable() }
        if let server = server.withLock({ $0 }) { return try await server.send(call, limit: limit) }
        let headers = [("Host", host.withLock { $0 })] + call.headers.map { ($0.name, $0.value) }
        let request = HTTPRequest(
            method: call.method, target: Self.target(call.url), headers: headers, body: call.body ?? [])
        guard let response = try? await application.answer(to: request) else { return HTTPAnswer(status: 404) }
        let answer = HTTPAnswer(response)
        guard answer.body.count <= limit else { throw Unreachable() }
        return answer
    }

    /// Path and query of a URL.
    private static func target(_ url: String) -> String {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        guard let end = url[start...].firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return url[end] == "?" ? "/" + url[end...] : String(url[end...])
    }
}

extension HTTPAnswer {
    /// What the near side gets of an answer.
    fileprivate init(_ response: HTTPResponse) {
        let response = response.unshared
        let headers = response.headers.map { ($0.0.lowercased(), $0.1) }
        let body: [UInt8] =
            switch response.body {
            case .bytes(let bytes): bytes
            case .file(let file, let range): file.read(range)
            case .none, .prepared, .events, .pieces, .upgrade, .broken: []
            }
        self.init(status: response.status, headers: Dictionary(headers) { $1 }, body: body)
    }
}
