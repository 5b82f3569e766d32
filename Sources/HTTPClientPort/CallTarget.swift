import Foundation

/// What a call's URL names, as async-http-client reads it: by Foundation's `URL`, with the brackets of IPv6 taken off.
enum CallTarget {
    /// The target of a URL. `addresses` is empty when the host is a name. A missing port becomes 80 or 443.
    ///
    /// Throws `HTTPCallError.invalidURL`, also for schemes other than `http` and `https`.
    static func of(_ text: String) throws -> ConnectionTarget {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            var host = url.host, !host.isEmpty
        else { throw HTTPCallError.invalidURL }
        if host.hasPrefix("[") { host.removeFirst() }
        if host.hasSuffix("]") { host.removeLast() }
        guard !host.isEmpty else { throw HTTPCallError.invalidURL }
        return ConnectionTarget(
            scheme: scheme, host: host, port: url.port ?? (scheme == "https" ? 443 : 80),
            addresses: NetworkAddress(host).map { [$0] } ?? [])
    }
}
