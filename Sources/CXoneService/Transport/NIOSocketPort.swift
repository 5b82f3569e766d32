import Bounds
import CXoneWire
import HTTPClientPort
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// Opens WebSockets by SwiftNIO, with TLS by NIOSSL for `wss:`. The server's certificate is verified against the
/// system's roots.
public final class NIOSocketPort: SocketPort {
    /// Nil: the process's own, whose threads begin with the first socket.
    private let group: (any EventLoopGroup)?
    private let tls = ClientTLS()
    private let judge: ConnectionJudge
    private let notice: @Sendable (String) -> Void

    private let patience: TimeAmount

    /// - Parameters:
    ///   - judge: asked before each connection, with the addresses of the host as they are then.
    ///   - group: lives longer than the port; nil: the one of the process.
    ///   - patience: how long the other side has for its address, TCP, TLS and the upgrade together.
    ///   - notice: told what breaks the protocol, for the log; nothing of what was received.
    public init(
        judge: @escaping ConnectionJudge, group: (any EventLoopGroup)? = nil, patience: TimeAmount = .seconds(8),
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.judge = judge
        self.group = group
        self.patience = patience
        self.notice = notice
    }

    /// Resolves, connects, secures and upgrades, all within the time limit. Throws ``SocketRefused`` for a URL
    /// that is none or a server without WebSocket, what the judge throws, and errors of NIO. A failure leaves no
    /// connection behind.
    public func open(_ url: String) async throws -> any Socket {
        guard let target = SocketTarget(url) else { throw SocketRefused(reason: "no ws: or wss: URL") }
        let deadline = NIODeadline.now() + patience
        let connection = ConnectionTarget(
            scheme: target.isSecure ? "https" : "http", host: target.host, port: target.port,
            addresses: NetworkAddress(target.host).map { [$0] } ?? [])
        let addresses = try await connection.judged(
            by: judge, for: .root, until: .now + .nanoseconds(patience.nanoseconds))
        for address in addresses.dropLast() {
            do {
                return try await open(
                    target, at: address, until: deadline, connectingFor: ConnectionTarget.patienceWithOne
                ).get()
            } catch let error where ConnectionTarget.isUntaken(error) && !Task.isCancelled {
                // The host may be there at its next address.
            }
        }
        return try await open(target, at: addresses[addresses.count - 1], until: deadline).get()
    }

    /// Returns when the connection is made; the upgrade may still fail.
    private func open(
        _ target: SocketTarget, at address: NetworkAddress, until deadline: NIODeadline,
        connectingFor most: TimeAmount = .hours(1)
    ) async throws -> EventLoopFuture<NIOSocket> {
        let notice = notice
        let tls = target.isSecure ? try tls.context() : nil
        return try await ClientBootstrap(group: group ?? MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(max(.nanoseconds(1), min(most, deadline - .now())))
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(to: SocketAddress(ipAddress: address.text, port: target.port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let handler = try NIOSSLClientHandler(
                            context: tls, serverHostname: target.isAddress ? nil : target.host)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    return try Self.upgrade(channel, to: target, until: deadline, notice)
                }
            }
    }

    private static func upgrade(
        _ channel: any Channel, to target: SocketTarget, until deadline: NIODeadline,
        _ notice: @escaping @Sendable (String) -> Void
    ) throws -> EventLoopFuture<NIOSocket> {
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: target.authority)
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target.path, headers: headers)
        let upgrader = NIOTypedWebSocketClientUpgrader<NIOSocket>(maxFrameSize: WireLimit.frame) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let socket = NIOSocket(channel: channel)
                try channel.pipeline.syncOperations.addHandler(WebSocketTexts(socket: socket, notice: notice))
                return socket
            }
        }
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<NIOSocket>(
            upgradeRequestHead: head, upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(
                    SocketRefused(reason: "the server does not speak WebSocket here"))
            })
        let future = try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration))
        let alarm = channel.eventLoop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
        future.whenComplete { result in
            alarm.cancel()
            if case .failure = result { channel.close(promise: nil) }
        }
        return future
    }
}

/// What sockets need for TLS. It is made with the first that does: to read the system's roots takes time and memory.
private final class ClientTLS: Sendable {
    private let made = Mutex<NIOSSLContext?>(nil)

    func context() throws -> NIOSSLContext {
        try made.withLock { made in
            if let made { return made }
            let context = try NIOSSLContext(configuration: .makeClientConfiguration())
            made = context
            return context
        }
    }
}

/// The URL is no WebSocket's, or the server refused the upgrade.
public struct SocketRefused: Error, CustomStringConvertible {
    public var reason: String

    public init(reason: String) { self.reason = reason }

    public var description: String { reason }
}

/// A `ws:` or `wss:` URL in its parts. The fragment is dropped.
struct SocketTarget: Equatable {
    var isSecure: Bool
    var host: String
    var port: Int
    /// With its query.
    var path: String
    /// Host and port as the URL spells them.
    var authority: String

    /// Nil for any other scheme, for user information, and for characters that may not stand in a request line.
    /// The port is 80 or 443 by default.
    init?(_ url: String) {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        switch url[..<scheme.lowerBound].lowercased() {
        case "ws": isSecure = false
        case "wss": isSecure = true
        default: return nil
        }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        authority = String(rest[..<end])
        path = String(rest[end...].prefix { $0 != "#" })
        if !path.hasPrefix("/") { path = "/" + path }
        var name = Substring(authority), digits = Substring()
        if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") {
            digits = name[name.index(after: colon)...]
            name = name[..<colon]
        }
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        guard let port = digits.isEmpty ? (isSecure ? 443 : 80) : Int(digits), (1...65535).contains(port),
            !name.isEmpty,
            !authority.contains("@"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        host = String(name)
        self.port = port
    }

    /// Whether the host is an IP address. TLS's server name indication takes names only (RFC 6066).
    var isAddress: Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }
}
