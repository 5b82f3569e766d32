import Foundation

/// What a call's URL names, as async-http-client reads it: by Foundation's `URL`, with the brackets of IPv6 taken off.
enum CallTarget {
    /// Without addresses where the host is a name. Throws `HTTPCallError.invalidURL`.
    static func of(_ text: String) throws -> ConnectionTarget {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
              var host = url.host, !host.isEmpty else { throw HTTPCallError.invalidURL }
        if host.hasPrefix("[") { host.removeFirst() }
        if host.hasSuffix("]") { host.removeLast() }
        guard !host.isEmpty else { throw HTTPCallError.invalidURL }
        return ConnectionTarget(
            scheme: scheme, host: host, port: url.port ?? (scheme == "https" ? 443 : 80),
            addresses: NetworkAddress(host).map { [$0] } ?? [])
    }
}
