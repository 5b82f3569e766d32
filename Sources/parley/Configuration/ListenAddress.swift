import MicroHTTP

/// The value of `--listen`: `ADDRESS:PORT`, `[IPv6]:PORT`, `localhost:PORT`, `:PORT` or `unix:PATH`.
///
/// Without an address, and for `localhost`, the gateway listens on 127.0.0.1. Port 0 takes any free port.
struct ListenAddress {
    /// What the server binds.
    var listener: Listener

    /// Throws ``SettingsError`` for any other form. It does not check whether the address exists.
    init(_ text: String) throws(SettingsError) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw SettingsError("--listen \(text): a path must follow unix:.") }
            listener = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw SettingsError("--listen \(text): write ADDRESS:PORT (0 for any free port) or unix:PATH.")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.isEmpty || host == "localhost" { host = "127.0.0.1" }
        listener = .tcp(host: host, port: port)
    }

    /// Whether only this machine can reach it: a Unix socket, 127.0.0.0/8 or ::1. Anything else needs
    /// `--listen-public`.
    var isLocal: Bool {
        switch listener {
        case .unix: true
        case .tcp(let host, _): host.hasPrefix("127.") || host == "::1"
        }
    }
}
