import AsyncHTTPClient
import Bounds
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// Asks HTTP servers.
///
/// A call is one try: nothing is tried again, and no redirect is followed. It ends with its own time limit
/// (``HTTPCall/timeout``), and soon after its task was cancelled, wherever it is.
public protocol HTTPPort: Sendable {
    /// Throws when no whole answer came; an answer of any status is none of that.
    ///
    /// - Parameter limit: bytes of the answer's body at most; more is an error.
    func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer

    /// The answer with the beginning of its body, for who only wants to tell what was answered.
    ///
    /// Throws when no whole answer came. An answer whose body is longer than `limit` is none of that: it is cut off.
    ///
    /// - Parameters:
    ///   - limit: bytes of the body that are read; then the call hangs up.
    ///   - kept: bytes of them that are returned.
    func sendReadingStart(_ request: HTTPCall, limit: Int, kept: Int) async throws -> HTTPAnswer

    /// The same, with the body in pieces. The next piece is read when the last one was taken.
    ///
    /// - Parameters:
    ///   - begin: called with the answer, which has no body yet; it throws to read no body.
    ///   - take: called with each piece of the body.
    func receive(
        _ request: HTTPCall, limit: Int, begin: @escaping @Sendable (HTTPAnswer) throws -> Void,
        take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws
}

extension HTTPPort {
    public func receive(
        _ request: HTTPCall, limit: Int, begin: @escaping @Sendable (HTTPAnswer) throws -> Void,
        take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        var answer = try await send(request, limit: limit)
        let body = answer.body
        answer.body = []
        try begin(answer)
        if !body.isEmpty { try await take(body) }
    }

    public func sendReadingStart(_ request: HTTPCall, limit: Int, kept: Int) async throws -> HTTPAnswer {
        var answer = try await send(request, limit: .max)
        answer.body = Array(answer.body.prefix(kept))
        return answer
    }
}

public struct HTTPCall: Sendable, Hashable {
    public let method: String
    public let url: String
    public var headers: [Header]
    public var body: [UInt8]?
    /// For all of the call: name, connection, head and body of the answer. Nil is 10 minutes: then who calls sets the
    /// limit.
    public var timeout: Duration?
    /// For whom the call is made: who chose its address. Look-ups of names are shared by it.
    public var holder = Holder.root
    /// Method and URL, if they were read before.
    let target: CallTarget?

    public struct Header: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(
        _ method: String, _ url: String, headers: [Header] = [], body: [UInt8]? = nil, timeout: Duration? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        target = nil
    }

    /// A call whose URL was read before.
    public init(to target: CallTarget, headers: [Header] = [], body: [UInt8]? = nil, timeout: Duration? = nil) {
        method = target.method
        url = target.url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.target = target
    }
}

public struct HTTPAnswer: Sendable {
    public var status: Int
    /// In small letters, the last of each name.
    public var headers: [String: String]
    public var body: [UInt8]
    /// How the other side speaks.
    public var version: Version

    public enum Version: Sendable {
        case http1, http2
    }

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], version: Version = .http1) {
        self.status = status
        self.headers = headers
        self.body = body
        self.version = version
    }

    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// Why a call has no answer. No case holds a URL, a header or a body.
public enum HTTPCallError: Error, Sendable, Equatable {
    /// The call's time was over.
    case timeout
    /// The URL is none of `http` or `https` with a host.
    case invalidURL
    /// The host's name has no address.
    case unknownHost
    /// The other side ended the call before its answer.
    case noAnswer
    /// The answer's body has more bytes than the caller takes.
    case tooLong
    /// Nobody who is trusted has signed the other side's certificate, or it is not valid now.
    case untrustedCertificate
    /// The other side's certificate is for another host.
    case certificateOfAnotherHost

    /// What an error of the TLS handshake says of the other side's certificate; nil for any other error.
    init?(certificate error: any Error) {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            self = .certificateOfAnotherHost
        } else if case .handshakeFailed(let reason)? = error as? NIOSSLError,
            String(describing: reason).contains("CERTIFICATE_VERIFY_FAILED")
        {
            self = .untrustedCertificate
        } else {
            return nil
        }
    }
}

/// A call that met a connection which the other side was winding up (HTTP/2 GOAWAY), or that the other side refused
/// (RST_STREAM with REFUSED_STREAM).
///
/// The other side has processed nothing of it, so it may be made again, whatever its method is (RFC 9113, 8.7). One case
/// cannot be told from that: NIO says CANCEL of a stream that GOAWAY drops, and a server may also reset a stream with
/// CANCEL after it has looked at it. So only those should repeat a call for whom it is no harm when it arrives twice.
enum RefusedCall {
    /// True if the error of a call means that.
    static func isMeant(by error: any Error) -> Bool {
        switch error {
        case let error as NIOHTTP2Errors.StreamClosed: error.errorCode == .refusedStream || error.errorCode == .cancel
        case let error as NIOHTTP2Errors.StreamError: isMeant(by: error.baseError)
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: true
        // The client closed the connection after GOAWAY, and the call came to it too late to be written.
        case let error as HTTPClientError: error == .cancelled
        default: false
        }
    }
}

/// A method and a URL that were read once, for any number of calls.
public struct CallTarget: Sendable {
    public let method: String
    public let url: String
    /// Where connections go. `addresses` is empty when the host is a name. A missing port is 80 or 443.
    let connection: ConnectionTarget
    /// Scheme, host and port in one spelling: targets of one origin have the same text. The port is always there.
    public var origin: String { "\(connection.scheme)://\(connection.host.lowercased()):\(connection.port)" }
    /// The beginning of each request.
    let request: HTTPClient.Request
    /// A number that is the same for all targets of a host, and spreads hosts evenly.
    let spread: Int

    /// Reads a URL as async-http-client does: by Foundation's `URL`, with the brackets of IPv6 taken off.
    ///
    /// Throws `HTTPCallError.invalidURL`, also for schemes other than `http` and `https`.
    public init(_ method: String, _ text: String) throws(HTTPCallError) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            var host = url.host, !host.isEmpty
        else { throw .invalidURL }
        if host.hasPrefix("[") { host.removeFirst() }
        if host.hasSuffix("]") { host.removeLast() }
        guard !host.isEmpty, let request = try? HTTPClient.Request(url: url, method: HTTPMethod(rawValue: method))
        else { throw .invalidURL }
        self.method = method
        self.url = text
        self.request = request
        connection = ConnectionTarget(
            scheme: scheme, host: host, port: url.port ?? (scheme == "https" ? 443 : 80),
            addresses: NetworkAddress(host).map { [$0] } ?? [])
        var hasher = Hasher()
        hasher.combine(host)
        hasher.combine(connection.port)
        spread = Int(UInt(bitPattern: hasher.finalize()) >> 1)
    }
}

extension CallTarget: Hashable {
    public static func == (left: CallTarget, right: CallTarget) -> Bool {
        left.method == right.method && left.url == right.url
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(url)
    }
}

/// The target of a connection that a call is about to make.
public struct ConnectionTarget: Sendable, Hashable {
    /// `http` or `https`.
    public var scheme: String
    /// The host as in the URL, without the brackets of an IPv6 address.
    public var host: String
    public var port: Int
    /// All addresses that the host's name has now, in the order in which they are tried; for an address, that address
    /// itself.
    public var addresses: [NetworkAddress]

    public init(scheme: String, host: String, port: Int, addresses: [NetworkAddress]) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.addresses = addresses
    }
}

/// Decides before each connection to which addresses it may be made. It throws to refuse the call, which then fails
/// with that error.
///
/// The call connects to the first address that is returned, and to the next one where nobody takes the connection. It
/// connects to no other, even if the name has other addresses by then. A name server can therefore not lead a call
/// elsewhere after the check (DNS rebinding).
public typealias ConnectionJudge = @Sendable (ConnectionTarget) throws -> [NetworkAddress]

extension ConnectionTarget {
    /// The addresses to which a connection may be made, in the order in which they are tried: the host's own, as they are
    /// now and as the judge allows them. Never empty.
    ///
    /// Throws what the judge throws, `HTTPCallError.unknownHost`, `HTTPCallError.timeout` at the deadline.
    ///
    /// - Parameter holder: for whom a name is looked up.
    public func judged(
        by judge: ConnectionJudge, for holder: Holder, until deadline: ContinuousClock.Instant
    ) async throws -> [NetworkAddress] {
        var target = self
        if target.addresses.isEmpty {
            let host = host
            target.addresses = try await AsyncHTTPPort.deadlines.run(until: deadline) {
                try await NameResolver.addresses(of: host, for: holder)
            }
        }
        let addresses = try judge(target)
        guard !addresses.isEmpty else { throw HTTPCallError.unknownHost }
        return addresses
    }

    /// How long an address may take to connect when there is another one: one that leads nowhere must leave time for it.
    public static let patienceWithOne = TimeAmount.seconds(2)

    /// Whether the error of a connection means that nobody took it: then another address of the host may be tried. It is
    /// none that a connection may have after it was made, when a part of the request may have been sent.
    public static func isUntaken(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError: true
        case ChannelError.connectTimeout: true
        case let error as IOError: [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL].contains(error.errnoCode)
        case let error as HTTPClientError:
            [.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout].contains(error)
        default: false
        }
    }
}

/// Why nothing is sent to an address, as a ``ConnectionJudge`` says it. The sentence names the host at most: no path, no
/// query.
public struct AddressRefusal: Error, Sendable, Equatable {
    public let detail: String

    public init(_ detail: String) { self.detail = detail }
}
