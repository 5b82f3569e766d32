import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Bounds
import Glibc
import NIOCore
import NIOPosix

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
