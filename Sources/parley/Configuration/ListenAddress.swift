import MicroHTTP

/// Where the gateway listens: the value of `--listen`, which is `ADDRESS:PORT`, `[IPv6]:PORT`, `localhost:PORT`, `:PORT`
/// or `unix:PATH`; or a socket that the service manager has opened.
///
/// Without an address, and for `localhost`, the gateway listens on 127.0.0.1. Port 0 takes any free port.
struct ListenAddress {
    /// What the server is given.
    var listener: Listener
    /// As messages name it.
    var text: String
    /// Where that is.
    private var address: Listener

    /// A socket of the service manager.
    init(_ socket: ActivatedSocket) {
        listener = .inherited(descriptor: socket.descriptor)
        address = socket.address
        text = "\(socket.address) (\(socket.name.shownSafely))"
    }

    /// Throws ``SettingsError`` for any other form. It does not check whether the address exists.
    init(_ text: String) throws(SettingsError) {
        self.text = text
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw SettingsError("--listen \(text): a path must follow unix:.") }
            listener = .unix(path: path)
            address = listener
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw SettingsError("--listen \(text): write ADDRESS:PORT (0 for any free port) or unix:PATH.")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.isEmpty || host == "localhost" { host = "127.0.0.1" }
        listener = .tcp(host: host, port: port)
        address = listener
    }

    /// Whether only this machine can reach it: a Unix socket, 127.0.0.0/8 or ::1. Anything else needs
    /// `--listen-public`.
    var isLocal: Bool {
        switch address {
        case .unix: true
        case .tcp(let host, _): host.hasPrefix("127.") || host == "::1"
        case .inherited: false
        }
    }

    /// Where a gateway listens: on the manager's sockets, which take the place of the default address, and on what
    /// `--listen` names. Throws ``SettingsError`` for an address that others can reach, unless they may.
    static func all(_ settings: Settings, _ sockets: [ActivatedSocket]) throws(SettingsError) -> [ListenAddress] {
        var addresses = sockets.map { ListenAddress($0) }
        if sockets.isEmpty || settings[.listen].origin != .default {
            for text in settings.strings(.listen) { addresses.append(try ListenAddress(text)) }
        }
        if let reached = addresses.first(where: { !$0.isLocal }), !settings.flag(.listenPublic) {
            throw SettingsError(
                "Other machines can reach \(reached.text). To allow that, add --listen-public: whoever has the token gets in."
            )
        }
        return addresses
    }
}
