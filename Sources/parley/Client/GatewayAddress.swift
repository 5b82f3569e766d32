import Formats

/// Where a gateway listens, as commands reach it: `http://HOST:PORT` or `unix:PATH`.
enum GatewayAddress: Equatable, CustomStringConvertible {
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    /// Nil for any other form. Without a port it is 8787, the port on which a gateway listens unless it is told
    /// otherwise. A slash at the end of a URL is allowed.
    init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { return nil }
            self = .unix(path: path)
            return
        }
        guard text.hasPrefix("http://") else { return nil }
        var authority = text.dropFirst(7)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard !authority.isEmpty, !authority.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        var port: UInt16 = 8787
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            guard let given = UInt16(digits: authority[authority.index(after: colon)...]), given > 0 else { return nil }
            port = given
            authority = authority[..<colon]
        }
        if authority.hasPrefix("["), authority.hasSuffix("]") { authority = authority.dropFirst().dropLast() }
        guard !authority.isEmpty, !authority.contains("[") else { return nil }
        self = .tcp(host: String(authority), port: port)
    }

    /// The form in which `--gateway` takes it.
    var description: String {
        switch self {
        case .tcp: "http://\(authority)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// The value of the Host header.
    var authority: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix: "localhost"
        }
    }
}
