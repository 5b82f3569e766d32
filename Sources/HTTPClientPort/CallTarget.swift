import AsyncHTTPClient
import Foundation
import NIOHTTP1

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
